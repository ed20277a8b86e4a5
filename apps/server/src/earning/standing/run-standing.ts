import { setTimeout as pause } from 'node:timers/promises';
import { formatMoney, money } from '@sathorn/money';
import { afterRefusal, isStandingLate, type Refusing, standingAmount } from '@sathorn/settlement';
import { uuidOfName } from '../../ledger/index.ts';
import { localDays } from '../../platform/local-day.ts';
import type { StandingDependencies } from './standing.ts';
import {
  boundsOf,
  type DueRow,
  type InstructionRow,
  insertSkip,
  lockInstruction,
  markTold,
  productOf,
  readDueDeposits,
  readDueRenewals,
  readUntold,
} from './standing-store.ts';

const IDLE_MS = 1_000;
const BATCH = 100;
/** How many subscriptions are under way at a time. */
const AT_ONCE = 10;
/** How far back a process that begins to lead looks for deposits: an outage is recorded, however long it was. */
const DEPOSITS_BACK_MS = 7 * 24 * 60 * 60_000;
/** A credit has the time of its beginning, and may be committed after later ones. */
const CREDIT_LATE_MS = 10 * 60_000;

const usdtText = (units: bigint): string => `${formatMoney(money('USDT', units))} USDT`;

/**
 * Subscribes what is due. It is exact through a crash at any point: a subscription is recorded by its own transaction,
 * under the lock of its instruction, so a source is used once, and a skipped one never subscribed later. The notice of
 * an execution is sent again until it is stored.
 */
export function openStandingJob(dependencies: StandingDependencies) {
  const { database, earning, clock, timeZone, messages, stopOf, onFault } = dependencies;
  const days = localDays(timeZone);
  /** Deposits credited before this are dealt with. */
  let since: Date | null = null;

  const skip = (row: InstructionRow, source: DueRow['source'], refusal: string): Promise<void> =>
    database.transaction(async (transaction) => {
      const now = await lockInstruction(transaction, row.id);
      // Another leader, or the customer, was faster.
      if (now?.state !== 'active' || now.attempts !== row.attempts) return;
      await insertSkip(transaction, {
        instruction: row.id,
        number: row.attempts + 1,
        source: source.id,
        units: source.amount.units,
        atMs: clock.now().getTime(),
        refusal,
      });
    });

  const subscribe = async (row: DueRow, now: Date): Promise<Refusing<string> | null> => {
    const product = productOf(row);
    const { id: instruction, customer, kind, source } = row;
    const stop = await stopOf(customer, product === null ? 'liquidity' : 'regular', now);
    if (stop !== null) return stop;
    const amount = standingAmount(boundsOf(row), source);
    // The same source has the same id, in whichever process and however often it is tried.
    const digest = `standing ${instruction} ${source.id}`;
    const decision = await earning.subscribeStanding(
      { customer, product, amount, standing: { instruction, source: source.id, kind } },
      { id: uuidOfName(digest), digest },
    );
    return decision.ok ? null : decision;
  };

  /** Returns false if it is to be tried again. */
  const take = async (row: DueRow): Promise<boolean> => {
    const now = clock.now();
    const refusing = await subscribe(row, now);
    if (refusing === null) return true;
    const after = afterRefusal(refusing, isStandingLate(row.source, days.dayOf(now), now));
    if (after === null) return false;
    await skip(row, row.source, after.skip);
    return true;
  };

  /** Returns how many of these were dealt with. Those of one instruction come one after the other. */
  const takeAll = async (due: readonly DueRow[]): Promise<number> => {
    let taken = 0;
    const first = due.filter(({ id }, n) => due.findIndex((other) => other.id === id) === n);
    for (let n = 0; n < first.length; n += AT_ONCE)
      await Promise.all(
        first.slice(n, n + AT_ONCE).map((row) =>
          take(row).then((isTaken) => {
            if (isTaken) taken += 1;
          }, onFault),
        ),
      );
    return taken;
  };

  const takeRenewals = async (): Promise<void> => {
    await takeAll(await readDueRenewals(database, days.dayOf(clock.now()), BATCH));
  };

  const takeDeposits = async (): Promise<void> => {
    const now = clock.now();
    const from = since ?? new Date(now.getTime() - DEPOSITS_BACK_MS);
    for (;;) {
      const due = await readDueDeposits(database, from, BATCH);
      const taken = await takeAll(due);
      if (due.length === 0) break;
      // What waits for a pause to end keeps its place.
      if (taken === 0) return;
    }
    since = new Date(now.getTime() - CREDIT_LATE_MS);
  };

  const tell = async (): Promise<void> => {
    for (const done of await readUntold(database, BATCH)) {
      const { instruction, number, customer, kind, made, amountMax, units } = done;
      const amount = usdtText(made !== null && amountMax !== null && amountMax < units ? amountMax : units);
      const subject = String(done.product);
      // The notice's id is fixed, so it is stored only once if it is sent again after a crash.
      const id = `standing ${instruction} ${number}`;
      const now = clock.now();
      if (kind === 'renewal')
        await messages.send(customer, made ? 'lockup_renewed' : 'lockup_not_renewed', { subject, amount }, now, id);
      // Somebody who asked for larger ones need not hear of each small one.
      else if (done.refusal !== 'deposit_too_small')
        await messages.send(customer, made ? 'deposit_subscribed' : 'deposit_not_subscribed', { amount }, now, id);
      await markTold(database, done);
    }
  };

  const takeDue = async (): Promise<void> => {
    for (const work of [takeRenewals, takeDeposits, tell]) await work().catch(onFault);
  };

  return {
    takeDue,
    run: (signal: AbortSignal): Promise<void> =>
      database.runAsLeader('standing', signal, async (held) => {
        since = null;
        while (!held.aborted) {
          await takeDue();
          await pause(IDLE_MS, undefined, { signal: held }).catch(() => undefined);
        }
      }),
  };
}
