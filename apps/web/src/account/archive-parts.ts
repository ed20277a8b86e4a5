/** One part of the archive: a route, and whether its answer has pages. */
export interface ArchivePart {
  readonly name: string;
  readonly route: string;
  readonly request: Readonly<Record<string, string>>;
  readonly isPaged: boolean;
}

const one = (name: string, route: string, request: ArchivePart['request'] = {}): ArchivePart => ({
  name,
  route,
  request,
  isPaged: false,
});
const paged = (name: string, route: string, request: ArchivePart['request'] = {}): ArchivePart => ({
  ...one(name, route, request),
  isPaged: true,
});

/**
 * Every call that tells a customer's own data. A test fails for a new one that is missing here. Calls are named by
 * their route, because the archive takes their answers as they are.
 */
export const ARCHIVE_PARTS: readonly ArchivePart[] = [
  one('account', 'GET /users/info'),
  one('level', 'GET /task/level'),
  one('certification', 'GET /users/certification'),
  ...['options', 'contracts', 'earning'].map((product) =>
    one(`consent_${product}`, 'GET /consents/state', { product }),
  ),
  one('limits', 'GET /users/safeguards'),
  one('second_factor', 'GET /users/second'),
  one('sessions', 'GET /users/sessions'),
  paged('sign_ins', 'GET /users/logins'),
  one('devices', 'GET /users/devices'),
  one('api_keys', 'GET /users/keys'),
  one('push', 'GET /users/push'),
  one('payees', 'GET /users/bank'),
  one('balances', 'GET /coin/user/balances'),
  one('daily_totals', 'GET /users/account/days'),
  paged('records', 'GET /users/account/lists', { setup: 'all' }),
  paged('deposits', 'GET /users/account/lists', { setup: 'recharge' }),
  paged('withdrawals', 'GET /users/account/lists', { setup: 'withdraw' }),
  paged('options_holding', 'POST /coin/order/lists', { status: 'holding' }),
  paged('options', 'POST /coin/order/lists', { status: 'history' }),
  paged('contract_orders', 'POST /coin/trans/lists', { status: 'all' }),
  paged('waiting_orders', 'POST /coin/wait/lists', { status: 'all' }),
  one('regular_purchases', 'GET /coin/recur/lists'),
  paged('fills', 'POST /coin/trans/fills', { limit: '500' }),
  ...['liquidity', 'regular'].map((type) => one(`earning_${type}`, 'GET /yuebao/balance', { type })),
  paged('lockups', 'GET /yuebao/order', { type: 'regular' }),
  one('standing_orders', 'GET /yuebao/standing/lists'),
  ...['subscription', 'redemption', 'interest'].map((kind) =>
    paged(`liquidity_${kind}`, 'GET /yuebao/order', { type: 'liquidity', kind }),
  ),
  paged('box_draws', 'GET /box/record'),
  paged('invited', 'GET /users/invites'),
  one('price_alerts', 'GET /users/alerts'),
  paged('notices', 'POST /users/message', { status: 'all' }),
  paged('support', 'GET /support/messages'),
  paged('disputes', 'GET /users/disputes'),
  paged('money_disputes', 'GET /users/disputes/money'),
  paged('corrections', 'GET /users/corrections'),
  paged('looked_at_by_staff', 'GET /users/staff'),
  one('ordered', 'GET /users/ordered'),
  one('signed_head', 'GET /users/account/statement'),
  one('logged_heads', 'GET /users/account/logged'),
  one('liability', 'GET /users/account/liability'),
];

/** What is kept and not in the archive, as the file says it. */
export const LEFT_OUT: readonly string[] = [
  'passwords, recovery codes and keys of sign-in: only digests of them are kept',
  'the word against phishing, which would help whoever finds this file; it is shown under Security',
  'pictures and numbers of identity papers, which are sealed; customer service releases them to you',
];
