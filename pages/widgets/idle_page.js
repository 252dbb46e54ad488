// While the page is being drawn or a dialog is open, it is looked at again after so many milliseconds.
const AGAIN = 150;
let looking;
const idle = () => document.querySelector('[data-test-script-state="notRunning"]')
  && !document.querySelector('[data-testid="stDialog"]');
export default function ({ setTriggerValue }) {
  clearInterval(looking);
  looking = setInterval(() => {
    if (!idle()) return;
    clearInterval(looking);
    setTriggerValue('idle', true);
  }, AGAIN);
  return () => clearInterval(looking);
}
