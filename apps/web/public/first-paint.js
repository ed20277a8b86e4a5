// Before the first paint: language, direction, theme and colours, so that nothing flips. The app then keeps them.
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('preferences') || '{}').state || {};
  } catch {
    // Storage is off or foreign: the defaults of the page stand.
  }
  const root = document.documentElement;
  const tags = { th: 'th-TH', en: 'en', zh: 'zh-CN', jp: 'ja', ar: 'ar', hi: 'hi' };
  const language = tags[chosen.language] ? chosen.language : root.dataset.language || 'th';
  // Its sentences are asked for now; the app, which would ask for them, is still on its way.
  const catalogue = JSON.parse(document.currentScript.dataset.catalogues || '{}')[language];
  if (catalogue) {
    const link = document.createElement('link');
    // As the app will fetch it: a module that could not be had is never asked for again.
    Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: '', href: catalogue });
    document.head.append(link);
  }
  root.lang = tags[language];
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = chosen.theme === 'dark' || chosen.theme === 'light' ? chosen.theme : dark ? 'dark' : 'light';
  root.dataset.rise =
    chosen.riseColour || (language === 'en' || language === 'ar' || language === 'hi' ? 'green' : 'red');
})();
