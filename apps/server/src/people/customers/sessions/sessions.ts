import { randomBytes } from 'node:crypto';
import type { Bus } from '../../../platform/bus/index.ts';
import type { Database, Queries, Transaction } from '../../../platform/database/index.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import type { Device } from './device.ts';
import { type ResolvedSession, SessionCache } from './session-cache.ts';
import {
  endOldestSessions,
  endSessions,
  findOpenSessions,
  findOpenSessionsAmong,
  insertSession,
  type ListedSessionRow,
  listOpenSessions,
  type OpenSessionRow,
  type SessionEnd,
  touchSessions,
} from './session-store.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
export const SESSION_IDLE_MS = 30 * DAY_MS;
/** The default; a brand can set another. */
const SESSION_LIFE_DAYS = 180;
const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;
const OPEN_MAX = 100;
const FLUSH_AFTER_MS = 1_000;

interface OpenedSession {
  readonly token: string;
  readonly sessionId: string;
  /** Sessions that were ended to make room; pass them to `announceEnded` after the commit. */
  readonly ended: readonly string[];
}

export interface Sessions {
  /**
   * Returns the session of a token, or null. It runs on every request, so it answers from memory if that is at most
   * five seconds old.
   */
  resolve(token: string, now: Date): Promise<ResolvedSession | null> | ResolvedSession | null;
  open(transaction: Transaction, customer: bigint, device: Device, now: Date): Promise<OpenedSession>;
  /** Ends sessions within a transaction; pass the ids to `announceEnded` after the commit. */
  end(
    transaction: Transaction,
    customer: bigint,
    which: { only?: string; allBut?: string },
    by: SessionEnd,
    now: Date,
  ): Promise<string[]>;
  /** Refuses these sessions' requests from now on, and notifies their live connections. */
  announceEnded(sessionIds: readonly string[]): void;
  list(customer: bigint, now: Date): Promise<readonly ListedSessionRow[]>;
  /** The open sessions of these whose customers may sign in, for work that continues without a request. */
  openOf(queries: Queries, sessionIds: readonly string[], now: Date): Promise<ReadonlySet<string>>;
  /** True if the customer is frozen, at most five seconds old; null if the customer is not in memory. */
  isFrozenInMemory(customer: bigint, now: Date): boolean | null;
  /** Writes the times of last use that are still in memory. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Formats bytes as a UUID (version 8). */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function openSessions({
  database,
  bus,
  keyedHash,
  lifeDays = SESSION_LIFE_DAYS,
  onFault,
}: {
  database: Database;
  bus: Bus;
  keyedHash: KeyedHash;
  lifeDays?: number;
  onFault: (error: unknown) => void;
}): Sessions {
  // A token has 256 random bits, so a fast digest suffices. The digest is keyed, because an attacker who can write rows
  // could otherwise insert the digest of a token of their own. The session's id includes the customer, so the attacker
  // cannot copy the digest of their own session to another customer.
  const digestOf = (token: string): string => keyedHash('session.token', token).toString('hex');
  const idOf = (digest: string, customer: bigint): string => uuidOf(keyedHash('session.id', digest, `${customer}`));
  const lifeMs = lifeDays * DAY_MS;
  const touched = new Map<string, Date>();
  let flushTimer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(flushTimer);
    flushTimer = undefined;
    if (touched.size === 0) return;
    const batch = new Map(touched);
    touched.clear();
    await touchSessions(database, batch);
  };
  const touch = (sessionId: string, at: Date): void => {
    touched.set(sessionId, at);
    flushTimer ??= setTimeout(() => {
      // After an error, the session's next use writes it.
      flush().catch(onFault);
    }, FLUSH_AFTER_MS).unref();
  };

  const cache = new SessionCache({
    idleMs: SESSION_IDLE_MS,
    lifeMs,
    digestOf,
    touch,
    load: async (digests, now) => {
      const found = await findOpenSessions(
        database,
        digests.map((digest) => Buffer.from(digest, 'hex')),
      );
      const rows = found.filter((row) => row.id === idOf(row.token_hash.toString('hex'), row.customer));
      // Ends idle sessions in the database too, so that a clock that steps back does not reopen them.
      const over = rows.flatMap((row): [OpenSessionRow, SessionEnd][] => {
        if (now.getTime() - row.created_at.getTime() >= lifeMs) return [[row, 'too_old']];
        return now.getTime() - row.used_at.getTime() >= SESSION_IDLE_MS ? [[row, 'idle']] : [];
      });
      for (const [row, by] of over) await endSessions(database, row.customer, { only: row.id }, by, now);
      if (over.length > 0) announceEnded(over.map(([row]) => row.id));
      return rows.map((row) => ({
        digest: row.token_hash.toString('hex'),
        sessionId: row.id,
        customerId: row.customer,
        createdAt: row.created_at,
        usedAt: row.used_at,
        isFrozen: row.is_frozen,
      }));
    },
  });

  // Called for ended sessions of all processes, including this one.
  const onEnded = ({ sessionId }: { sessionId: string }): void => {
    touched.delete(sessionId);
    cache.end(sessionId);
  };
  bus.on('session_ended', onEnded);
  const announceEnded = (sessionIds: readonly string[]): void => {
    for (const sessionId of sessionIds) bus.emit('session_ended', { sessionId });
  };

  return {
    resolve: (token, now) => (TOKEN_FORM.test(token) ? cache.resolve(token, now) : null),
    open: async (transaction, customer, device, now) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const digest = digestOf(token);
      const sessionId = idOf(digest, customer);
      const tokenHash = Buffer.from(digest, 'hex');
      await insertSession(
        transaction,
        { id: sessionId, tokenHash, customer, device: device.name, deviceKey: device.keys[0], address: device.address },
        now,
      );
      return { token, sessionId, ended: await endOldestSessions(transaction, customer, OPEN_MAX, now) };
    },
    end: (transaction, customer, which, by, now) => endSessions(transaction, customer, which, by, now),
    announceEnded,
    list: async (customer, now) => {
      await flush();
      const ago = (ms: number): Date => new Date(now.getTime() - ms);
      return listOpenSessions(database, customer, { usedAfter: ago(SESSION_IDLE_MS), createdAfter: ago(lifeMs) });
    },
    openOf: (queries, sessionIds, now) => {
      const ago = (ms: number): Date => new Date(now.getTime() - ms);
      return findOpenSessionsAmong(queries, sessionIds, { usedAfter: ago(SESSION_IDLE_MS), createdAfter: ago(lifeMs) });
    },
    isFrozenInMemory: (customer, now) => cache.isFrozen(customer, now),
    flush,
    close: async () => {
      bus.off('session_ended', onEnded);
      await flush();
    },
  };
}
