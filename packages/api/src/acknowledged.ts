/**
 * The facts in answers to a customer that never change. The server signs them (`ack/1`) in its answer, and the
 * customer's device compares them with what it is shown later. Calls are named by their route here, so that the app
 * need not load the tables of all of them.
 */
import type { listAccountRecords } from './account-records.ts';
import type { ResultOf } from './call.ts';
import type { ContractOrder, listContracts, readContract } from './contracts.ts';
import type { DepositChannel, DepositRecord } from './deposits.ts';
import type {
  LockupOrder,
  listEarningOrders,
  listEarningProducts,
  readEarningBalance,
  subscribeEarning,
} from './earning.ts';
import type { OptionOrder } from './options.ts';
import type { listRecurring, Recurring } from './recurring.ts';
import type { listStanding, Standing } from './standing.ts';
import type { listWaiting, placePair, readWaiting, WaitingOrder } from './waiting.ts';
import type { WithdrawalRecord } from './withdrawals.ts';

export interface AcknowledgedThing {
  readonly about:
    | 'order'
    | 'sale'
    | 'waiting'
    | 'recurring'
    | 'lockup'
    | 'standing'
    | 'liquidity_terms'
    | 'withdrawal'
    | 'bank_deposit'
    | 'deposit_address';
  readonly id: string;
  readonly facts: Readonly<Record<string, string | null>>;
  /** When it was accepted; null if the answer does not say. */
  readonly at: string | null;
}

const orderThing = (order: ContractOrder): AcknowledgedThing => ({
  about: 'order',
  id: order.id,
  at: order.created_at,
  facts: {
    code: order.code,
    side: order.side,
    type: order.type,
    tif: order.tif,
    post_only: String(order.post_only),
    price: order.price,
    quantity: order.quantity,
    amount: order.amount,
    maker_fee_rate: order.maker_fee_rate,
    taker_fee_rate: order.taker_fee_rate,
    created_at: order.created_at,
  },
});

/** A sold option; none for any other. */
const saleThings = (order: OptionOrder): AcknowledgedThing[] =>
  order.status !== 'sold' || !order.sale?.sold_at
    ? []
    : [
        {
          about: 'sale',
          id: order.id,
          at: order.sale.sold_at,
          facts: {
            price: order.sell_price,
            start_sequence: order.start_sequence,
            tick: order.end_sequence,
            sold_at: order.sale.sold_at,
          },
        },
      ];

const waitingThing = (order: WaitingOrder): AcknowledgedThing => ({
  about: 'waiting',
  id: order.id,
  at: order.created_at,
  facts: {
    code: order.code,
    side: order.side,
    trigger: order.trigger,
    trigger_price: order.trigger_price,
    type: order.type,
    tif: order.tif,
    post_only: String(order.post_only),
    price: order.price,
    cap: order.cap,
    quantity: order.quantity,
    amount: order.amount,
    maker_fee_rate: order.maker_fee_rate,
    taker_fee_rate: order.taker_fee_rate,
    pair: order.pair,
    armed_at: order.armed_at,
    created_at: order.created_at,
  },
});

const numberText = (number: number | null): string | null => (number === null ? null : String(number));

/** The terms of a regular purchase. */
const recurringThing = (order: Recurring): AcknowledgedThing => ({
  about: 'recurring',
  id: order.id,
  at: order.created_at,
  facts: {
    code: order.code,
    amount: order.amount,
    every: order.every,
    day: numberText(order.day),
    hour: String(order.hour),
    time_zone: order.time_zone,
    price_max: order.price_max,
    times: numberText(order.times),
    created_at: order.created_at,
  },
});

/** The terms of a standing order of earning. */
const standingThing = (order: Standing): AcknowledgedThing => ({
  about: 'standing',
  id: order.id,
  at: order.created_at,
  facts: {
    kind: order.kind,
    order: order.order,
    type: order.type,
    product: order.product,
    rate_min: order.rate_min,
    amount_min: order.amount_min,
    amount_max: order.amount_max,
    created_at: order.created_at,
  },
});

const lockupThing = (order: LockupOrder): AcknowledgedThing => ({
  about: 'lockup',
  id: order.id,
  at: order.at,
  facts: {
    product: order.product,
    amount: order.amount,
    days: String(order.days),
    daily_rate: order.daily_rate,
    total_income: order.total_income,
    start_date: order.start_date,
    end_date: order.end_date,
    created_at: order.at,
  },
});

interface LiquidityTerms {
  readonly version: number;
  readonly effective_from: string;
  readonly stages: readonly { readonly from: string; readonly rate: string }[];
}
const termsThing = ({ version, effective_from, stages }: LiquidityTerms): AcknowledgedThing => ({
  about: 'liquidity_terms',
  id: String(version),
  at: `${effective_from}T00:00:00.000Z`,
  facts: { effective_from, stages: stages.map(({ from, rate }) => `${from} ${rate}`).join(', ') },
});

const withdrawalThing = (record: WithdrawalRecord): AcknowledgedThing => ({
  about: 'withdrawal',
  id: record.id,
  at: record.created_at,
  facts: {
    channel: record.channel,
    amount: record.amount,
    fee: record.fee,
    currency: record.fiat?.currency ?? null,
    currency_amount: record.fiat?.amount ?? null,
    chain: record.payee.chain,
    address: record.payee.address,
    bank: record.payee.bank,
    number: record.payee.number,
    real_name: record.payee.real_name,
    created_at: record.created_at,
    promised_at: record.promised_at,
  },
});

