// Links within the app. A plain click opens the address in the same session, the way Streamlit itself does on
// Back and Forward; with a key or another button the browser does what it always does.
const opensHere = (event) =>
  !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
const openHere = (event, address) => {
  if (!opensHere(event)) return;
  event.preventDefault();
  event.stopPropagation();
  history.pushState(null, '', new URL(address, location.href));
  window.dispatchEvent(new PopStateEvent('popstate'));
};
// A link that opens in the same session.
const linkTo = (href, name, text) => {
  const link = make('a', name, text);
  link.href = href;
  link.onclick = (event) => openHere(event, href);
  return link;
};
