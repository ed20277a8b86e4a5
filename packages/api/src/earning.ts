import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, decimalText, fieldFault, id, isoTime, pagedListOf, pageField, usdtAmount } from './fields.ts';
import { paymentPassword } from './person-fields.ts';
import { PLAY_REFUSALS } from './refusals.ts';
import { nextRules } from './rules.ts';

const EARNING_TYPES = ['liquidity', 'regular'] as const;
const type = v.optional(choiceOf(EARNING_TYPES), 'liquidity');

/** A date in the brand's calendar. */
const localDate = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/));
const localDateField = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, fieldFault('malformed')),
);

/**
 * The state of a product: open to subscriptions, or closed because it is not sold here, by its terms, because its quota
 * is used up, or because the yield account cannot cover it.
 */
const EARNING_STATES = ['open', 'no_licence', 'closed', 'sold_out', 'uncovered'] as const;
export type EarningState = (typeof EARNING_STATES)[number];
const state = v.picklist(EARNING_STATES);

/** The current state of the yield account. */
const fund = v.object({
  /** The part that is not promised yet. */
  available: decimalText,
  /** The part reserved for open lock-ups and for days that are being paid. */
  reserved: decimalText,
  /** The cost of liquidity per day. */
  liquidity_daily: decimalText,
  /** The number of days for which the available part covers liquidity; null if liquidity costs nothing. */
  days: v.nullable(v.number()),
  days_min: v.number(),
  /** The first day whose income is delayed because the account cannot pay all of it. */
  waiting: v.nullable(localDate),
});
export type YieldFund = v.InferOutput<typeof fund>;

const stage = v.object({ from: decimalText, rate: decimalText });
const stages = v.array(stage);
const liquidityTerms = v.object({
  version: v.number(),
  effective_from: localDate,
  offered: v.boolean(),
  min: decimalText,
  stages,
});
const lockupTerms = v.object({
  version: v.number(),
  effective_from: localDate,
  offered: v.boolean(),
  daily_rate: decimalText,
  min: decimalText,
  max: decimalText,
  quota: decimalText,
});

const liquidityProduct = v.object({
  type: v.literal('liquidity'),
  state,
  fund,
  ...liquidityTerms.entries,
  /** Future terms, soonest first. */
  upcoming: v.array(liquidityTerms),
});
export type LiquidityProduct = v.InferOutput<typeof liquidityProduct>;

const lockupProduct = v.object({
  id: v.string(),
  name: v.string(),
  days: v.number(),
  state,
  quota_left: decimalText,
  ...lockupTerms.entries,
  upcoming: v.array(lockupTerms),
});
export type LockupProduct = v.InferOutput<typeof lockupProduct>;

export const listEarningProducts = call('GET /yuebao/product', {
  who: 'anyone',
  summary: 'What can be subscribed: the stages of liquidity, or the lock-ups (type=regular), with what covers them.',
  request: v.object({ type }),
  result: v.union([liquidityProduct, v.object({ type: v.literal('regular'), fund, products: v.array(lockupProduct) })]),
});

/** The standing order that made this subscription, and the lock-up or deposit from which it was made. */
const standing = v.nullable(
  v.object({ id: v.string(), kind: v.picklist(['renewal', 'deposits']), source: v.string() }),
);

const dayIncome = v.object({ day: localDate, income: decimalText, state: v.picklist(['paid', 'waiting']) });

const LIQUIDITY_RECORD_STATES = ['pending', 'confirmed'] as const;
const liquidityRecord = v.object({
  type: v.literal('liquidity'),
  id: v.string(),
  kind: v.picklist(['subscription', 'redemption', 'interest']),
  speed: v.nullable(v.picklist(['quick', 'normal'])),
  amount: decimalText,
  state: v.picklist(LIQUIDITY_RECORD_STATES),
  at: isoTime,
  /** The local day on which a subscription starts to earn, or for which interest is paid. */
  day: localDate,
  /** The latest arrival of a pending redemption. */
  latest_at: v.nullable(isoTime),
  standing,
});
export type LiquidityRecord = v.InferOutput<typeof liquidityRecord>;

export const liquidityBalance = v.object({
  type: v.literal('liquidity'),
  /** The whole balance without pending redemptions. */
  balance: decimalText,
  /** The part that earns today. */
  earning: decimalText,
  pending: decimalText,
  available: decimalText,
  /** The blended annual rate of the balance. */
  rate: decimalText,
  cumulative: decimalText,
  yesterday: decimalText,
  today: localDate,
  today_in: decimalText,
  today_out: decimalText,
  quick_left: decimalText,
  quick_cap: decimalText,
  /** The last 30 days, oldest first; days without income are zero. */
  days: v.array(dayIncome),
  /** Pending redemptions. */
  redemptions: v.array(liquidityRecord),
  /** The terms in force today; null before the first ones. */
  terms: v.nullable(liquidityTerms),
});
export type LiquidityBalance = v.InferOutput<typeof liquidityBalance>;

