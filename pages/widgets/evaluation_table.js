const shown = (value) => (value === null || value === undefined ? '–' : value.toFixed(3));
export default function ({ data, parentElement, setTriggerValue }) {
  const table = parentElement.querySelector('table');
  table.setAttribute('aria-label', data.label);
  const wide = data.columns.length > 1;
  const compared = data.columns.length > 4;
  const head = make('tr', '');
  head.append(...data.columns.map((name, at) => {
    const cell = make('th', at < 2 ? '' : at === data.columns.length - 1 ? 'number time' : 'number', name);
    cell.scope = 'col';
    return cell;
  }));
  const rows = data.rows.map((row) => {
    const line = make('tr', row.id === data.chosen ? 'chosen' : '');
    const question = make('td', '');
    const open = make('button', '', row.text);
    open.setAttribute('aria-expanded', String(row.id === data.chosen));
    open.onclick = () => setTriggerValue('picked', row.id);
    question.append(open);
    if (row.kind) question.append(make('div', 'kind', row.kind));
    line.append(question);
    if (!wide) return line;
    const ranks = make('td', 'ranks');
    const chips = make('div', 'chips');
    chips.append(...row.ranks.map((rank) => make('span', `chip ${rank.look}`, rank.told)));
    if (row.told) chips.append(make('span', `chip ${row.verdict}`, row.told));
    if (row.note) chips.append(make('span', 'kind', row.note));
    ranks.append(chips);
    line.append(ranks);
    if (compared) line.append(make('td', 'number', shown(row.before)));
    line.append(make('td', 'number', shown(row.score)), make('td', 'number time', row.time ?? ''));
    return line;
  });
  const header = make('thead');
  header.append(head);
  const body = make('tbody');
  body.append(...rows);
  table.replaceChildren(header, body);
}
