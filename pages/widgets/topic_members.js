export default function ({ data, parentElement }) {
  const list = parentElement.querySelector('ul');
  list.setAttribute('aria-label', data.label);
  list.replaceChildren(...data.rows.map((row) => {
    const item = make('li');
    const sure = make('span', 'sure');
    sure.title = data.confidence;
    sure.append(barOf(row.share), make('span', 'told', row.told));
    item.append(linkTo(row.href, 'name', row.name), sure);
    return item;
  }));
}
