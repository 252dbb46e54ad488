const ASK = iconOf('M20 12.5a7 7 0 0 1-7 7H5l1.6-2.6A7 7 0 0 1 11 5.5h2a7 7 0 0 1 7 7z', 1.7);
const REMOVE = iconOf('M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.5 10.5v5M13.5 10.5v5', 1.7);
// What is chosen stays chosen from page to page of the list; what a filter hides is not.
const chosenIn = new WeakMap();
// What is being dragged, by id; the file chooser of a browser or another page drags nothing of this.
let dragged = null;
const drag = (event, ids, told, parentElement) => {
  dragged = ids;
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData('text/plain', told);
  const ghost = make('div', 'ghost', told);
  parentElement.append(ghost);
  event.dataTransfer.setDragImage(ghost, -8, -8);
  setTimeout(() => ghost.remove());
};
// The collections: a press shows what is in one, dropped documents come into it.
const fillShelf = (data, parentElement, setTriggerValue) => {
  const shelf = parentElement.querySelector('nav');
  shelf.hidden = !data.shelves.length;
  // Drawn anew only for what is new: a press or a drag may be under way.
  shelf.report = (into, ids) => setTriggerValue('shelf', { into, ids });
  const drawn = JSON.stringify([data.shelves, data.drag]);
  if (shelf.drawn === drawn) return shelf;
  shelf.drawn = drawn;
  const focused = parentElement.getRootNode().activeElement?.dataset?.shelf;
  shelf.setAttribute('aria-label', data.shelf);
  const told = make('span', 'told', data.drag);
  told.setAttribute('aria-hidden', 'true');
  shelf.replaceChildren(told, ...data.shelves.map((one) => {
    const target = make('button');
    target.append(make('span', '', one.name), ` (${one.count.toLocaleString()})`);
    target.title = one.name;
    target.dataset.shelf = one.id;
    target.setAttribute('aria-pressed', String(one.current));
    target.onclick = () => shelf.report(one.id, []);
    target.ondragover = (event) => {
      if (!dragged) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      target.classList.add('over');
    };
    target.ondragleave = () => target.classList.remove('over');
    target.ondrop = (event) => {
      event.preventDefault();
      target.classList.remove('over');
      if (dragged) shelf.report(one.id, dragged);
    };
    return target;
  }));
  if (focused) shelf.querySelector(`[data-shelf="${CSS.escape(focused)}"]`)?.focus();
  return shelf;
};
const bar = (data, parentElement, chosen, redraw, setTriggerValue) => {
  const box = parentElement.querySelector('.bulk');
  box.hidden = !chosen.size;
  const button = (label, act, name = '') => {
    const element = make('button', name, label);
    element.onclick = act;
    return element;
  };
  const act = (action) => () => {
    setTriggerValue('bulk', { action, ids: [...chosen] });
    chosen.clear();
    redraw();
  };
  const told = make('strong', '', data.select.some.replace('{count}', chosen.size.toLocaleString()));
  told.setAttribute('role', 'status');
  const rest = [
    button(data.select.summarize, act('summarize')),
    button(data.select.move, act('move')),
    button(data.select.tag, act('tag')),
    button(data.select.reindex, act('reindex')),
    button(data.select.remove, act('remove'), 'danger'),
    button(data.select.none, () => { chosen.clear(); redraw(); }),
  ];
  if (chosen.size < data.ids.length) {
    rest.unshift(button(data.select.all.replace('{count}', data.ids.length.toLocaleString()), () => {
      data.ids.forEach((id) => chosen.add(id));
      redraw();
    }));
  }
  box.replaceChildren(told, ...rest);
};
export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector('ul');
  list.setAttribute('aria-label', data.label);
  list.hidden = !data.rows.length;
  const shelf = fillShelf(data, parentElement, setTriggerValue);
  const known = new Set(data.ids);
  const chosen = new Set([...(chosenIn.get(parentElement) ?? [])].filter((id) => known.has(id)));
  chosenIn.set(parentElement, chosen);
  const boxes = new Map();
  const redraw = () => {
    boxes.forEach((element, id) => { element.checked = chosen.has(id); });
    list.classList.toggle('choosing', chosen.size > 0);
    bar(data, parentElement, chosen, redraw, setTriggerValue);
  };
  const action = (tag, name, drawing, label, row) => {
    const element = make(tag, name);
    element.innerHTML = drawing;
    element.title = label;
    element.setAttribute('aria-label', `${label}: ${row.name}`);
    return element;
  };
  list.replaceChildren(...data.rows.map((row) => {
    const item = make('li', row.share < 1 ? '' : 'ready');
    const kind = make('span', `kind ${row.sign}`, row.sign);
    kind.setAttribute('aria-hidden', 'true');
    const about = make('div', 'about');
    about.append(linkTo(row.href, 'name', row.name), make('div', 'facts', row.facts));
    const status = make('div', 'status');
    if (row.share < 1) {
      status.append(barOf(row.share), make('span', '', row.status));
    } else {
      status.append(make('span', 'dot'), make('span', '', row.status));
    }
    const actions = make('div', 'actions');
    const ask = action('a', 'action', ASK, data.ask, row);
    ask.href = row.ask;
    ask.onclick = (event) => openHere(event, row.ask);
    const remove = action('button', 'action remove', REMOVE, data.remove, row);
    remove.onclick = () => setTriggerValue('remove', row.id);
    actions.append(ask);
    if (row.change) actions.append(remove);
    if (row.change && data.shelves.length) {
      item.draggable = true;
      item.ondragstart = (event) => {
        const several = chosen.has(row.id) && chosen.size > 1;
        const told = several ? data.select.some.replace('{count}', chosen.size.toLocaleString()) : row.name;
        drag(event, several ? [...chosen] : [row.id], told, parentElement);
        shelf.classList.add('open');
      };
      item.ondragend = () => { dragged = null; shelf.classList.remove('open'); };
    }
    item.append(kind, about, status, actions);
    if (known.has(row.id)) {
      const box = make('input', 'pick');
      box.type = 'checkbox';
      box.setAttribute('aria-label', `${data.select.one}: ${row.name}`);
      box.onchange = () => { chosen[box.checked ? 'add' : 'delete'](row.id); redraw(); };
      boxes.set(row.id, box);
      item.prepend(box);
    }
    return item;
  }));
  redraw();
}
