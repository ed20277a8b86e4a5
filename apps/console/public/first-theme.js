// Before the first paint, so that nothing flips: the theme and the language that were chosen here.
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('console.preferences') || '{}').state || {};
  } catch {
    // Foreign storage: the defaults of the page stand.
  }
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = chosen.theme === 'dark' || chosen.theme === 'light' ? chosen.theme : dark ? 'dark' : 'light';
  root.lang = chosen.language === 'th' ? 'th-TH' : 'en';
})();
