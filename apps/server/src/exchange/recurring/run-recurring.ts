import { setTimeout as pause } from 'node:timers/promises';
import { formatMoney, money } from '@sathorn/money';
import { type Calendar, decideRecurring, newestRecurringTime, recurringTimeAfter } from '@sathorn/settlement';
import { uuidOfName } from '../../ledger/index.ts';
import type { RecurringDependencies } from './recurring.ts';
import {
  advanceInstruction,
  findInstruction,
  type InstructionRow,
  insertSkip,
  listExecutionRows,
  lockRecurring,
  readDue,
} from './recurring-store.ts';

const IDLE_MS = 1_000;
const BATCH = 100;
/** How many purchases are under way at a time. */
const AT_ONCE = 10;
/** Refusals after which the same purchase is tried again: they say nothing about the customer or the price. */
const TRY_AGAIN: ReadonlySet<string> = new Set(['recurring_not_due', 'money_halted']);

/**
 * Buys what is due. It is exact through a crash at any point: an order is recorded by its own transaction, under the
 * lock of its instruction and with the next number, so the same number is never bought twice, and a skipped one never
 * bought later. What follows an execution, the notice and the next time, is done again until it is stored.
 */
export function openRecurringJob(dependencies: RecurringDependencies, calendarOf: (timeZone: string) => Calendar) {
  const { database, contracts, index, clock, messages, stopOf, onFault } = dependencies;

  /** After an execution: says what was skipped, then sets the next time, by which it is done. */
  const finish = async (row: InstructionRow): Promise<void> => {
    const [last] = row.attempts === 0 ? [] : await listExecutionRows(database, row.id, null, 1);
    if (last !== undefined && last.refusal !== null) {
      const params = {
        coin: row.coin,
        amount: `${formatMoney(money('USDT', row.amount))} USDT`,
        at: new Date(last.atMs).toISOString(),
      };
      // The notice's id is fixed, so it is stored only once if it is sent again after a crash.
      const id = `recurring ${row.id} ${last.number}`;
      await messages.send(row.customer, 'recurring_skipped', params, clock.now(), id);
    }
    const next = recurringTimeAfter(row, row.lastDay, calendarOf(row.timeZone));
    await advanceInstruction(database, row, next.at.getTime());
  };

  const skip = (row: InstructionRow, day: number, refusal: string): Promise<void> =>
    database.transaction(async (transaction) => {
      const now = (await lockRecurring(transaction, [row.id])).get(row.id);
      // Another leader, or the customer, was faster.
      if (now?.state !== 'active' || now.attempts !== row.attempts || now.lastDay !== row.lastDay) return;
      const atMs = clock.now().getTime();
      await insertSkip(transaction, { instruction: row.id, number: row.attempts + 1, day, atMs, refusal });
    });

  /** Sends the purchase that is due to the book, or says why it is skipped; null if it is to be tried again. */
  const buy = async (row: InstructionRow, at: Date, day: number): Promise<string | null> => {
    const { id, customer, coin, priceMax } = row;
    const now = clock.now();
    const decided = decideRecurring({
      at,
      now,
      coin,
      priceMax,
      stop: await stopOf(customer, coin, now),
      index: index.isStale(coin, now) ? null : index.lastPrice(coin),
    });
    if (!decided.ok) return decided.refusal;
    const number = row.attempts + 1;
    const digest = `recurring ${id} ${number}`;
    const placed = await contracts.buyRecurring(
      customer,
      { coin, amount: money('USDT', row.amount), priceMax },
      { id, number, day },
      { id: uuidOfName(digest), digest },
    );
    return placed.ok || TRY_AGAIN.has(placed.refusal) ? null : placed.refusal;
  };

  const take = async (row: InstructionRow): Promise<void> => {
    const { at, day } = newestRecurringTime(row, clock.now(), calendarOf(row.timeZone));
    if (row.nextMs !== null && day > row.lastDay) {
      const refusal = await buy(row, at, day);
      if (refusal !== null) await skip(row, day, refusal);
      const after = await findInstruction(database, row.id);
      // Still due: it is tried again at the next look.
      if (after?.attempts === row.attempts || after?.state !== 'active') return;
      return finish(after);
    }
    await finish(row);
  };

  const takeDue = async (): Promise<number> => {
    const due = await readDue(database, clock.now().getTime(), BATCH);
    for (let n = 0; n < due.length; n += AT_ONCE)
      await Promise.all(due.slice(n, n + AT_ONCE).map((row) => take(row).catch(onFault)));
    return due.length;
  };

  return {
    takeDue,
    run: (signal: AbortSignal): Promise<void> =>
      database.runAsLeader('recurring', signal, async (held) => {
        while (!held.aborted) {
          await takeDue().catch(onFault);
          await pause(IDLE_MS, undefined, { signal: held }).catch(() => undefined);
        }
      }),
  };
}
