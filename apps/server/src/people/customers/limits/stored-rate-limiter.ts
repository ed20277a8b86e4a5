import type { Database, Transaction } from '../../../platform/database/index.ts';
import { REMEMBERED_SUBJECTS, RecentMap } from '../../../platform/recent-map.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import {
  clearLimitStates,
  lockLimitStates,
  readLimitStates,
  saveLimitStates,
  sweepLimitStates,
} from './limit-store.ts';
import {
  isOfGuesses,
  type LimitState,
  limitStateAfterTry,
  type RateLimit,
  retryAfterMs,
  stricterLimitState,
} from './rate-limit.ts';

/** The counted subject in plain text, such as `['login.name', 'somchai']`. Only its keyed hash is stored. */
export type LimitSubject = readonly [kind: string, ...parts: string[]];
export interface LimitedSubject {
  readonly subject: LimitSubject;
  readonly limit: RateLimit;
  /** False if this limit may refuse the try but does not count it. */
  readonly isCounted?: boolean;
  /** Called with the new state after each counted try, before the transaction ends. */
  readonly onCounted?: (state: LimitState) => void;
}

const SWEEP_AFTER_MS = 2 * 24 * 60 * 60 * 1_000;

export interface StoredRateLimiter {
  /**
   * Counts one try for every subject. If a limit refuses, counts none and returns the subject with the longest wait.
   * Parallel tries are serialised, so no burst exceeds a limit.
   */
  take(subjects: readonly LimitedSubject[], now: Date, transaction?: Transaction): Promise<ExceededLimit | null>;
  /** Returns the longest wait in milliseconds without counting a try; 0 when a try is allowed. */
  retryAfterMs(subjects: readonly LimitedSubject[], now: Date, transaction?: Transaction): Promise<number>;
  /** Counts tries even when a limit is exceeded. */
  takeRegardless(subjects: readonly LimitedSubject[], now: Date): Promise<void>;
  reset(subjects: readonly LimitSubject[], transaction?: Transaction): Promise<void>;
  /** Removes counters that no limit needs. */
  sweep(now: Date): Promise<void>;
}

/** A limit that refused a try. */
export interface ExceededLimit {
  /** The index of the subject among those given. */
  readonly index: number;
  readonly retryAfterMs: number;
}

export function openStoredRateLimiter(database: Database, keyedHash: KeyedHash): StoredRateLimiter {
  const hashOf = (subject: LimitSubject): Buffer => keyedHash('allowance', ...subject).subarray(0, 16);
  const keyed = (subjects: readonly LimitedSubject[]) =>
    subjects.map(({ subject, limit }, index) => {
      const hash = hashOf(subject);
      return { index, limit, hash, key: hash.toString('hex') };
    });
  const remembered = new RecentMap<string, LimitState>(REMEMBERED_SUBJECTS);
  const stricter = (
    states: ReadonlyMap<string, LimitState>,
    { key, limit }: { readonly key: string; readonly limit: RateLimit },
    now: Date,
  ): LimitState | null => stricterLimitState(states.get(key) ?? null, remembered.get(key) ?? null, limit, now);
  const inTransaction = <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    transaction?: Transaction,
  ): Promise<Result> => (transaction ? work(transaction) : database.transaction(work));

  const addTries = async (
    transaction: Transaction,
    subjects: readonly LimitedSubject[],
    now: Date,
    evenIfExceeded: boolean,
  ): Promise<ExceededLimit | null> => {
    const entries = keyed(subjects);
    const states = await lockLimitStates(
      transaction,
      entries.map(({ hash }) => hash),
      now,
    );
    if (!evenIfExceeded) {
      const [longest] = entries
        .map((entry) => ({
          index: entry.index,
          retryAfterMs: retryAfterMs(stricter(states, entry, now), entry.limit, now),
        }))
        .sort((a, b) => b.retryAfterMs - a.retryAfterMs);
      if (longest && longest.retryAfterMs > 0) return longest;
    }
    const counted = entries
      .filter(({ index }) => subjects[index]?.isCounted !== false)
      .map((entry) => ({
        ...entry,
        subject: entry.hash,
        state: limitStateAfterTry(stricter(states, entry, now), entry.limit, now),
      }));
    for (const { key, limit, state } of counted) if (isOfGuesses(limit)) remembered.set(key, state);
    await saveLimitStates(transaction, counted);
    for (const { index, state } of counted) subjects[index]?.onCounted?.(state);
    return null;
  };

  return {
    take: (subjects, now, transaction) => inTransaction((tx) => addTries(tx, subjects, now, false), transaction),
    takeRegardless: async (subjects, now) => {
      await database.transaction((tx) => addTries(tx, subjects, now, true));
    },
    retryAfterMs: async (subjects, now, transaction) => {
      const entries = keyed(subjects);
      const states = await readLimitStates(
        transaction ?? database,
        entries.map(({ hash }) => hash),
      );
      return Math.max(0, ...entries.map((entry) => retryAfterMs(stricter(states, entry, now), entry.limit, now)));
    },
    reset: async (subjects, transaction) => {
      const hashes = subjects.map(hashOf);
      await clearLimitStates(transaction ?? database, hashes);
      for (const hash of hashes) remembered.delete(hash.toString('hex'));
    },
    sweep: (now) => sweepLimitStates(database, new Date(now.getTime() - SWEEP_AFTER_MS)),
  };
}
