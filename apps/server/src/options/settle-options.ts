import { setTimeout as pause } from 'node:timers/promises';
import { COIN_CODES, type CoinCode, money, rateFromBasisPoints } from '@sathorn/money';
import { endTickOf, type OptionTerms, type OptionTick, settleOption, startTickOf } from '@sathorn/settlement';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Messages } from '../messages/index.ts';
import type { OptionMarket } from './option-market.ts';
import { optionOrderOf, resultOf } from './option-order.ts';
import { type HeldOption, readDueOrders } from './option-store.ts';
import { type SettlementCommand, settlementIntent, settlementKind } from './settlement.ts';

/** Orders of one pass: their postings join the ledger's batches. */
const PASS_MAX = 20_000;
/** Without ticks there is no event to wait for; orders that are void for want of ticks wait this long at most. */
const IDLE_MS = 1_000;

export interface SettlerDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly market: OptionMarket;
  /** The moment up to which no tick can appear any more, in ms. */
  readonly readQuietUntil: () => Promise<number>;
  readonly messages: Pick<Messages, 'send'>;
  readonly clock: Clock;
  /** A fault (network, database) after which the work goes on. */
  readonly onFault: (error: unknown) => void;
}

export interface Settler {
  /** Settles all that is decided by the kept ticks; how many. */
  settleDue(): Promise<number>;
  /** Settles at each tick until the signal aborts; catches up first. */
  run(signal: AbortSignal): Promise<void>;
}

function termsOf(order: HeldOption): OptionTerms {
  return {
    direction: order.direction,
    stake: money('USDT', order.stake),
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
  readQuietUntil,
  clock,
  messages,
  onFault,
}: SettlerDependencies): Settler {
  const kind = settlementKind();

  /** A later tick shows that all up to the end are kept; without one, the database's clock does, a little later. */
  const readDecided = async (): Promise<Map<CoinCode, number>> => {
    const [quiet, newest] = await Promise.all([readQuietUntil(), market.newestTicks()]);
    return new Map(COIN_CODES.map((coin) => [coin, Math.max(quiet, newest.get(coin) ?? 0)]));
  };

  const ticksOf = async (coin: CoinCode, orders: readonly HeldOption[]): Promise<readonly OptionTick[]> => {
    const from = Math.min(...orders.map(({ accepted_ms }) => Number(accepted_ms)));
    const to = Math.max(...orders.map(({ ends_ms }) => Number(ends_ms)));
    return market.ticksBetween(coin, from, to);
  };

  const decide = async (due: readonly HeldOption[]): Promise<SettlementCommand[]> => {
    const commands: SettlementCommand[] = [];
    for (const [coin, orders] of Map.groupBy(due, (order) => order.coin)) {
      const ticks = await ticksOf(coin, orders);
      for (const order of orders) {
        const terms = termsOf(order);
        commands.push({ order, settlement: settleOption(terms, startTickOf(terms, ticks), endTickOf(terms, ticks)) });
      }
    }
    return commands;
  };

  const tell = async ({ order, settlement }: SettlementCommand): Promise<void> => {
    if (settlement.outcome !== 'void' && bus.listenerCount('order') === 0) return;
    const wire = optionOrderOf({ ...order, ...resultOf(settlement) }, false);
    bus.emit('order', { owner: order.customer_id, order: wire });
    if (settlement.outcome !== 'void') return;
    const notice = { coin: order.coin, amount: `${wire.quantity} USDT`, at: wire.end_time };
    // The money is back and the order says why; a notice that can't be written must not stop the others.
    await messages.send(order.customer_id, 'option_void', notice, clock.now()).catch(onFault);
  };

  /** How many were due, and how many of them are settled now. */
  const pass = async (): Promise<{ due: number; settled: number }> => {
    const due = await readDueOrders(database, await readDecided(), PASS_MAX);
    const commands = await decide(due);
    const settled = await Promise.all(
      commands.map(async (command) => {
        const decision = await ledger.post(kind, command, settlementIntent(command.order.id));
        // A halt of money leaves the order holding; it is tried again at the next tick.
        if (!decision.ok) return 0;
        await tell(command);
        return 1;
      }),
    );
    return { due: due.length, settled: settled.reduce<number>((sum, one) => sum + one, 0) };
  };

  const settleDue = async (): Promise<number> => {
    let total = 0;
    for (;;) {
      const { due, settled } = await pass();
      total += settled;
      if (due < PASS_MAX || settled === 0) return total;
    }
  };

  const run = (signal: AbortSignal): Promise<void> =>
    database.asSingle('settler', signal, async (held) => {
      let woken = new AbortController();
      const wake = (): void => woken.abort();
      bus.on('ticked', wake);
      try {
        while (!held.aborted) {
          woken = new AbortController();
          await settleDue().catch(onFault);
          await pause(IDLE_MS, undefined, { signal: AbortSignal.any([held, woken.signal]) }).catch(() => undefined);
        }
      } finally {
        bus.off('ticked', wake);
      }
    });

  return { settleDue, run };
}
