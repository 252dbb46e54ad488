// Below this width Streamlit lays the menu over the page.
const NARROW = matchMedia('(max-width: 767.98px)');
const menu = () => document.querySelector('[data-testid="stSidebar"]');
const closeMenu = () => {
  if (!NARROW.matches || !menu() || menu().dataset.collapsed === 'true') return;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
};
// After the click itself has been handled: what is chosen may be drawn by the menu that closes.
const closeSoon = () => setTimeout(closeMenu, 60);
const chosen = (event) => {
  const path = event.composedPath();
  const link = path.some((element) => element instanceof HTMLAnchorElement);
  if (link && path.includes(menu())) closeSoon();
};
// Streamlit remembers an open menu under this name and opens it at the next visit.
const REMEMBERED = 'stSidebarCollapsed-';
const forget = () => {
  if (!NARROW.matches) return;
  for (const key of Object.keys(localStorage)) if (key.startsWith(REMEMBERED)) localStorage.setItem(key, 'true');
};
// Streamlit may open it some time after this has run: it is looked at until somebody touches the page.
// (`navigator.userActivation` tells nothing here: it outlives the way from one page of the app to another.)
const closeUntilTouched = () => {
  const looking = setInterval(closeMenu, 100);
  const stop = () => clearInterval(looking);
  for (const touch of ['pointerdown', 'keydown']) {
    document.addEventListener(touch, stop, { capture: true, once: true });
  }
  // The touch that came before this could run.
  new PerformanceObserver(stop).observe({ type: 'first-input', buffered: true });
};
let arrived = false;
export default function () {
  document.addEventListener('click', chosen, true);
  window.addEventListener('popstate', closeSoon);
  window.addEventListener('pagehide', forget);
  // Open from an earlier version of this page; but not one that has just been opened, before this could run.
  if (!arrived) closeUntilTouched();
  arrived = true;
  return () => {
    document.removeEventListener('click', chosen, true);
    window.removeEventListener('popstate', closeSoon);
    window.removeEventListener('pagehide', forget);
  };
}
