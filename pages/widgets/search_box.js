const seen = new WeakMap();
const LENS = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8"
  stroke-linecap="round"><circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5L20 20"/></svg>`;
const MAC = /Mac|iP(hone|ad)/.test(navigator.platform);
const PAUSE_MS = 130;
const BEFORE = 40, LONGEST = 160;
// How long the field that asks is waited for, and for how many tenths of a second it must hold the focus.
const PATIENCE_MS = 6000, STEADY = 10;
// Write a text with the words that were sought set apart.
const write = (element, text, query) => {
  const words = query.split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (!words.length) { element.textContent = text; return; }
  // Of a long text so much that the first word sought is seen.
  const at = text.search(new RegExp(words.join('|'), 'i'));
  if (at > BEFORE) text = `… ${text.slice(at - BEFORE).replace(/^\S{0,12}\s/, '')}`;
  text.slice(0, LONGEST).split(new RegExp(`(${words.join('|')})`, 'gi')).forEach((part, at) => {
    element.append(at % 2 ? make('mark', '', part) : part);
  });
};
const goToAsking = () => {
  const field = () => document.querySelector('[data-testid="stChatInputTextArea"]');
  if (!field()) {
    history.pushState(null, '', new URL('chat', location.href));
    window.dispatchEvent(new PopStateEvent('popstate'));
  }
  // While a page is being drawn its field may be made anew, which takes the focus from it; until its reader acts.
  const until = Date.now() + PATIENCE_MS;
  let held = 0;
  const end = () => {
    clearInterval(wait);
    for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, end, true);
  };
  const look = () => {
    held = field() && document.activeElement === field() ? held + 1 : 0;
    if (!held) field()?.focus();
    if (held > STEADY || Date.now() > until) end();
  };
  const wait = setInterval(look, 100);
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, end, true);
  look();
};
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const state = seen.get(parentElement) ?? { chosen: 0 };
  seen.set(parentElement, state);
  const open = parentElement.querySelector('.open');
  const dialog = parentElement.querySelector('dialog');
  const input = parentElement.querySelector('input');
  const list = parentElement.querySelector('.found');
  const status = parentElement.querySelector('.state');
  const close = parentElement.querySelector('.close');
  open.innerHTML = LENS;
  open.append(data.says.open, make('kbd', '', MAC ? '⌘ K' : 'Ctrl K'));
  open.setAttribute('aria-keyshortcuts', 'Control+K Meta+K');
  dialog.setAttribute('aria-label', data.says.open);
  input.placeholder = data.says.placeholder;
  input.setAttribute('aria-label', data.says.placeholder);
  list.setAttribute('aria-label', data.says.results);
  close.textContent = data.says.close;

  const choose = (at) => {
    const rows = [...list.querySelectorAll('.row')];
    state.chosen = rows.length ? (at + rows.length) % rows.length : 0;
    rows.forEach((row, number) => row.setAttribute('aria-selected', String(number === state.chosen)));
    const row = rows[state.chosen];
    input.setAttribute('aria-activedescendant', row ? row.id : '');
    row?.scrollIntoView({ block: 'nearest' });
  };
  const row = (title, detail, sign) => {
    const element = make('a', 'row');
    element.id = `found-${list.querySelectorAll('.row').length}`;
    element.setAttribute('role', 'option');
    element.tabIndex = -1;
    const words = make('span', 'words');
    const first = make('span', 'title');
    write(first, title, data.query);
    words.append(first);
    if (detail) words.append(make('span', 'detail', detail));
    const mark = make('span', 'sign', sign);
    mark.setAttribute('aria-hidden', 'true');
    element.append(mark, words);
    element.onmousemove = () => {
      const at = [...list.querySelectorAll('.row')].indexOf(element);
      if (at !== state.chosen) choose(at);
    };
    list.append(element);
    return element;
  };
  const draw = () => {
    const typed = input.value.trim();
    const fits = typed === data.query;
    status.textContent = !typed ? data.says.start : fits && !data.groups.length ? data.none : '';
    if (!typed) { list.replaceChildren(); return; }
    // First, so that Enter asks what was typed, also before anything has been found for it. It stays the same
    // element: a click whose button goes down on one and up on another is none.
    const asks = data.says.ask.replace('{query}', () => typed);
    const ask = list.querySelector('.row') ?? row(asks, '', '?');
    ask.querySelector('.title').textContent = asks;
    ask.href = 'chat';
    ask.onclick = (event) => {
      event.preventDefault();
      dialog.close();
      clearTimeout(state.timer); // what else comes from the page that is left would lead back to it
      setTriggerValue('asked', input.value.trim());
    };
    if (!fits && ask.nextSibling) return;
    while (ask.nextSibling) ask.nextSibling.remove();
    if (!fits) { choose(0); return; }
    for (const group of data.groups) {
      const label = make('div', 'group', group.label);
      label.setAttribute('role', 'presentation');
      list.append(label);
      for (const item of group.rows) {
        const element = row(item.title, item.detail, item.sign);
        element.href = item.href;
        element.onclick = (event) => { if (opensHere(event)) dialog.close(); openHere(event, item.href); };
      }
    }
    choose(state.drawn === data.query ? state.chosen : 0);
    state.drawn = data.query;
  };
  const show = () => {
    if (dialog.open) { input.select(); return; }
    dialog.showModal();
    input.select();
    draw();
  };
  open.onclick = show;
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  input.oninput = () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => setStateValue('query', input.value.trim()), PAUSE_MS);
    draw();
  };
  input.onkeydown = (event) => {
    if (event.key === 'ArrowDown') choose(state.chosen + 1);
    else if (event.key === 'ArrowUp') choose(state.chosen - 1);
    else if (event.key === 'Escape') dialog.close(); // the field would only be emptied
    else if (event.key === 'Enter') {
      if (event.isComposing) return;
      list.querySelector('.row[aria-selected=true]')?.click();
    } else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  if (state.keys) document.removeEventListener('keydown', state.keys, true);
  const keys = state.keys = (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      event.stopPropagation();
      show();
    } else if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyA') {
      event.preventDefault();
      dialog.close();
      goToAsking();
    }
  };
  document.addEventListener('keydown', state.keys, true);
  if (dialog.open) draw();
  return () => document.removeEventListener('keydown', keys, true);
}
