// Applies language, direction, theme and colours before the first paint, so that the page does not flicker; the app
// keeps them up to date. Also requests what the opened page needs, because the app itself is still loading.
(() => {
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  let chosen = {};
  try {
    chosen = JSON.parse(stored('preferences') || '{}').state || {};
  } catch {
    // If the stored value is not ours or cannot be parsed, the page keeps its defaults.
  }
  const root = document.documentElement;
  const tags = { th: 'th-TH', en: 'en', zh: 'zh-CN', jp: 'ja', ar: 'ar', hi: 'hi' };
  const language = tags[chosen.language] ? chosen.language : root.dataset.language || 'th';
  root.lang = tags[language];
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = chosen.theme === 'dark' || chosen.theme === 'light' ? chosen.theme : dark ? 'dark' : 'light';
  root.dataset.rise =
    chosen.riseColour || (language === 'en' || language === 'ar' || language === 'hi' ? 'green' : 'red');

  const { dataset } = document.currentScript;
  const files = JSON.parse(dataset.files || 'null');
  if (!files) return;
  const token = stored('token');
  const home = '/pages/index/index';
  const asked = location.hash.slice(1).split('?')[0];
  const path = asked === '' || asked === '/' ? home : asked;
  const shown = files.pages[path]?.[0] && !token ? '/pages/login/login' : path;
  const [, own = [], parts = []] = files.pages[shown] || [];

  const preload = (href, fetchPriority = 'auto') => {
    if (!href) return;
    const link = document.createElement('link');
    // Preloads scripts exactly as the app will fetch them. The browser never retries a module that failed to load.
    Object.assign(link, {
      rel: 'preload',
      as: /\.css$/.test(href) ? 'style' : 'fetch',
      crossOrigin: '',
      fetchPriority,
      href,
    });
    document.head.append(link);
  };
  const catalogue = files.catalogues[language] || {};
  preload(catalogue.first);
  if (shown !== home) preload(catalogue.rest);
  if (/contracts/.test(shown)) preload(catalogue.contracts);
  for (const place of own) preload(`/${files.names[place]}`);

  // The first answers that the page needs. The app uses an answer if it would make the same request with the same
  // headers.
  const calls = ['/other/config?act=system'];
  if (/index\/index|optionRule|coinList|Option\/Option|contracts\/contracts/.test(shown)) calls.push('/coin/lists');
  if (shown === home) calls.push('/content/slide?position=home');
  // Leaves out pages where a field takes the focus: a notice that opens before it would return the focus elsewhere.
  if (token && /index\/index|mine\/mine|Option\/Option|contracts\/contracts/.test(shown))
    calls.push('/users/message/unread');
  if (token && /index\/index|mine\/mine|contracts\/contracts/.test(shown)) calls.push('/users/info');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const headers = {
    lang: language,
    presentation: `digits=${chosen.digits || 'latin'};calendar=${chosen.calendar || 'buddhist'};zone=${zone}`,
    'X-Requested-With': 'XMLHttpRequest',
    ...(token ? { token } : {}),
  };
  globalThis.earlyAnswers = calls.map((call) => {
    const address = `${dataset.base}/api${call}`;
    const answer = fetch(address, { headers, credentials: 'omit', cache: 'no-store' });
    answer.catch(() => undefined);
    return { address, headers: JSON.stringify(headers), answer };
  });
  // Parts come after the answers, because the page shows the answers first.
  for (const place of parts) preload(`/${files.names[place]}`, 'low');
})();
