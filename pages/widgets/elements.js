// Elements of a component. What they say comes from documents and people: it is set as text, never as HTML.
const make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
};
// A bar filled to a share, 0 to 1; what it shows is also told in words beside it.
const barOf = (share) => {
  const bar = make('span', 'bar');
  bar.append(make('span'));
  bar.firstChild.style.width = `${Math.round(share * 100)}%`;
  bar.setAttribute('aria-hidden', 'true');
  return bar;
};
