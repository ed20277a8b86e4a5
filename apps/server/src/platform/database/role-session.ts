import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './postgres-connection.ts';

/** How often a waiting process asks for a role's lock. */
export const ELECTION_EVERY_MS = 500;
/** How often a process with all its roles shows that it is alive. */
const ALIVE_EVERY_MS = 900;
/**
 * Together with the longest pause this is shorter than `idle_session_timeout`: a leader that gets no answers steps down
 * before another process leads.
 */
const ANSWER_MAX_MS = 3_000;

const TAKE = {
  name: 'roles.take',
  text: `SELECT role, pg_try_advisory_lock(hashtextextended('role:' || role, 0)) AS held FROM unnest($1::text[]) AS role`,
};
const FREE = {
  name: 'roles.free',
  text: `SELECT pg_advisory_unlock(hashtextextended('role:' || role, 0)) FROM unnest($1::text[]) AS role`,
};

/** A role that this process leads. */
export interface RoleLeadership {
  /** Aborts when another process may hold the lock. */
  readonly lost: AbortSignal;
  /** Must be called when the work has ended; resolves when the lock is free. */
  free(): Promise<void>;
}

interface Seeker {
  readonly role: string;
  give(turn: RoleLeadership): void;
}

/**
 * Holds the locks of all roles that this process leads on one session, so one statement keeps them all. Returns a
 * function that waits for a role, or resolves to null if the signal aborts first. The session exists while a role is
 * led or sought. Its statements run in the event loop of the roles' work, so they prove that the process is not frozen.
 */
export function openRoleSession(
  connection: Connection & pg.ClientConfig,
  onFault: (error: unknown) => void,
): (role: string, signal: AbortSignal) => Promise<RoleLeadership | null> {
  let seekers: readonly Seeker[] = [];
  /** PostgreSQL grants a lock twice to one session, so a role is not sought while its work still runs here. */
  const led = new Set<string>();
  let isRunning = false;
  let waking = new AbortController();

  const isNeeded = (): boolean => seekers.length + led.size > 0;
  const sought = (): string[] => [...new Set(seekers.map(({ role }) => role))].filter((role) => !led.has(role));

  const holdSession = async (): Promise<void> => {
    const client = new pg.Client({ ...connection, query_timeout: ANSWER_MAX_MS });
    const closed = Promise.withResolvers<void>();
    const freed: { readonly role: string; readonly done: () => void }[] = [];
    const over = new AbortController();
    const lose = (): void => {
      over.abort();
      waking.abort();
    };
    client.on('error', lose);
    client.on('end', lose);
    const free = (role: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      freed.push({ role, done: resolve });
      waking.abort();
      return Promise.race([promise, closed.promise]);
    };
    const lead = (role: string): void => {
      const seeker = seekers.find((one) => one.role === role);
      // The seeker gave up while the answer was on its way.
      if (seeker === undefined) return void free(role);
      seekers = seekers.filter((one) => one !== seeker);
      led.add(role);
      seeker.give({
        lost: over.signal,
        free() {
          led.delete(role);
          return free(role);
        },
      });
    };
    try {
      await client.connect();
      while (isNeeded() && !over.signal.aborted) {
        waking = new AbortController();
        const ended = freed.splice(0);
        if (ended.length > 0) await client.query({ ...FREE, values: [ended.map(({ role }) => role)] });
        for (const { done } of ended) done();
        const { rows } = await client.query<{ role: string; held: boolean }>({ ...TAKE, values: [sought()] });
        for (const { role, held } of rows) if (held) lead(role);
        const restMs = sought().length > 0 ? ELECTION_EVERY_MS : ALIVE_EVERY_MS;
        await pause(restMs, undefined, { signal: waking.signal }).catch(() => undefined);
      }
    } finally {
      over.abort();
      await client.end().catch(() => undefined);
      closed.resolve();
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (isNeeded()) {
      await holdSession().catch(onFault);
      if (isNeeded()) await pause(ELECTION_EVERY_MS);
    }
    isRunning = false;
  };

  return (role, signal) => {
    const { promise, resolve } = Promise.withResolvers<RoleLeadership | null>();
    const giveUp = (): void => {
      seekers = seekers.filter((one) => one !== seeker);
      waking.abort();
      resolve(null);
    };
    const seeker: Seeker = {
      role,
      give(turn) {
        signal.removeEventListener('abort', giveUp);
        resolve(turn);
      },
    };
    if (signal.aborted) return Promise.resolve(null);
    signal.addEventListener('abort', giveUp, { once: true });
    seekers = [...seekers, seeker];
    waking.abort();
    if (!isRunning) void run();
    return promise;
  };
}
