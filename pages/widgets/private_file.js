const ICON = iconOf('M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 19.5h14');
export default function ({ data, parentElement, setTriggerValue }) {
  const button = parentElement.querySelector('button');
  button.innerHTML = ICON;
  button.append(make('span', '', data.label));
  button.onclick = () => setTriggerValue('wanted', Date.now());
  if (!data.content) return;
  const bytes = Uint8Array.from(atob(data.content), (character) => character.charCodeAt(0));
  const link = make('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: data.mime }));
  link.download = data.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
