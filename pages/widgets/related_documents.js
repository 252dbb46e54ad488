export default function ({ data, parentElement }) {
  fillList(parentElement, data, (row) => [
    linkTo(row.href, 'name', row.name), ...row.reasons.map((reason) => make('div', 'reason', reason)),
  ]);
}
