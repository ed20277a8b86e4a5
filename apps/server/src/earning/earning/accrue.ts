import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { accept, refuse } from '@sathorn/settlement';
import { customerAccount, HOUSE_OWNER, type JournalKind, type Ledger, uuidOfName } from '../../ledger/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, isConnectionFault, isSerializationFault } from '../../platform/database/index.ts';
import { INCOME_CREDITED_MINUTES, type LocalDays } from '../../platform/local-day.ts';
import {
  type AccrualRow,
  beginPayingDay,
  countIncomeChunk,
  type LiquidityMovement,
  markRedemptionsIssued,
  openAccrualDay,
  payIncomeChunk,
  readDueRedemptions,
  readFirstAccrualDay,
  readLastAccrual,
  readTermsCatalogue,
} from './earning-store.ts';
import { LIQUIDITY_PRODUCT, LOCKUP_PRODUCTS } from './earning-terms.ts';
import { liquidityAccount } from './move-liquidity.ts';
import { availableOfAccount, YIELD_ACCOUNT, YIELD_RESERVED_ACCOUNT } from './yield-fund.ts';

/** Positions that one statement counts and one journal pays. That holds the ledger's lock for about 100 ms. */
const CHUNK_POSITIONS = 4_000;
/** The number of redemptions that one batch of the ledger issues. */
const ISSUED_TOGETHER = 500;
const IDLE_MS = 5_000;
/** Interval of checks while all due days are paid. A day that falls due is paid at once. */
const PAID_LOOK_MS = 60_000;

export interface AccrualDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly days: LocalDays;
  readonly onFault: (error: unknown) => void;
  /** Applies approved terms whose time has come: a day's income must use the terms promised for it. */
  readonly bringTerms?: (now: Date) => Promise<unknown>;
  /** Lets tests stop in the middle of a day. */
  readonly chunkPositions?: number;
  /** Lets tests run without waiting. */
  readonly idleMs?: number;
}

/** The progress that operators see. */
interface AccrualProgress {
  readonly product: number;
  readonly day: number;
  readonly state: AccrualRow['state'];
  readonly positions: number;
  readonly chunks: number;
  readonly chunksPaid: number;
}

