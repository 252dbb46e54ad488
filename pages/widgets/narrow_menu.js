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
let arrived = false;
export default function () {
  document.addEventListener('click', chosen, true);
  window.addEventListener('popstate', closeSoon);
  // Left open at the last visit; but not one that has just been opened, before this could run.
  if (!arrived && !navigator.userActivation?.hasBeenActive) closeSoon();
  arrived = true;
  return () => {
    document.removeEventListener('click', chosen, true);
    window.removeEventListener('popstate', closeSoon);
  };
}