export const lockupBalance = v.object({
  type: v.literal('regular'),
  available: decimalText,
  /** The principal of open orders. */
  invested: decimalText,
  /** Paid by open orders so far. */
  earned: decimalText,
  /** Still to be paid by open orders. */
  promised: decimalText,
  /** Paid by all orders so far. */
  cumulative: decimalText,
  /** Income per full day of all open orders. */
  daily: decimalText,
  orders: v.number(),
});

export const readEarningBalance = call('GET /yuebao/balance', {
  who: 'customer',
  summary: 'What the customer has in liquidity, or in lock-ups (type=regular), and what it earned.',
  request: v.object({ type }),
  result: v.union([liquidityBalance, lockupBalance]),
});

const lockupOrder = v.object({
  type: v.literal('regular'),
  id: v.string(),
  product: v.string(),
  /** The principal. */
  amount: decimalText,
  days: v.number(),
  daily_rate: decimalText,
  /** Income per full day, rounded down. Some days pay one unit more. */
  daily_income: decimalText,
  /** Paid so far. */
  earned: decimalText,
  /** The whole yield of the order. */
  total_income: decimalText,
  days_paid: v.number(),
  start_date: localDate,
  /** The principal and the last income are paid on this day at 00:30. */
  end_date: localDate,
  at: isoTime,
  status: v.picklist(['processing', 'complete']),
  standing,
});
export type LockupOrder = v.InferOutput<typeof lockupOrder>;

const lockupOrderDetail = v.object({
  ...lockupOrder.entries,
  /** The lock-up that renewed this one. */
  renewed_by: v.nullable(v.string()),
  /** Newest first. */
  incomes: v.array(dayIncome),
});

export const listEarningOrders = call('GET /yuebao/order', {
  who: 'customer',
  summary: 'Subscriptions, redemptions and interest of liquidity, or lock-up orders (type=regular); one by its id.',
  request: v.object({
    type,
    id: v.optional(id),
    kind: v.optional(choiceOf(['subscription', 'redemption', 'interest'])),
    page: pageField('[nd][0-9]{1,18}'),
  }),
  result: pagedListOf(v.union([liquidityRecord, lockupOrderDetail, lockupOrder])),
  refusals: ['order_unknown'],
});

export const readEarningRules = call('GET /yuebao/rule', {
  who: 'anyone',
  summary: 'The rules, with a worked example.',
  request: v.object({ type }),
  result: v.object({ content: v.string(), next: nextRules }),
});

/** Identifies a quote's terms and day. The next request repeats it, and is refused if either has changed. */
const quoteName = v.pipe(v.string(), v.regex(/^[0-9]{1,9}\.[0-9]{1,9}$/, fieldFault('malformed')));

const liquiditySubscriptionQuote = v.object({
  type: v.literal('liquidity'),
  quote: v.string(),
  amount: decimalText,
  available: decimalText,
  available_after: decimalText,
  balance: decimalText,
  balance_after: decimalText,
  rate: decimalText,
  rate_after: decimalText,
  /** The whole position's income per day after the subscription. */
  daily_after: decimalText,
  start_date: localDate,
  first_income_at: isoTime,
});
export type LiquiditySubscriptionQuote = v.InferOutput<typeof liquiditySubscriptionQuote>;

const lockupSubscriptionQuote = v.object({
  type: v.literal('regular'),
  quote: v.string(),
  product: v.string(),
  amount: decimalText,
  available: decimalText,
  available_after: decimalText,
  days: v.number(),
  daily_rate: decimalText,
  daily_income: decimalText,
  total_income: decimalText,
  start_date: localDate,
  end_date: localDate,
  first_income_at: isoTime,
  /** The time at which the principal is returned with the last income. */
  ends_at: isoTime,
  fund,
});
export type LockupSubscriptionQuote = v.InferOutput<typeof lockupSubscriptionQuote>;

/** A lock-up's term in days. */
const productName = v.pipe(v.string(), v.regex(/^[0-9]{1,3}$/, fieldFault('malformed')));
const subscription = { amount: usdtAmount, type, product: v.optional(productName) };
const SUBSCRIPTION_REFUSALS = [
  'paused',
  'earning_not_offered',
  'product_unknown',
  'account_frozen',
  'below_minimum',
  'above_maximum',
  'exceeds_balance',
  'sold_out',
  'yield_uncovered',
] as const;

