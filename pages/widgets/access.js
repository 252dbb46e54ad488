const DOOR = iconOf('M14 5H6v14h8M10 12h10m0 0l-3.5-3.5M20 12l-3.5 3.5');
export default function ({ data, parentElement }) {
  const link = parentElement.querySelector('a');
  link.innerHTML = DOOR;
  link.append(make('span', '', data.label));
  link.href = data.href;
}
