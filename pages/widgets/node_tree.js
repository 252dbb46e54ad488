const states = new WeakMap();
const OPEN_DEPTH = 2;
const CHEVRON = `<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M3 1l4 4-4 4" fill="none"
  stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
export default function ({ data, parentElement, setTriggerValue }) {
  const panel = parentElement.querySelector('.panel');
  const details = parentElement.querySelector('details');
  const narrow = window.matchMedia('(max-width: 640px)').matches;
  const state = states.get(parentElement) ?? { folds: new Map(), leaves: new Map(), folded: narrow };
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
  const shape = JSON.stringify([data.key, data.rows]);
  if (state.shape !== shape) state.leaves.clear();  // read again, after a correction say
  state.shape = shape;
  // What was shown once stays: were it taken away above the row that is picked, that would leave the pointer.
  state.leaves.set(data.section, data.leaves);
  const leavesOf = (row) => state.leaves.get(row.id) ?? [];
  if (moved) for (let row = holder; row; row = rows[row.parent]) state.folds.set(row.id, true);
  const isOpen = (row) => state.folds.get(row.id) ?? row.depth < OPEN_DEPTH;
  const hasChildren = (row) => row.below.length > 0 || leavesOf(row).length > 0 || row.inner;

  // The row, not the list item around it, is the tree item: its name is then what it shows, without its children.
  const item = (id, title, page, depth, name) => {
    const li = make('li', name);
    li.setAttribute('role', 'none');
    const row = make('div', 'row');
    row.setAttribute('role', 'treeitem');
    row.setAttribute('aria-level', String(depth + 1));
    row.setAttribute('aria-selected', String(id === data.selected));
    row.dataset.id = id;
    row.tabIndex = -1;
    const text = make('span', 'title', title || data.untitled);
    text.title = title;
    row.append(make('span', 'fold'), text);
    if (page !== null) {
      const number = make('span', 'page');
      number.append(make('span', 'unit', `, ${data.page} `), String(page));
      row.append(number);
    }
    row.onclick = () => { focus(row); pick(row); };
    li.append(row);
    return li;
  };
  const group = (row) => {
    const list = make('ul');
    list.setAttribute('role', 'group');
    if (leavesOf(row).length) {
      for (const [id, label, role, page] of leavesOf(row)) {
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
      const head = li.querySelector('.row');
      const fold = li.querySelector('.fold');
      fold.innerHTML = CHEVRON;
      fold.onclick = (event) => { event.stopPropagation(); toggle(head, row); };
      const open = isOpen(row) && (row.below.length > 0 || leavesOf(row).length > 0);
      head.setAttribute('aria-expanded', String(open));
      if (open) li.append(group(row));
    }
    return li;
  };
  const toggle = (head, row, open = head.getAttribute('aria-expanded') !== 'true') => {
    if (open && !row.below.length && !leavesOf(row).length) { pick(head); return; }
    state.folds.set(row.id, open);
    head.setAttribute('aria-expanded', String(open));
    const li = head.parentElement;
    li.querySelector(':scope > ul')?.remove();
    if (open) li.append(group(row));
  };
  const pick = (head) => {
    state.picked = { id: head.dataset.id, top: head.getBoundingClientRect().top };
    setTriggerValue('picked', head.dataset.id);
  };
  const focus = (head) => {
    if (!head) return;
    tree.querySelectorAll('.row[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    head.tabIndex = 0;
    head.focus({ preventScroll: true });
    head.scrollIntoView({ block: 'nearest' });
    state.focused = head.dataset.id;
  };
  const root = parentElement.getRootNode();
  const hadFocus = panel.contains(root.activeElement);
  const scroll = panel.scrollTop;
  const tree = make('ul');
  tree.setAttribute('role', 'tree');
  tree.setAttribute('aria-label', data.label);
  if (rows.length) tree.append(section(rows[0]));
  panel.replaceChildren(tree);
  panel.scrollTop = scroll;

  tree.onkeydown = (event) => {
    const head = event.target.closest('.row');
    if (!head) return;
    const items = [...tree.querySelectorAll('.row')];
    const at = items.indexOf(head);
    const row = byId.get(head.dataset.id);
    const expanded = head.getAttribute('aria-expanded');
    const steps = {
      ArrowDown: () => focus(items[at + 1]),
      ArrowUp: () => focus(items[at - 1]),
      Home: () => focus(items[0]),
      End: () => focus(items[items.length - 1]),
      ArrowRight: () => {
        if (expanded === 'false') toggle(head, row, true);
        else if (expanded === 'true') focus(items[at + 1]);
      },
      ArrowLeft: () => {
        if (expanded === 'true') toggle(head, row, false);
        else focus(head.parentElement.parentElement.closest('li')?.querySelector('.row'));
      },
      Enter: () => pick(head),
      ' ': () => pick(head),
    };
    if (steps[event.key]) { steps[event.key](); event.preventDefault(); event.stopPropagation(); }
  };
  const chosen = tree.querySelector('.row[aria-selected="true"]');
  const before = tree.querySelector(`.row[data-id="${CSS.escape(state.focused ?? '')}"]`);
  const start = (hadFocus && before) || chosen || tree.querySelector('.row');
  if (start) start.tabIndex = 0;
  if (hadFocus && start) start.focus({ preventScroll: true });
  if (chosen && moved) {
    const { top: at } = chosen.getBoundingClientRect();
    const top = at - panel.getBoundingClientRect().top;
    if (state.picked?.id === data.selected) panel.scrollTop += at - state.picked.top;
    else if (top < 8 || top > panel.clientHeight - 40) panel.scrollTop += top - panel.clientHeight / 3;
    state.picked = null;
  }
  state.selected = data.selected;
  state.document = data.key;
}
