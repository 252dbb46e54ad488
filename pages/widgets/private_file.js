const ICON = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8"
  stroke-linecap="round" stroke-linejoin="round"><path d="M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 19.5h14"/></svg>`;
export default function ({ data, parentElement, setTriggerValue }) {
  const button = parentElement.querySelector('button');
  const label = document.createElement('span');
  label.textContent = data.label;
  button.innerHTML = ICON;
  button.append(label);
  button.title = data.about;
  button.onclick = () => setTriggerValue('wanted', Date.now());
  if (!data.content) return;
  const bytes = Uint8Array.from(atob(data.content), (character) => character.charCodeAt(0));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: data.mime }));
  link.download = data.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
