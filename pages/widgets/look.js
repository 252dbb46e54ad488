// Light, dark or as the system has it. Streamlit keeps the choice under the address of each page by itself.
const NAMES = ['System', 'Light', 'Dark'];
const SIGNS = {
  System: 'M4 5h16v11H4zM9 20h6M12 16v4',
  Light: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19',
  Dark: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
};
export default function ({ data, parentElement }) {
  const root = location.pathname.replace(/[^/]*$/, '');
  const keys = ['', ...data.pages].map((page) => `stActiveTheme-${root}${page}-v2`);
  const now = JSON.parse(localStorage.getItem(keys.at(-1)) ?? '"System"');
  const next = NAMES[(NAMES.indexOf(now) + 1) % NAMES.length];
  const button = parentElement.querySelector('button');
  button.innerHTML = iconOf(SIGNS[now] ?? SIGNS.System);
  button.append(data.says[now] ?? '');
  button.title = `${data.label}: ${data.says[next]}`;
  button.onclick = () => {
    for (const key of keys) localStorage.setItem(key, JSON.stringify(next));
    location.reload();
  };
}
