/** The questions of the help centre in their order, by group, each with the page where one acts on it. */
export const HELP_GROUPS = [
  {
    group: 'start',
    articles: [
      { id: 'begin', path: '/pages/login/regist' },
      { id: 'practice', path: '/pages/practice/enter' },
    ],
  },
  {
    group: 'money',
    articles: [
      { id: 'deposit_chain', path: '/pages/Recharge/Recharge' },
      { id: 'deposit_bank', path: '/pages/Recharge/Recharge' },
      { id: 'withdraw', path: '/pages/Withdraw/Withdraw' },
      { id: 'payee', path: '/pages/mine/addWallet' },
    ],
  },
  {
    group: 'trade',
    articles: [
      { id: 'options', path: '/pages/optionRule/index' },
      { id: 'sell', path: '/pages/Option/orderRecord/orderRecord' },
      { id: 'book', path: '/pages/coinList/index' },
      { id: 'waiting', path: '/pages/coinList/index' },
      { id: 'recurring', path: '/pages/contracts/recurring' },
      { id: 'programs', path: '/pages/mine/security/keys' },
      { id: 'earn', path: '/pages/index/index' },
      { id: 'renewal', path: '/pages/Lock-up/Lock-up' },
    ],
  },
  {
    group: 'safe',
    articles: [
      { id: 'receipt', path: '/pages/verify/index' },
      { id: 'security', path: '/pages/mine/security' },
      { id: 'limits', path: '/pages/mine/limits' },
      { id: 'dispute', path: '/pages/accountDetails/accountDetails' },
      { id: 'data', path: '/pages/accountDetails/accountDetails' },
      { id: 'lost', path: '/pages/login/forgetPwd' },
    ],
  },
] as const;
export type HelpArticle = (typeof HELP_GROUPS)[number]['articles'][number];

/** Lower case, without marks above or below letters, and with one blank between words. Thai tone marks stay. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u0652]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

/** The articles that contain every word of a query, those with it in the title first. All of them without a query. */
export function findArticles<Article extends { readonly title: string; readonly body: string }>(
  articles: readonly Article[],
  query: string,
): readonly Article[] {
  const words = plain(query).split(' ').filter(Boolean);
  const isIn = (text: string): boolean => words.every((word) => plain(text).includes(word));
  const inTitle = articles.filter(({ title }) => isIn(title));
  return [...inTitle, ...articles.filter((one) => !inTitle.includes(one) && isIn(`${one.title} ${one.body}`))];
}
