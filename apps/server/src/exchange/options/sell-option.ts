import { setTimeout as pause } from 'node:timers/promises';
import { type CoinCode, formatMoney, type Money } from '@sathorn/money';
import {
  accept,
  type Decision,
  OPTION_GAP_MAX_MS,
  optionBidOf,
  optionEndMs,
  QUOTE_AGE_MAX_MS,
  refuse,
  SALE_TAKEN_AFTER_MS,
  type SaleRefusal,
  type StepTick,
  saleSpreadOf,
  saleUntilMs,
} from '@sathorn/settlement';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { OptionMarket } from '../market/index.ts';
import { saleTermsOf } from './option-order.ts';
import { type OptionRow, readOptionOrder } from './option-store.ts';
import type { SaleCommand } from './sale-kind.ts';
import { optionTermsOf } from './settle-options.ts';

interface SaleReads {
  readonly database: Database;
  readonly market: OptionMarket;
  readonly clock: Clock;
}

/** A tick that takes longer than this makes the index stale. */
const AWAITED_MAX_MS = 4_000;
const LOOK_MS = 50;

/** Resolves once this process knows a tick of this moment or later, or after some seconds without one. */
async function awaitTick(coin: CoinCode, ms: number, { market }: SaleReads): Promise<void> {
  const giveUp = AbortSignal.timeout(AWAITED_MAX_MS);
  while (!giveUp.aborted && (market.newestTickMs(coin) ?? 0) < ms) await pause(LOOK_MS);
}

const startOf = async (order: OptionRow, market: OptionMarket): Promise<StepTick | null> => {
  const accepted = Number(order.accepted_ms);
  const ticks = await market.stepTicksBetween(order.coin, accepted, accepted + OPTION_GAP_MAX_MS);
  return ticks.find(({ atMs }) => atMs > accepted) ?? null;
};

/** Reads what a sale is decided by. Waits for the tick that takes it, unless the order can't be sold anyway. */
export async function readSale(
  asked: { readonly customer: bigint; readonly id: string; readonly price: Money<'USDT'>; readonly sequence: bigint },
  arrivedMs: number,
  reads: SaleReads,
): Promise<SaleCommand> {
  const { database, market } = reads;
  const { customer, id, price, sequence } = asked;
  const order = await readOptionOrder(database, id, customer);
  const nothing = { customer, id, price, arrivedMs, order, start: null, quoted: undefined, newest: undefined };
  if (order?.status !== 'holding' || saleTermsOf(order) === null) return nothing;
  if (arrivedMs > optionEndMs(optionTermsOf(order))) return nothing;
  const takenMs = arrivedMs + SALE_TAKEN_AFTER_MS;
  await awaitTick(order.coin, takenMs, reads);
  const [start, ticks] = await Promise.all([
    startOf(order, market),
    market.stepTicksBetween(order.coin, arrivedMs - QUOTE_AGE_MAX_MS, takenMs + AWAITED_MAX_MS),
  ]);
  const quoted = ticks.find((tick) => tick.sequence === sequence);
  return { ...nothing, start, quoted, newest: ticks.find(({ atMs }) => atMs >= takenMs) };
}

export interface OptionBid {
  readonly price: string;
  readonly tick: string;
  readonly spread: string;
  readonly profit: string;
  readonly until: string;
}

/** The price by the newest tick, for programs: apps compute it themselves from the live ticks. */
export async function readBid(
  customer: bigint,
  id: string,
  { database, market, clock }: SaleReads,
): Promise<Decision<OptionBid, Exclude<SaleRefusal, 'price_moved'>>> {
  const order = await readOptionOrder(database, id, customer);
  if (order === undefined) return refuse('order_unknown', { field: 'id' });
  if (order.status !== 'holding') return refuse('order_settled');
  const [sale, terms, nowMs] = [saleTermsOf(order), optionTermsOf(order), clock.now().getTime()];
  if (sale === null) return refuse('sale_not_offered');
  if (market.isStale(order.coin, clock.now())) return refuse('index_stale');
  const [start, ticks] = await Promise.all([
    startOf(order, market),
    market.stepTicksBetween(order.coin, nowMs - AWAITED_MAX_MS, nowMs),
  ]);
  const tick = ticks.at(-1);
  if (tick === undefined) return refuse('index_stale');
  if (start === null || tick.sequence < start.sequence) return refuse('sale_too_early');
  const untilMs = saleUntilMs(terms, sale);
  if (Math.max(nowMs, tick.atMs) > untilMs) return refuse('sale_closed');
  const bid = optionBidOf(terms, sale, start, tick);
  if (bid === null) return refuse('sale_worthless');
  const profit = bid.units - order.stake.units;
  return accept({
    price: formatMoney(bid),
    tick: tick.sequence.toString(),
    spread: formatMoney(saleSpreadOf(order.stake, sale)),
    profit: formatMoney({ ...bid, units: profit as typeof bid.units }),
    until: new Date(untilMs).toISOString(),
  });
}
