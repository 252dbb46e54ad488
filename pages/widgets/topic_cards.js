export default function ({ data, parentElement }) {
  fillList(parentElement, data, (row) => [
    linkTo(row.href, 'name', row.name), make('div', 'size', row.size), make('div', 'about', row.about),
    ...('share' in row ? [barOf(Math.max(0.04, row.share))] : []),
  ]);
}
