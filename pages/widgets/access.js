const DOOR = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8"
  stroke-linecap="round" stroke-linejoin="round"><path d="M14 5H6v14h8M10 12h10m0 0l-3.5-3.5M20 12l-3.5 3.5"/></svg>`;
export default function ({ data, parentElement }) {
  const link = parentElement.querySelector('a');
  link.innerHTML = DOOR;
  link.append(make('span', '', data.label));
  link.href = data.href;
}