export const quoteSubscription = call('GET /yuebao/transfer/in', {
  who: 'customer',
  summary: 'What a subscription would earn and when it begins. Nothing is moved.',
  request: v.object(subscription),
  result: v.union([liquiditySubscriptionQuote, lockupSubscriptionQuote]),
  refusals: SUBSCRIPTION_REFUSALS,
});

export const subscribeEarning = call('POST /yuebao/transfer/in', {
  who: 'customer',
  summary: 'Subscribe: liquidity, or a lock-up (type=regular) of a product.',
  movesMoney: true,
  request: v.object({ ...subscription, quote: v.optional(quoteName) }),
  result: v.union([liquidityRecord, lockupOrder]),
  refusals: [...SUBSCRIPTION_REFUSALS, 'quote_outdated', 'consent_required', ...PLAY_REFUSALS],
});

/** The speed defaults to `normal`, because a normal redemption forfeits no interest. */
const redemption = { amount: usdtAmount, speed: v.optional(choiceOf(['quick', 'normal']), 'normal') };
const REDEMPTION_REFUSALS = [
  'account_frozen',
  'amount_not_positive',
  'exceeds_liquidity',
  'quick_cap_reached',
] as const;

const redemptionQuote = v.object({
  quote: v.string(),
  speed: v.picklist(['quick', 'normal']),
  amount: decimalText,
  /** The part that does not earn yet. It is redeemed first. */
  from_fresh: decimalText,
  arrives_at: isoTime,
  latest_at: isoTime,
  /** Today's income that the customer forgoes; zero for a normal redemption. */
  forgone: decimalText,
  /** Today's income that the amount still earns; zero for a quick redemption. */
  kept: decimalText,
  balance: decimalText,
  balance_after: decimalText,
  rate: decimalText,
  rate_after: decimalText,
  available: decimalText,
  /** The available balance once the redemption has arrived. */
  available_after: decimalText,
  quick_left: decimalText,
  quick_left_after: decimalText,
});
export type RedemptionQuote = v.InferOutput<typeof redemptionQuote>;

export const quoteRedemption = call('GET /yuebao/transfer/out', {
  who: 'customer',
  summary: 'When a redemption arrives, and what interest it gives up. Nothing is moved.',
  request: v.object(redemption),
  result: redemptionQuote,
  refusals: REDEMPTION_REFUSALS,
});

export const redeemLiquidity = call('POST /yuebao/transfer/out', {
  who: 'customer',
  summary: 'Redeem from liquidity: quick, or normal with that day’s interest. The payment password confirms it.',
  movesMoney: true,
  request: v.object({ ...redemption, quote: v.optional(quoteName), paypass: paymentPassword }),
  result: liquidityRecord,
  refusals: [...REDEMPTION_REFUSALS, 'quote_outdated', 'paypass_not_set', 'paypass_wrong', 'paypass_locked'],
});

/** One day's income with everything needed to recompute it. Sums are integers as decimal strings. */
const incomeReceipt = v.object({
  type: v.picklist(EARNING_TYPES),
  /** The lock-up order; null for liquidity. */
  order: v.nullable(v.string()),
  day: localDate,
  asset: v.literal('USDT'),
  /** The units that earned on that day. */
  base: v.string(),
  version: v.number(),
  effective_from: localDate,
  /** Annual rates by stage for liquidity, or the daily rate of a lock-up, in units of 10^-8. */
  stages: v.nullable(v.array(v.object({ from: v.string(), rate: v.string() }))),
  daily_rate: v.nullable(v.string()),
  /** The number of this day within the order, and the order's number of days. */
  nth: v.nullable(v.number()),
  days: v.nullable(v.number()),
  carry_before: v.string(),
  units: v.string(),
  carry_after: v.string(),
  total_after: v.string(),
  state: v.picklist(['paid', 'waiting']),
  /** Null if there was nothing to pay or if it is not paid yet. */
  transfer: v.nullable(v.object({ sequence: v.string(), journal: v.string(), units: v.string(), at: isoTime })),
});
export type IncomeReceipt = v.InferOutput<typeof incomeReceipt>;

export const readIncome = call('GET /yuebao/income', {
  who: 'customer',
  summary: 'The receipt of one day’s income, of liquidity or of a lock-up order (type=regular, id).',
  request: v.object({ type, id: v.optional(id), day: localDateField }),
  result: incomeReceipt,
  refusals: ['order_unknown', 'income_unknown'],
});