/** Money that arrives after `rate_until` takes another rate, so an order that was credited later is not compared. */
function bankDepositThings({ id, channel, fiat, created_at, finished_at }: DepositRecord): AcknowledgedThing[] {
  if (fiat === null || (finished_at !== null && finished_at > fiat.rate_until)) return [];
  const { currency, amount: currency_amount, rate, rate_until, reference } = fiat;
  const facts = { channel, currency, currency_amount, rate, rate_until, reference, created_at };
  return [{ about: 'bank_deposit', id, at: created_at, facts }];
}

const addressThings = ({ chain, address }: DepositChannel): AcknowledgedThing[] =>
  chain === null || address === null
    ? []
    : [{ about: 'deposit_address', id: chain.code, at: null, facts: { address } }];

type Thing<Item> = Extract<Item, { type: 'regular'; id: string }>;
const isLockup = <Item extends { type: string }>(item: Item): item is Thing<Item> =>
  item.type === 'regular' && 'id' in item;

const THINGS_IN = {
  'POST /coin/order/sell': saleThings,
  'GET /coin/order/info': saleThings,
  'POST /coin/trans/add': (order: ContractOrder) => [orderThing(order)],
  'POST /coin/trans/amend': (order: ContractOrder) => [orderThing(order)],
  'GET /coin/trans/info': (order: ResultOf<typeof readContract>) => [orderThing(order)],
  'POST /coin/trans/close': (order: ContractOrder) => [orderThing(order)],
  'POST /coin/trans/lists': ({ items }: ResultOf<typeof listContracts>) => items.map(orderThing),
  'POST /coin/wait/add': (order: WaitingOrder) => [waitingThing(order)],
  'POST /coin/wait/amend': (order: WaitingOrder) => [waitingThing(order)],
  'POST /coin/wait/close': (order: WaitingOrder) => [waitingThing(order)],
  'POST /coin/wait/pair': ({ waiting, order }: ResultOf<typeof placePair>) => [
    waitingThing(waiting),
    orderThing(order),
  ],
  'POST /coin/wait/lists': ({ items }: ResultOf<typeof listWaiting>) => items.map(waitingThing),
  'GET /coin/wait/info': (order: ResultOf<typeof readWaiting>) => [waitingThing(order)],
  'POST /coin/recur/add': (order: Recurring) => [recurringThing(order)],
  'POST /coin/recur/switch': (order: Recurring) => [recurringThing(order)],
  'POST /coin/recur/close': (order: Recurring) => [recurringThing(order)],
  'GET /coin/recur/lists': ({ items }: ResultOf<typeof listRecurring>) => items.map(recurringThing),
  'GET /coin/recur/info': (order: Recurring) => [recurringThing(order)],
  'POST /yuebao/standing/renew': (order: Standing) => [standingThing(order)],
  'POST /yuebao/standing/deposits': (order: Standing) => [standingThing(order)],
  'POST /yuebao/standing/close': (order: Standing) => [standingThing(order)],
  'GET /yuebao/standing/lists': ({ items }: ResultOf<typeof listStanding>) => items.map(standingThing),
  'GET /yuebao/standing/info': (order: Standing) => [standingThing(order)],
  'POST /yuebao/transfer/in': (result: ResultOf<typeof subscribeEarning>) =>
    isLockup(result) ? [lockupThing(result)] : [],
  'GET /yuebao/order': ({ items }: ResultOf<typeof listEarningOrders>) => items.filter(isLockup).map(lockupThing),
  'GET /yuebao/product': (result: ResultOf<typeof listEarningProducts>) =>
    result.type === 'liquidity' ? [termsThing(result), ...result.upcoming.map(termsThing)] : [],
  'GET /yuebao/balance': (result: ResultOf<typeof readEarningBalance>) =>
    result.type === 'liquidity' && result.terms !== null ? [termsThing(result.terms)] : [],
  'POST /users/extract': (record: WithdrawalRecord) => [withdrawalThing(record)],
  'POST /users/extract/cancel': (record: WithdrawalRecord) => [withdrawalThing(record)],
  'POST /users/extract/answer': (record: WithdrawalRecord) => [withdrawalThing(record)],
  'GET /users/account/lists': ({ items }: ResultOf<typeof listAccountRecords>) =>
    items.flatMap(({ withdrawal, deposit }) => [
      ...(withdrawal ? [withdrawalThing(withdrawal)] : []),
      ...(deposit ? bankDepositThings(deposit) : []),
    ]),
  'POST /pay/submit': bankDepositThings,
  'GET /pay/lists': (channels: readonly DepositChannel[]) => channels.flatMap(addressThings),
};

/** The routes whose answers contain such facts, for example `POST /users/extract`. */
export const ACKNOWLEDGED_ROUTES: readonly string[] = Object.keys(THINGS_IN);

/** The facts that an answer of this route contains; none for another route. */
export function thingsIn(route: string, result: unknown): readonly AcknowledgedThing[] {
  const list = (THINGS_IN as Readonly<Record<string, (result: never) => readonly AcknowledgedThing[]>>)[route];
  return list?.(result as never) ?? [];
}

/** The server signs at most so many in one answer. Longer lists are only compared. */
export const ACKNOWLEDGED_MAX = 4;
