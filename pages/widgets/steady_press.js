// A press is of what it began on: the page may move between a button's going down and its coming up again (work
// ends, a font or a part of the page arrives), and the browser then makes no click of it.
const PRESSED = 'button, a[href], summary, [role=option], [role=tab], [role=menuitem]';
// The pointer itself may move so many pixels; more is a drag.
const REACH = 4;
let press;
const begin = (event) => {
  press = undefined;
  if (event.button || event.pointerType !== 'mouse') return;
  const on = event.composedPath().find((one) => one instanceof Element && one.matches(PRESSED));
  if (on) press = { on, x: event.clientX, y: event.clientY };
};
// The click itself comes right after this, where there is one.
const end = (event) => {
  if (!press || Math.hypot(event.clientX - press.x, event.clientY - press.y) > REACH) return;
  const { on } = press;
  let reached = false;
  const look = (click) => { reached ||= click.composedPath().includes(on); };
  document.addEventListener('click', look, true);
  setTimeout(() => {
    document.removeEventListener('click', look, true);
    if (!reached && on.isConnected) on.click();
  });
};
// Streamlit leaves the address as it is where a link leads to another place on the same page.
const onPage = (event) => {
  const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  const streamlits = link?.dataset.testid?.endsWith('NavLink') && link.pathname === location.pathname;
  if (streamlits && link.search !== location.search) openHere(event, link.href);
};
export default function () {
  document.addEventListener('click', onPage, true);
  document.addEventListener('pointerdown', begin, true);
  document.addEventListener('pointerup', end, true);
  return () => {
    document.removeEventListener('click', onPage, true);
    document.removeEventListener('pointerdown', begin, true);
    document.removeEventListener('pointerup', end, true);
  };
}
