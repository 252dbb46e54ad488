export default function ({ data, parentElement }) {
  fillList(parentElement, data, (row) => {
    const sure = make('span', 'sure');
    sure.title = data.confidence;
    sure.append(barOf(row.share), make('span', 'told', row.told));
    return [linkTo(row.href, 'name', row.name), sure];
  });
}
