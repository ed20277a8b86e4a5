import { setTimeout as pause } from 'node:timers/promises';
import { COINS, type CoinCode, formatPrice, price } from '@sathorn/money';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Market } from '../market/index.ts';
import { type FiringRow, markNotified, readCursors, readDue, takeTicks } from './alert-store.ts';

/** Ticks per statement when many were missed. */
const PAGE_MS = 600_000;
const IDLE_MS = 1_000;

export type AlertMarket = Pick<Market, 'coins' | 'lastTick' | 'ticksBetween'>;

export interface WatchDependencies {
  readonly database: Database;
  readonly market: AlertMarket;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'send'>;
  /** Customers who take a break: nothing invites them to trade. */
  readonly readPaused: (queries: Queries, customers: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
  readonly onFault: (error: unknown) => void;
}

export interface Watch {
  /** Compares all new ticks with the alerts and sends the notices; resolves to how many alerts went off. */
  takeDue(): Promise<number>;
  run(signal: AbortSignal): Promise<void>;
}

export function openWatch(dependencies: WatchDependencies): Watch {
  const { database, market, bus, clock, messages, readPaused, onFault } = dependencies;

  const takeCoin = async (coin: CoinCode, from: { sequence: bigint; at: Date } | undefined): Promise<number> => {
    const last = market.lastTick(coin);
    if (last === null) return 0;
    // No alert is older than the first start.
    if (from === undefined) return takeTicks(database, coin, [last]);
    let fired = 0;
    let began = from.at.getTime() + 1;
    while (began <= last.at.getTime()) {
      const ends = Math.min(began + PAGE_MS, last.at.getTime());
      // Their signatures are verified.
      const ticks = await market.ticksBetween(coin, new Date(began), new Date(ends));
      if (ticks.length > 0) fired += await takeTicks(database, coin, ticks);
      began = ends + 1;
    }
    return fired;
  };

  const notify = async (firings: readonly FiringRow[]): Promise<void> => {
    if (firings.length === 0) return;
    const now = clock.now();
    const paused = await readPaused(database, [...new Set(firings.map(({ customer }) => customer))]);
    const wanted = firings.filter(({ customer }) => !paused.has(customer));
    await Promise.all(
      wanted.map((firing) => {
        const { indexDecimals } = COINS[firing.coin as CoinCode];
        const params = {
          coin: firing.coin,
          amount: `${formatPrice(price(firing.price), indexDecimals)} USDT`,
          at: firing.at.toISOString(),
        };
        // Sent again after a crash, it is stored once.
        return messages.send(
          firing.customer,
          firing.side === 'above' ? 'price_above' : 'price_below',
          params,
          now,
          `alert ${firing.id}`,
        );
      }),
    );
    await markNotified(
      database,
      firings.map(({ id }) => id),
      now,
    );
    for (const owner of new Set(firings.map(({ customer }) => customer)))
      bus.emit('alerts', { owner, data: { changed: 1 } });
  };

  const takeDue = async (): Promise<number> => {
    const cursors = await readCursors(database);
    let fired = 0;
    // A coin with a forged tick waits for an operator; other coins continue.
    for (const coin of market.coins()) {
      try {
        fired += await takeCoin(coin, cursors.get(coin));
      } catch (error) {
        onFault(error);
      }
    }
    for (let due = await readDue(database); due.length > 0; due = await readDue(database)) await notify(due);
    return fired;
  };

  return {
    takeDue,
    run: (signal) =>
      database.runAsLeader('alerts', signal, async (held) => {
        let woken = new AbortController();
        const wake = (): void => woken.abort();
        bus.on('ticked', wake);
        try {
          while (!held.aborted) {
            woken = new AbortController();
            await takeDue().catch(onFault);
            await pause(IDLE_MS, undefined, { signal: AbortSignal.any([held, woken.signal]) }).catch(() => undefined);
          }
        } finally {
          bus.off('ticked', wake);
        }
      }),
  };
}