export interface Accrual {
  /** Pays all due days, oldest first. Returns false if the ledger is halted or the yield account can't cover a day. */
  accrueDue(signal?: AbortSignal): Promise<boolean>;
  /** Issues normal redemptions of past days and returns how many. */
  issueDue(): Promise<number>;
  progress(): AccrualProgress | null;
  /** Repeats both until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

interface Reservation {
  readonly day: number;
  readonly units: bigint;
}

/** Reserves a day's whole liquidity income or nothing, so that no day is paid in part. */
const reserveDay: JournalKind<Reservation, null, 'yield_uncovered'> = {
  name: 'earning.reserve',
  customer: () => null,
  accounts: () => [YIELD_ACCOUNT, YIELD_RESERVED_ACCOUNT],
  decide: ({ units }, funds) =>
    units > funds.available(YIELD_ACCOUNT)
      ? refuse('yield_uncovered')
      : accept({
          transfers: [
            { kind: 'single', debit: YIELD_ACCOUNT, credit: YIELD_RESERVED_ACCOUNT, units, code: 'yield_reserved' },
          ],
          answer: null,
        }),
  write: (transaction, { accepted }) =>
    accepted.map(({ command: { day, units }, intent }) => beginPayingDay(transaction, day, units, intent.id)),
};

/** Completes a normal redemption. Principal never depends on the yield account's balance. */
const issueRedemption: JournalKind<LiquidityMovement, null, never> = {
  name: 'earning.issue',
  customer: () => null,
  accounts: () => [],
  decide: ({ hold, customer_id, amount: { units } }) => {
    if (hold === null) throw new Error('only a normal redemption is issued');
    const sides = { debit: liquidityAccount(customer_id), credit: customerAccount(customer_id, 'USDT') };
    return accept({
      transfers: [{ kind: 'post', hold: { sequence: hold, ...sides, units }, units, code: 'liquidity_redeemed' }],
      answer: null,
    });
  },
  write: (transaction, { accepted }) => [
    markRedemptionsIssued(
      transaction,
      accepted.map(({ command, intent }) => ({ id: command.id, journal: intent.id })),
    ),
  ],
};

/**
 * The daily accrual. Each step is one transaction that also moves a cursor. So the work may stop at any point and
 * resume, even in two processes at once, and no position is counted or paid twice.
 */
export function openAccruals({
  database,
  ledger,
  bus,
  clock,
  days,
  onFault,
  bringTerms,
  chunkPositions = CHUNK_POSITIONS,
  idleMs = IDLE_MS,
}: AccrualDependencies): Accrual {
  let progress: AccrualProgress | null = null;

  /** The latest day whose income may be credited by now. */
  const lastDue = (): number => {
    const now = clock.now();
    const today = days.dayOf(now);
    return now < days.momentOf(today, INCOME_CREDITED_MINUTES) ? today - 2 : today - 1;
  };

  const look = async (product: number): Promise<AccrualRow | undefined> => {
    const row = await readLastAccrual(database, product);
    if (row) {
      const { day, state, positions, chunks, chunksPaid } = row;
      progress = { product, day, state, positions: Number(positions), chunks, chunksPaid };
    }
    return row;
  };

  /** Opens the product's next unpaid day and returns it; null if none is due. */
  const openNext = async (product: number, until: number): Promise<AccrualRow | null> => {
    const last = await readLastAccrual(database, product);
    if (last && last.state !== 'paid') return last;
    const day = last ? last.day + 1 : await readFirstAccrualDay(database, product);
    if (day === null || day > until) return null;
    const version =
      product === LIQUIDITY_PRODUCT ? (await readTermsCatalogue(database)).liquidityOn(day)?.version : null;
    if (version === undefined) throw new Error(`liquidity has no terms for day ${day}`);
    await openAccrualDay(database, product, day, version);
    return (await look(product)) ?? null;
  };

  const reserve = async ({ day, units }: AccrualRow): Promise<boolean> => {
    if (units === 0n) {
      await database.transaction((transaction) => beginPayingDay(transaction, day, 0n, null));
      return true;
    }
    // Checks the balance before posting: a refused intent stays refused for ever, so a retry would need a new one.
    if (availableOfAccount(await ledger.balances(HOUSE_OWNER), 'yield').units < units) return false;
    const decision = await ledger.post(reserveDay, { day, units }, { id: randomUUID(), digest: `${day}/${units}` });
    return decision.ok;
  };

  /** Returns false if the day must wait. */
  const workOff = async (opened: AccrualRow, signal?: AbortSignal): Promise<boolean> => {
    const { product, day } = opened;
    if (opened.state === 'counting')
      while (!(await countIncomeChunk(database, product, day, chunkPositions))) {
        await look(product);
        if (signal?.aborted) return false;
      }
    const counted = await look(product);
    if (counted?.state === 'waiting' && !(await reserve(counted))) return false;
    for (;;) {
      let isPaid = false;
      const decision = await ledger.payMany(async (transaction) => {
        const customers = await payIncomeChunk(transaction, product, day, 'earning.accrue');
        isPaid = customers === null;
        return customers ?? new Set();
      });
      if (!decision.ok) return false;
      await look(product);
      if (isPaid) return true;
      if (signal?.aborted) return false;
    }
  };

  const accrueProduct = async (product: number, until: number, signal?: AbortSignal): Promise<boolean> => {
    for (;;) {
      const next = await openNext(product, until);
      if (next === null) return true;
      if (!(await workOff(next, signal))) return false;
    }
  };

  const accrueDue = async (signal?: AbortSignal): Promise<boolean> => {
    await bringTerms?.(clock.now());
    const until = lastDue();
    let isDone = true;
    for (const product of [LIQUIDITY_PRODUCT, ...LOCKUP_PRODUCTS])
      isDone = (await accrueProduct(product, until, signal)) && isDone;
    return isDone;
  };

  const issueDue = async (): Promise<number> => {
    const before = lastDue() + 1;
    for (let issued = 0; ; ) {
      const due = await readDueRedemptions(database, before, ISSUED_TOGETHER);
      const decisions = await Promise.all(
        due.map((movement) =>
          ledger.post(issueRedemption, movement, {
            id: uuidOfName(`earning.issue/${movement.id}`),
            digest: String(movement.amount.units),
          }),
        ),
      );
      issued += decisions.filter(({ ok }) => ok).length;
      if (due.length < ISSUED_TOGETHER || decisions.some(({ ok }) => !ok)) return issued;
    }
  };

  return {
    accrueDue,
    issueDue,
    progress: () => progress,
    run: (signal) =>
      database.runAsLeader('accrual', signal, async (held) => {
        // A previous process may have stopped between a commit and its notification.
        bus.emit('gap', clock.now());
        let paid = { until: Number.NEGATIVE_INFINITY, atMs: 0 };
        const accrueOpen = async (): Promise<void> => {
          const [until, atMs] = [lastDue(), clock.now().getTime()];
          // Uses the absolute difference, so that a clock that steps back does not delay the next check.
          if (paid.until === until && Math.abs(atMs - paid.atMs) < PAID_LOOK_MS) return;
          if (await accrueDue(held)) paid = { until, atMs };
        };
        while (!held.aborted) {
          for (const work of [issueDue, accrueOpen])
            await work().catch((error: unknown) => {
              if (isConnectionFault(error)) bus.emit('gap', clock.now());
              if (!isSerializationFault(error)) onFault(error);
            });
          await pause(idleMs, undefined, { signal: held }).catch(() => undefined);
        }
      }),
  };
}
