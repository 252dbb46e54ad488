const ICONS = {
  copy: 'M9 9h10v11H9zM5 15V4h10',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  again: 'M19 6v5h-5M18.4 15a7 7 0 1 1-.6-6.6L19 11',
  up: 'M7 20H4v-9h3zM7 11l4-8c1.6 0 2.5 1.2 2.2 2.7L12.6 9H19a1.6 1.6 0 0 1 1.6 1.9l-1.3 7.5a2 2 0 0 1-2 1.6H7',
  down: 'M7 4H4v9h3zM7 13l4 8c1.6 0 2.5-1.2 2.2-2.7L12.6 15H19a1.6 1.6 0 0 0 1.6-1.9l-1.3-7.5a2 2 0 0 0-2-1.6H7',
  share: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  export: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 19.5h14',
};
const DONE = 'M5 12.5 10 17.5 19 7';
const draw = (path) => iconOf(path, 1.7);
const copy = async (text) => {
  if (navigator.clipboard?.writeText) {
    try { await navigator.clipboard.writeText(text); return; } catch { /* not allowed here: the old way */ }
  }
  const field = make('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
};
export default function ({ data, parentElement, setTriggerValue }) {
  const bar = parentElement.querySelector('.bar');
  const told = parentElement.querySelector('.told');
  bar.setAttribute('aria-label', data.label);
  const focused = parentElement.getRootNode().activeElement?.dataset?.name;
  bar.replaceChildren(...data.buttons.map((button) => {
    const element = make('button');
    element.dataset.name = button.name;
    element.title = button.label;
    element.setAttribute('aria-label', button.label);
    if (button.toggle) element.setAttribute('aria-pressed', String(button.pressed));
    element.innerHTML = draw(ICONS[button.name]);
    element.onclick = async () => {
      if (button.name !== 'copy') {
        setTriggerValue('action', button.name);
        return;
      }
      await copy(data.text);
      element.innerHTML = draw(DONE);
      told.textContent = data.copied;
      setTimeout(() => { element.innerHTML = draw(ICONS.copy); told.textContent = ''; }, 1600);
    };
    return element;
  }));
  if (focused) bar.querySelector(`[data-name="${focused}"]`)?.focus();
}
