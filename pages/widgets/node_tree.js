const states = new WeakMap();
const OPEN_DEPTH = 2;
const CHEVRON = `<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M3 1l4 4-4 4" fill="none"
  stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
export default function ({ data, parentElement, setTriggerValue }) {
  const panel = parentElement.querySelector('.panel');
  const details = parentElement.querySelector('details');
  const narrow = window.matchMedia('(max-width: 640px)').matches;
  const state = states.get(parentElement) ?? { folds: new Map(), folded: narrow };
  states.set(parentElement, state);
  parentElement.querySelector('summary').textContent = data.label;
  details.open = !state.folded;
  details.ontoggle = () => { state.folded = !details.open; };

  const rows = data.rows.map(([id, title, parent, page, inner], at) => ({
    id, title, parent, page, inner, at, below: [],
  }));
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    row.depth = row.parent < 0 ? 0 : rows[row.parent].depth + 1;
    if (row.parent >= 0) rows[row.parent].below.push(row);
  }
  const holder = byId.get(data.section);
  const moved = state.selected !== data.selected || state.document !== data.key;
  if (state.document !== data.key) state.folds.clear();
  if (moved) for (let row = holder; row; row = rows[row.parent]) state.folds.set(row.id, true);
  const isOpen = (row) => state.folds.get(row.id) ?? row.depth < OPEN_DEPTH;
  const hasChildren = (row) => row.below.length > 0 || (row === holder && data.leaves.length > 0) || row.inner;

  const item = (id, title, page, depth, name) => {
    const li = document.createElement('li');
    li.setAttribute('role', 'treeitem');
    li.setAttribute('aria-level', String(depth + 1));
    li.setAttribute('aria-selected', String(id === data.selected));
    li.setAttribute('aria-label', page === null ? title || data.untitled : `${title || data.untitled}, ${data.page} ${page}`);
    li.dataset.id = id;
    li.className = name;
    li.tabIndex = -1;
    const row = document.createElement('div');
    row.className = 'row';
    const fold = document.createElement('span');
    fold.className = 'fold';
    const text = document.createElement('span');
    text.className = 'title';
    text.textContent = title || data.untitled;
    text.title = title;
    row.append(fold, text);
    if (page !== null) {
      const number = document.createElement('span');
      number.className = 'page';
      number.textContent = String(page);
      number.setAttribute('aria-hidden', 'true');
      row.append(number);
    }
    row.onclick = () => { focus(li); setTriggerValue('picked', id); };
    li.append(row);
    return li;
  };
  const group = (row) => {
    const list = document.createElement('ul');
    list.setAttribute('role', 'group');
    if (row === holder && data.leaves.length) {
      for (const [id, label, role, page] of data.leaves) {
        if (label === null) { if (byId.has(id)) list.append(section(byId.get(id))); continue; }
        list.append(item(id, label || role, page, row.depth + 1, 'leaf'));
      }
    } else {
      for (const below of row.below) list.append(section(below));
    }
    return list;
  };
  const section = (row) => {
    const li = item(row.id, row.title, row.page, row.depth, 'section');
    if (hasChildren(row)) {
      const fold = li.querySelector('.fold');
      fold.innerHTML = CHEVRON;
      fold.onclick = (event) => { event.stopPropagation(); toggle(li, row); };
      const open = isOpen(row) && (row.below.length > 0 || row === holder);
      li.setAttribute('aria-expanded', String(open));
      if (open) li.append(group(row));
    }
    return li;
  };
  const toggle = (li, row, open = li.getAttribute('aria-expanded') !== 'true') => {
    if (open && !row.below.length && row !== holder) { setTriggerValue('picked', row.id); return; }
    state.folds.set(row.id, open);
    li.setAttribute('aria-expanded', String(open));
    li.querySelector(':scope > ul')?.remove();
    if (open) li.append(group(row));
  };
  const focus = (li) => {
    if (!li) return;
    tree.querySelectorAll('li[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    li.tabIndex = 0;
    li.focus({ preventScroll: true });
    li.querySelector('.row').scrollIntoView({ block: 'nearest' });
    state.focused = li.dataset.id;
  };
  const root = parentElement.getRootNode();
  const hadFocus = panel.contains(root.activeElement);
  const scroll = panel.scrollTop;
  const tree = document.createElement('ul');
  tree.setAttribute('role', 'tree');
  tree.setAttribute('aria-label', data.label);
  if (rows.length) tree.append(section(rows[0]));
  panel.replaceChildren(tree);
  panel.scrollTop = scroll;

  tree.onkeydown = (event) => {
    const li = event.target.closest('li');
    if (!li) return;
    const items = [...tree.querySelectorAll('li')];
    const at = items.indexOf(li);
    const row = byId.get(li.dataset.id);
    const expanded = li.getAttribute('aria-expanded');
    const steps = {
      ArrowDown: () => focus(items[at + 1]),
      ArrowUp: () => focus(items[at - 1]),
      Home: () => focus(items[0]),
      End: () => focus(items[items.length - 1]),
      ArrowRight: () => {
        if (expanded === 'false') toggle(li, row, true);
        else if (expanded === 'true') focus(items[at + 1]);
      },
      ArrowLeft: () => {
        if (expanded === 'true') toggle(li, row, false);
        else focus(li.parentElement.closest('li'));
      },
      Enter: () => setTriggerValue('picked', li.dataset.id),
      ' ': () => setTriggerValue('picked', li.dataset.id),
    };
    if (steps[event.key]) { steps[event.key](); event.preventDefault(); event.stopPropagation(); }
  };
  const chosen = tree.querySelector('li[aria-selected="true"]');
  const before = tree.querySelector(`li[data-id="${CSS.escape(state.focused ?? '')}"]`);
  const start = (hadFocus && before) || chosen || tree.querySelector('li');
  if (start) start.tabIndex = 0;
  if (hadFocus && start) start.focus({ preventScroll: true });
  if (chosen && moved) {
    const row = chosen.querySelector('.row');
    const top = row.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    if (top < 8 || top > panel.clientHeight - 40) panel.scrollTop += top - panel.clientHeight / 3;
  }
  state.selected = data.selected;
  state.document = data.key;
}
