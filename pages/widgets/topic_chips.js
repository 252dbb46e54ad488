export default function ({ data, parentElement }) {
  fillList(parentElement, data, (row) => [linkTo(row.href, 'chip', row.name)]);
}
