import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { COIN_CODES, type CoinCode, formatMoney, rateFromBasisPoints } from '@sathorn/money';
import {
  endTickOf,
  type OptionTerms,
  type OptionTick,
  settleOption,
  startTickOf,
  voidUntilOf,
} from '@sathorn/settlement';
import type { Ledger } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, isConnectionFault, isSerializationFault, isTimeout } from '../../platform/database/index.ts';
import type { OptionMarket } from '../market/index.ts';
import { optionOrderOf, optionResultOf } from './option-order.ts';
import {
  type HeldOption,
  readDueOrders,
  readSettledOrderIds,
  readVoidedSince,
  type VoidOption,
} from './option-store.ts';
import { type SettlementCommand, settleInOneTransaction } from './settle-in-one-transaction.ts';
import { VoidWatch } from './void-watch.ts';

/** Orders per transaction. During one, purchases wait about 50 ms for the ledger's lock. */
const TOGETHER_MAX = 1_000;
/** While one transaction is posted under the ledger's lock, another is prepared and a third is being sent. */
const UNDER_WAY_MAX = 3;
/** From this many failing orders on, the fault is assumed to affect all orders and not single ones. */
const FAULTS_MAX = 10;
const RETRY_FAULTS_MS = 20_000;
const RETRY_MS = 100;
/** Lost notices older than this are not sent again, because they are no longer news. */
const NOTICES_REPEATED_MS = 86_400_000;
/** Void orders without ticks trigger no event, so the settler searches for them at this interval. */
const IDLE_MS = 1_000;

export interface SettlerDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly market: OptionMarket;
  /** The time up to which no further tick can appear, in ms. */
  readonly readTickWatermark: () => Promise<number>;
  readonly messages: Pick<Messages, 'send'>;
  readonly clock: Clock;
  /** Called with a fault (network, database), after which the work continues. */
  readonly onFault: (error: unknown) => void;
}

export interface Settler {
  /** Settles all orders that the stored ticks decide; returns how many. */
  settleDue(): Promise<number>;
  /** Settles at each tick until the signal aborts; starts by catching up. */
  run(signal: AbortSignal): Promise<void>;
}

/** The terms at the time of purchase. */
export function optionTermsOf(order: HeldOption): OptionTerms {
  return {
    direction: order.direction,
    stake: order.stake,
    payout: rateFromBasisPoints(BigInt(order.payout_bps)),
    feeRate: rateFromBasisPoints(BigInt(order.fee_bps)),
    acceptedMs: Number(order.accepted_ms),
    durationMs: order.duration_ms,
  };
}

