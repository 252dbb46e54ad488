const seen = new WeakMap();
const FIRST = 10;
export default function ({ data, parentElement, setTriggerValue }) {
  const state = seen.get(parentElement) ?? { all: false };
  seen.set(parentElement, state);
  const more = parentElement.querySelector('button');
  const columns = parentElement.querySelector('.columns');
  more.className = 'more';
  columns.tabIndex = 0;
  const rows = [];
  const point = (id) => rows.forEach((row) => row.classList.toggle('pointed', row.dataset.id === id));
  const rowOf = (item) => {
    const row = make('button', item.hit ? 'row hit' : 'row');
    row.dataset.id = item.id;
    row.title = item.text;
    row.setAttribute('aria-pressed', String(item.id === data.chosen));
    const facts = make('span', 'facts');
    facts.append(make('span', 'where', item.where), make('span', 'score', item.score));
    row.append(make('span', 'rank', String(item.rank)), make('span', 'text', item.text), facts);
    row.onmouseenter = () => point(item.id);
    row.onmouseleave = () => point('');
    row.onfocus = () => point(item.id);
    row.onblur = () => point('');
    row.onclick = () => setTriggerValue('picked', item.id);
    rows.push(row);
    const entry = make('li');
    entry.append(row);
    return entry;
  };
  const draw = () => {
    rows.length = 0;
    more.textContent = state.all ? data.fewer : data.more;
    more.hidden = data.columns.every((column) => column.rows.length <= FIRST);
    columns.replaceChildren(...data.columns.map((column) => {
      const section = make('section', 'column');
      section.setAttribute('aria-label', column.name);
      const head = make('h4', '', column.name);
      head.append(make('span', '', column.count));
      const list = make('ol', '');
      list.append(...column.rows.slice(0, state.all ? undefined : FIRST).map(rowOf));
      section.append(head, list);
      return section;
    }));
  };
  more.onclick = () => { state.all = !state.all; draw(); };
  const focused = parentElement.getRootNode().activeElement;
  const at = focused?.classList?.contains('row')
    ? [focused.closest('.column').getAttribute('aria-label'), focused.dataset.id] : null;
  const left = columns.scrollLeft;
  draw();
  columns.scrollLeft = left;
  if (at) {
    rows.find((row) => row.dataset.id === at[1] && row.closest('.column').getAttribute('aria-label') === at[0])
      ?.focus({ preventScroll: true });
  }
}
