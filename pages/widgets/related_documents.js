export default function ({ data, parentElement }) {
  const list = parentElement.querySelector('ul');
  list.setAttribute('aria-label', data.label);
  list.replaceChildren(...data.rows.map((row) => {
    const item = make('li');
    item.append(linkTo(row.href, 'name', row.name), ...row.reasons.map((reason) => make('div', 'reason', reason)));
    return item;
  }));
}
