import { setTimeout as pause } from 'node:timers/promises';
import { COINS, type CoinCode, formatPrice, price } from '@sathorn/money';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Market, PublishedTick } from '../market/index.ts';
import {
  type FiringRow,
  fireAlertsOnNewestTicks,
  fireAlertsOnTicks,
  markFiringsNotified,
  readTickCursors,
  readUnnotifiedFirings,
} from './alert-store.ts';

/** The longest span of ticks per statement, when many were missed. */
const PAGE_MS = 600_000;
const IDLE_MS = 1_000;

type AlertMarket = Pick<Market, 'coins' | 'lastTick' | 'ticksBetween'>;

export interface TickWatchDependencies {
  readonly database: Database;
  readonly market: AlertMarket;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'send'>;
  /** Returns the customers who take a break. They get no notices that invite them to trade. */
  readonly readPaused: (queries: Queries, customers: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
  readonly onFault: (error: unknown) => void;
}

export interface TickWatch {
  /** Compares all new ticks with the alerts and sends the notices; resolves to the number of triggered alerts. */
  takeDue(): Promise<number>;
  run(signal: AbortSignal): Promise<void>;
}

export function openTickWatch(dependencies: TickWatchDependencies): TickWatch {
  const { database, market, bus, clock, messages, readPaused, onFault } = dependencies;

  /** The last processed tick of each coin. Only the leader processes ticks, and the database ignores repeated ones. */
  let cursors: Map<string, Pick<PublishedTick, 'sequence' | 'at'>> | null = null;
  /** True if some triggered alerts may not be notified yet. */
  let isDue = true;

  /** Compares the coin's ticks after `from`, up to `last`, with its alerts. Returns the number of triggered alerts. */
  const takeMissed = async (coin: CoinCode, from: Date, last: PublishedTick): Promise<number> => {
    let fired = 0;
    let began = from.getTime() + 1;
    while (began <= last.at.getTime()) {
      const ends = Math.min(began + PAGE_MS, last.at.getTime());
      // `ticksBetween` verifies their signatures.
      const ticks = await market.ticksBetween(coin, new Date(began), new Date(ends));
      if (ticks.length > 0) fired += await fireAlertsOnTicks(database, coin, ticks);
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
        // The notice's id is fixed, so it is stored only once if it is sent again after a crash.
        return messages.send(
          firing.customer,
          firing.side === 'above' ? 'price_above' : 'price_below',
          params,
          now,
          `alert ${firing.id}`,
        );
      }),
    );
    await markFiringsNotified(
      database,
      firings.map(({ id }) => id),
      now,
    );
    for (const owner of new Set(firings.map(({ customer }) => customer)))
      bus.emit('alerts', { owner, data: { changed: 1 } });
  };

  const takeDue = async (): Promise<number> => {
    cursors ??= new Map(await readTickCursors(database));
    const taken = cursors;
    const next: PublishedTick[] = [];
    let fired = 0;
    // A coin with a forged tick waits for an operator; other coins continue.
    for (const coin of market.coins()) {
      const [last, before] = [market.lastTick(coin), taken.get(coin)];
      if (last === null || (before !== undefined && last.sequence <= before.sequence)) continue;
      // No tick was missed, and this one was verified when it arrived. On the first start, no alert is older than it.
      if (before === undefined || last.sequence === before.sequence + 1n) {
        next.push(last);
        continue;
      }
      try {
        fired += await takeMissed(coin, before.at, last);
        taken.set(coin, last);
      } catch (error) {
        onFault(error);
      }
    }
    if (next.length > 0) fired += await fireAlertsOnNewestTicks(database, next);
    for (const tick of next) taken.set(tick.coin, tick);
    isDue ||= fired > 0;
    while (isDue) {
      const due = await readUnnotifiedFirings(database);
      await notify(due);
      isDue = due.length > 0;
    }
    return fired;
  };

  return {
    takeDue,
    run: (signal) =>
      database.runAsLeader('alerts', signal, async (held) => {
        // The previous leader may have processed more ticks, and may not have sent their notices.
        cursors = null;
        isDue = true;
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
