// Before the first paint: language, direction, theme and colours, so that nothing flips. The app then keeps them. And
// what the page that is opened needs is asked for now: the app, which would ask for it, is still on its way.
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
    // Foreign storage: the defaults of the page stand.
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
  const page = files.pages[path];
  const shown = page?.[0] && !token ? '/pages/login/login' : path;

  const preload = (href) => {
    if (!href) return;
    const link = document.createElement('link');
    // Scripts as the app will fetch them: a module that could not be had is never asked for again.
    Object.assign(link, { rel: 'preload', as: /\.css$/.test(href) ? 'style' : 'fetch', crossOrigin: '', href });
    document.head.append(link);
  };
  const catalogue = files.catalogues[language] || {};
  preload(catalogue.first);
  if (shown !== home) preload(catalogue.rest);
  if (/contracts/.test(shown)) preload(catalogue.contracts);
  for (const place of (files.pages[shown] || []).slice(1)) preload(`/${files.names[place]}`);

  // The first answers that the page draws; the app takes them when it would ask the same with the same headers.
  const calls = ['/other/config?act=system'];
  if (/index\/index|optionRule|coinList|Option\/Option|contracts\/contracts/.test(shown)) calls.push('/coin/lists');
  if (shown === home) calls.push('/content/slide?position=home');
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
})();
