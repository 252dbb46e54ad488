export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelector('p').textContent = data.summary;
  const table = parentElement.querySelector('table');
  table.setAttribute('aria-label', data.label);
  const head = make('tr', '');
  head.append(make('th', 'place', data.first), make('th', 'place', data.second), make('td', 'none'), make('td', 'none'));
  head.querySelectorAll('th').forEach((cell) => { cell.scope = 'col'; });
  const body = make('tbody', '');
  body.append(head, ...data.rows.map((row) => {
    const line = make('tr', row.id === data.chosen ? 'chosen' : '');
    const told = make('td', `told ${row.kind}`);
    told.append(make('span', '', row.told));
    const what = make('td', '');
    const text = make('button', '', row.text);
    text.onclick = () => setTriggerValue('picked', row.id);
    what.append(text, make('div', 'where', row.where));
    line.append(make('td', 'place', row.before ?? '–'), make('td', 'place', row.after ?? '–'), told, what);
    return line;
  }));
  table.replaceChildren(body);
}
