// Elements of a component. What they say comes from documents and people: it is set as text, never as HTML.
const make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) {
    element.textContent = text;
    element.style.unicodeBidi = 'plaintext';  // Hebrew and Arabic run from the right
  }
  if (tag === 'button') element.type = 'button';
  return element;
};
// A drawing of lines from the path of an SVG, 24 wide and high.
const iconOf = (path, width = 1.8) => `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor"
  stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;
// Fill the list of a component with an item for each row of its data, made of what `partsOf` gives.
const fillList = (parentElement, data, partsOf) => {
  const list = parentElement.querySelector('ul, ol');
  list.setAttribute('aria-label', data.label);
  list.replaceChildren(...data.rows.map((row) => {
    const item = make('li');
    item.append(...partsOf(row, item));
    return item;
  }));
  return list;
};
// A bar filled to a share, 0 to 1; what it shows is also told in words beside it.
const barOf = (share) => {
  const bar = make('span', 'bar');
  bar.append(make('span'));
  bar.firstChild.style.width = `${Math.round(share * 100)}%`;
  bar.setAttribute('aria-hidden', 'true');
  return bar;
};
// What scrolls in the pane beside a conversation ends where the window does, whatever stands above it.
const endInPane = (panel) => {
  const pane = panel.getRootNode().host?.closest('.st-key-beside');
  if (!pane) return;
  const set = () => panel.style.setProperty('--above',
    `${Math.round(panel.getBoundingClientRect().top + pane.scrollTop) + 16}px`);
  set();
  setTimeout(set, 600);  // rows above it may come and go
};