export function openSettler({
  database,
  ledger,
  bus,
  market,
  readTickWatermark,
  clock,
  messages,
  onFault,
}: SettlerDependencies): Settler {
  /**
   * Returns the time per coin up to which all ticks are stored. A later tick proves that; without one, the database's
   * clock does, a little later.
   */
  const readDecided = async (): Promise<Map<CoinCode, number>> => {
    const newest = COIN_CODES.map((coin) => [coin, market.newestTickMs(coin) ?? 0] as const);
    const quiet = await readTickWatermark();
    return new Map(newest.map(([coin, ms]) => [coin, Math.max(quiet, ms)]));
  };

  /** Orders that end together need the same ticks. These never change, so they are kept from one page to the next. */
  let ticksRead: { coin: CoinCode; from: number; to: number; ticks: Promise<readonly OptionTick[]> } | undefined;
  const ticksOf = (coin: CoinCode, orders: readonly HeldOption[]): Promise<readonly OptionTick[]> => {
    let [from, to] = [Number.POSITIVE_INFINITY, 0];
    for (const { accepted_ms, ends_ms } of orders) {
      from = Math.min(from, Number(accepted_ms));
      to = Math.max(to, Number(ends_ms));
    }
    if (ticksRead?.coin !== coin || from < ticksRead.from || to > ticksRead.to)
      ticksRead = { coin, from, to, ticks: market.ticksBetween(coin, from, to) };
    return ticksRead.ticks;
  };

  const decide = async (due: readonly HeldOption[]): Promise<SettlementCommand[]> => {
    const commands: SettlementCommand[] = [];
    for (const [coin, orders] of Map.groupBy(due, (order) => order.coin)) {
      // A coin with a forged tick waits for an operator; other coins continue.
      const ticks = await ticksOf(coin, orders).catch(onFault);
      if (!ticks) continue;
      for (const order of orders) {
        const terms = optionTermsOf(order);
        commands.push({ order, settlement: settleOption(terms, startTickOf(terms, ticks), endTickOf(terms, ticks)) });
      }
    }
    return commands;
  };

  const voids = new VoidWatch((customer, count) =>
    onFault(
      new Error(`alarm: customer ${customer} has ${count} void options of the last hour: check how they came about`),
    ),
  );

  /** Notifies the owner of a void order. A failed notice must not stop the others, as the order states the reason. */
  const notifyVoid = (order: VoidOption): Promise<void> =>
    messages
      .send(
        order.customer_id,
        'option_void',
        {
          coin: order.coin,
          amount: `${formatMoney(order.stake)} USDT`,
          at: new Date(Number(order.ends_ms)).toISOString(),
        },
        clock.now(),
        order.id,
      )
      .catch(onFault);

  /** Notifies the owner of a loss to a very late price, who may have the order void. */
  const notifyLate = ({ id, customer_id, coin, stake }: HeldOption, untilMs: number): Promise<void> =>
    messages
      .send(
        customer_id,
        'option_late',
        { coin, amount: `${formatMoney(stake)} USDT`, until: new Date(untilMs).toISOString() },
        clock.now(),
        id,
      )
      .catch(onFault);

  const notify = async ({ order, settlement }: SettlementCommand): Promise<void> => {
    if (bus.hasListeners('orders')) {
      const wire = optionOrderOf({ ...order, ...optionResultOf(settlement, clock.now()) }, false);
      bus.emit('orders', { owner: order.customer_id, data: [wire] });
    }
    const until = voidUntilOf({
      status: settlement.outcome,
      startLateMs: settlement.start?.lateMs ?? 0,
      endLateMs: settlement.end?.lateMs ?? 0,
      settledMs: clock.now().getTime(),
      isVoided: false,
    });
    if (until !== null) await notifyLate(order, until);
    if (settlement.outcome !== 'void') return;
    voids.add(order.customer_id, clock.now().getTime());
    await notifyVoid(order);
  };

  /** Sends missing notices one by one. */
  const repeatVoidNotices = async (signal: AbortSignal): Promise<void> => {
    const orders = await readVoidedSince(database, clock.now().getTime() - NOTICES_REPEATED_MS);
    for (let from = 0; from < orders.length && !signal.aborted; from += TOGETHER_MAX)
      await Promise.all(orders.slice(from, from + TOGETHER_MAX).map(notifyVoid));
  };

  /**
   * The connection was lost, perhaps after the commit. Once the database answers again, the rows show whether the
   * settlement was committed.
   */
  const readWritten = async (commands: readonly SettlementCommand[], journal: string): Promise<SettlementCommand[]> => {
    const ids = commands.map(({ order }) => order.id);
    for (let waitedMs = 0; waitedMs < RETRY_FAULTS_MS; waitedMs += RETRY_MS) {
      try {
        const written = await readSettledOrderIds(database, ids, journal);
        return commands.filter(({ order }) => written.has(order.id));
      } catch (error) {
        if (!isConnectionFault(error)) throw error;
        await pause(RETRY_MS);
      }
    }
    return [];
  };

  /** One pass over all due orders. */
  const settleDue = async (): Promise<number> => {
    const underWay = new Set<Promise<void>>();
    const faults: unknown[] = [];
    let total = 0;
    let isOver = false;

    const notifyAll = async (settled: readonly SettlementCommand[]): Promise<void> => {
      total += settled.length;
      await Promise.all(settled.map(notify));
    };

    const settle = async (commands: readonly SettlementCommand[]): Promise<void> => {
      const journal = randomUUID();
      try {
        const decision = await settleInOneTransaction(ledger, commands, journal, clock.now());
        // Money is halted; the next tick tries the orders again.
        if (!decision.ok) isOver = true;
        else await notifyAll(decision.effect);
      } catch (error) {
        if (isSerializationFault(error)) return settle(commands);
        if (isConnectionFault(error)) {
          await notifyAll(await readWritten(commands, journal));
          // The customers whose accounts moved were not notified, so all clients must read again.
          bus.emit('gap', clock.now());
        }
        const isOrders = !isConnectionFault(error) && !isTimeout(error);
        if (isOrders && commands.length > 1 && faults.length < FAULTS_MAX) {
          // One order has a bug. Halving the batch isolates it, so that the others are settled.
          const middle = Math.ceil(commands.length / 2);
          await settle(commands.slice(0, middle));
          return settle(commands.slice(middle));
        }
        faults.push(error);
        isOver ||= !isOrders || faults.length >= FAULTS_MAX;
      }
    };

    ticksRead = undefined;
    const pages = readDueOrders(database, await readDecided(), TOGETHER_MAX);
    try {
      let next = pages.next();
      for (;;) {
        const { done, value: due } = await next;
        if (done) break;
        // Starts reading the next page while the current one is being settled.
        next = pages.next();
        next.catch(() => undefined);
        const work = settle(await decide(due)).finally(() => underWay.delete(work));
        underWay.add(work);
        if (underWay.size >= UNDER_WAY_MAX) await Promise.race(underWay);
        if (isOver) break;
      }
    } finally {
      await Promise.all(underWay);
    }
    if (faults.length > 0) throw faults[0];
    return total;
  };

  const run = (signal: AbortSignal): Promise<void> =>
    database.runAsLeader('settler', signal, async (held) => {
      // A previous settler may have stopped between a commit and its notification.
      bus.emit('gap', clock.now());
      let woken = new AbortController();
      const wake = (): void => woken.abort();
      bus.on('ticked', wake);
      const repeating = repeatVoidNotices(held).catch(onFault);
      try {
        while (!held.aborted) {
          woken = new AbortController();
          await settleDue().catch(onFault);
          voids.sweep(clock.now().getTime());
          await pause(IDLE_MS, undefined, { signal: AbortSignal.any([held, woken.signal]) }).catch(() => undefined);
        }
      } finally {
        bus.off('ticked', wake);
        await repeating;
      }
    });

  return { settleDue, run };
}
