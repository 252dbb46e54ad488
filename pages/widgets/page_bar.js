const SMALL = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.7"><rect x="4"
  y="4" width="6" height="7" rx="1"/><rect x="14" y="4" width="6" height="7" rx="1"/><rect x="4" y="14" width="6"
  height="6" rx="1"/><rect x="14" y="14" width="6" height="6" rx="1"/></svg>`;
const waiting = new WeakMap();
export default function ({ data, parentElement, setTriggerValue }) {
  const of = (name) => parentElement.querySelector(name);
  const [number, words] = [of('.number'), of('.find input')];
  const active = parentElement.getRootNode().activeElement;
  const say = (element, name) => { element.title = data.says[name]; element.setAttribute('aria-label', data.says[name]); };
  of('.pages').hidden = data.pages < 2;
  say(number, 'number');
  if (active !== number || Number(number.value) !== data.number) number.value = String(data.number);
  of('.of').textContent = `/ ${data.pages}`;
  const turn = (page) => {
    const wanted = Math.min(Math.max(Number(page) || data.number, 1), data.pages);
    number.value = String(wanted);
    if (wanted !== data.number) setTriggerValue('turn', wanted);
  };
  number.onchange = () => turn(number.value);
  number.onfocus = () => number.select();
  for (const [name, by] of [['back', -1], ['on', 1]]) {
    const button = of(`.${name}`);
    say(button, name);
    button.disabled = data.number + by < 1 || data.number + by > data.pages;
    button.onclick = () => turn(data.number + by);
  }
  const small = of('.small');
  small.hidden = !data.small;
  small.innerHTML = SMALL;
  say(small, 'small');
  small.setAttribute('aria-pressed', String(data.shown));
  small.onclick = () => setTriggerValue('small', data.shown ? 'hide' : 'show');
  say(words, 'find');
  words.placeholder = data.says.find;
  if (active !== words) words.value = data.words;
  const told = !data.words ? '' : !data.found ? data.says.none
    : (data.at ? data.says.count : data.says.many).replace('{at}', data.at).replace('{count}', data.found);
  of('.count').textContent = told;
  const seek = (step) => {
    clearTimeout(waiting.get(parentElement));
    setTriggerValue('seek', { words: words.value, step });
  };
  words.oninput = () => {
    clearTimeout(waiting.get(parentElement));
    waiting.set(parentElement, setTimeout(() => seek(0), 350));
  };
  words.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    seek(event.shiftKey ? -1 : 1);
  };
  for (const [name, step] of [['previous', -1], ['next', 1]]) {
    const button = of(`.${name}`);
    say(button, name);
    button.hidden = !data.found;
    button.onclick = () => seek(step);
  }
}
