export default function ({ data, parentElement }) {
  const list = parentElement.querySelector('ul');
  list.setAttribute('aria-label', data.label);
  list.replaceChildren(...data.rows.map((row) => {
    const item = make('li');
    item.append(linkTo(row.href, 'name', row.name), make('div', 'size', row.size), make('div', 'about', row.about),
      barOf(Math.max(0.04, row.share)));
    return item;
  }));
}
