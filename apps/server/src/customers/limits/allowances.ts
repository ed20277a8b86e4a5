import type { Database, Transaction } from '../../database/index.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import { type Allowance, type AllowanceRule, afterTry, waitOf } from './allowance.ts';
import { clearAllowances, lockAllowances, readAllowances, saveAllowances, sweepAllowances } from './allowance-store.ts';

/** The subject of a limit in plain words: `['login.name', 'somchai']`. Only a keyed hash of it is stored. */
export type Subject = readonly [kind: string, ...parts: string[]];
export interface Limited {
  readonly subject: Subject;
  readonly rule: AllowanceRule;
  /** False: it may refuse the try, and is not spent by it. */
  readonly isCounted?: boolean;
  /** Called with the state after each try that counts, before the transaction ends. */
  readonly onCounted?: (state: Allowance) => void;
}

const SWEEP_AFTER_MS = 2 * 24 * 60 * 60 * 1_000;

export interface Allowances {
  /**
   * Counts one try of every subject, or of none: then the answer names the one with the longest wait. Parallel tries
   * wait for each other, so no burst gets past a limit.
   */
  charge(limited: readonly Limited[], now: Date, transaction?: Transaction): Promise<Blocked | null>;
  /** Milliseconds to wait, without counting a try. */
  wait(limited: readonly Limited[], now: Date, transaction?: Transaction): Promise<number>;
  /** Counts tries even when the limit is already exceeded. */
  count(limited: readonly Limited[], now: Date): Promise<void>;
  forget(subjects: readonly Subject[], transaction?: Transaction): Promise<void>;
  /** Removes counters that no rule needs any more. */
  sweep(now: Date): Promise<void>;
}

export interface Blocked {
  readonly index: number;
  readonly waitMs: number;
}

export function openAllowances(database: Database, keyedHash: KeyedHash): Allowances {
  const hashOf = (subject: Subject): Buffer => keyedHash('allowance', ...subject).subarray(0, 16);
  const keyed = (limited: readonly Limited[]) =>
    limited.map(({ subject, rule }, index) => {
      const hash = hashOf(subject);
      return { index, rule, hash, key: hash.toString('hex') };
    });
  const inTransaction = <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    transaction?: Transaction,
  ): Promise<Result> => (transaction ? work(transaction) : database.transaction(work));

  const addTries = async (
    transaction: Transaction,
    limited: readonly Limited[],
    now: Date,
    evenIfBlocked: boolean,
  ): Promise<Blocked | null> => {
    const entries = keyed(limited);
    const states = await lockAllowances(
      transaction,
      entries.map(({ hash }) => hash),
      now,
    );
    if (!evenIfBlocked) {
      const [longest] = entries
        .map(({ index, key, rule }) => ({ index, waitMs: waitOf(states.get(key) ?? null, rule, now) }))
        .sort((a, b) => b.waitMs - a.waitMs);
      if (longest && longest.waitMs > 0) return longest;
    }
    const counted = entries
      .filter(({ index }) => limited[index]?.isCounted !== false)
      .map(({ index, hash, key, rule }) => ({
        index,
        subject: hash,
        state: afterTry(states.get(key) ?? null, rule, now),
      }));
    await saveAllowances(transaction, counted);
    for (const { index, state } of counted) limited[index]?.onCounted?.(state);
    return null;
  };

  return {
    charge: (limited, now, transaction) => inTransaction((tx) => addTries(tx, limited, now, false), transaction),
    count: async (limited, now) => {
      await database.transaction((tx) => addTries(tx, limited, now, true));
    },
    wait: async (limited, now, transaction) => {
      const entries = keyed(limited);
      const states = await readAllowances(
        transaction ?? database,
        entries.map(({ hash }) => hash),
      );
      return Math.max(0, ...entries.map(({ key, rule }) => waitOf(states.get(key) ?? null, rule, now)));
    },
    forget: (subjects, transaction) => clearAllowances(transaction ?? database, subjects.map(hashOf)),
    sweep: (now) => sweepAllowances(database, new Date(now.getTime() - SWEEP_AFTER_MS)),
  };
}
