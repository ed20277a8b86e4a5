import { type Database, statement } from '../database/index.ts';
import { lineOf } from '../ip-network.ts';
import type { RoomKeys } from './room-keys.ts';

/** The first attempts are free, then each wrong one doubles the delay. */
const FREE_TRIES = 4;
const FIRST_WAIT_MS = 30_000;
const WAIT_MAX_MS = 60 * 60_000;
/** Attempts are forgotten after this long without a wrong one. */
const MEMORY_MS = 24 * 60 * 60_000;

/**
 * Limits guessing of operators' passwords. Each name has one delay per network and a much later one across all
 * networks, so that a stranger who guesses does not lock out the real operator elsewhere.
 */
export interface Attempts {
  /**
   * Returns the seconds to wait; 0 if this attempt may proceed. The attempt counts as wrong until `succeeded` is
   * called.
   */
  begin(name: string, address: string, now: Date): Promise<number>;
  succeeded(name: string, address: string): Promise<void>;
  sweep(now: Date): Promise<void>;
}

// Counts before the password is checked, so that concurrent attempts see each other.
const count = statement(
  'operators.count_attempt',
  `INSERT INTO operators.attempt AS a (subject, wrong, at, blocked_until)
   SELECT subject, 1, $3, $3 FROM unnest($1::bytea[]) AS s(subject) ORDER BY subject
   ON CONFLICT (subject) DO UPDATE SET
     wrong = CASE WHEN a.blocked_until > $3 THEN a.wrong WHEN a.at < $4 THEN 1 ELSE a.wrong + 1 END,
     at = CASE WHEN a.blocked_until > $3 THEN a.at ELSE excluded.at END
   RETURNING subject, wrong, blocked_until, blocked_until > $3 AS is_blocked, array_position($2::bytea[], subject) AS place`,
);
const block = statement(
  'operators.block_attempt',
  'UPDATE operators.attempt SET blocked_until = greatest(blocked_until, $2) WHERE subject = $1',
);
const forget = statement('operators.forget_attempts', 'DELETE FROM operators.attempt WHERE subject = ANY ($1)');
const sweep = statement('operators.sweep_attempts', 'DELETE FROM operators.attempt WHERE at < $1');

export function openAttempts(database: Database, keys: RoomKeys): Attempts {
  const subjectsOf = (name: string, address: string): [Buffer, Buffer] => [
    keys.hash('attempt', name, lineOf(address)),
    keys.hash('attempt', name),
  ];
  return {
    async begin(name, address, now) {
      const subjects = subjectsOf(name, address);
      return database.transaction(async (transaction) => {
        const rows = await transaction.query<{
          subject: Buffer;
          wrong: number;
          blocked_until: Date;
          is_blocked: boolean;
          place: number;
        }>(count, [subjects, subjects, now, new Date(now.getTime() - MEMORY_MS)]);
        let waitMs = 0;
        for (const { subject, wrong, blocked_until: until, is_blocked: isBlocked, place } of rows) {
          if (isBlocked) waitMs = Math.max(waitMs, until.getTime() - now.getTime());
          // Across all networks, ten times as many attempts are free.
          const over = wrong - FREE_TRIES * (place === 1 ? 1 : 10);
          if (isBlocked || over < 0) continue;
          const blockMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(over, 16), WAIT_MAX_MS);
          await transaction.query(block, [subject, new Date(now.getTime() + blockMs)]);
        }
        return Math.ceil(waitMs / 1_000);
      });
    },
    async succeeded(name, address) {
      await database.query(forget, [subjectsOf(name, address)]);
    },
    async sweep(now) {
      await database.query(sweep, [new Date(now.getTime() - MEMORY_MS)]);
    },
  };
}
