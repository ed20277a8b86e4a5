// Applies the stored theme and language before the first paint, so that the page does not flicker.
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('console.preferences') || '{}').state || {};
  } catch {
    // If the stored value is not ours or cannot be parsed, the page keeps its defaults.
  }
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = chosen.theme === 'dark' || chosen.theme === 'light' ? chosen.theme : dark ? 'dark' : 'light';
  root.lang = chosen.language === 'th' ? 'th-TH' : 'en';
})();
