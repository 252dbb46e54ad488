// A page whose drawing anew is wanted is looked at after so many milliseconds, and left alone as long after a click.
const AGAIN = 150;
const CALM = 1000;
let looking;
let touched = 0;
const touch = () => { touched = performance.now(); };
const idle = () => document.querySelector('.dropqa-redraw')
  && document.querySelector('[data-test-script-state="notRunning"]')
  && !document.querySelector('[data-testid="stDialog"]')
  && performance.now() - touched > CALM;
export default function ({ setTriggerValue }) {
  clearInterval(looking);
  for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, touch, true);
  looking = setInterval(() => {
    if (!idle()) return;
    touch();
    setTriggerValue('idle', true);
  }, AGAIN);
  return () => {
    clearInterval(looking);
    for (const kind of ['pointerdown', 'keydown']) document.removeEventListener(kind, touch, true);
  };
}
