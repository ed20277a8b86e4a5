import { type Database, statement } from '../../platform/database/index.ts';
import { customerNetworkOf } from '../../platform/ip-network.ts';
import { REMEMBERED_SUBJECTS, RecentMap } from '../../platform/recent-map.ts';
import type { OperatorKeys } from './operator-keys.ts';

/** The first attempts are free, then each wrong one doubles the delay. */
const FREE_TRIES = 4;
const FIRST_WAIT_MS = 30_000;
const WAIT_MAX_MS = 60 * 60_000;
/** Attempts are forgotten after this much time without a wrong one. */
const MEMORY_MS = 24 * 60 * 60_000;

/** A network from which an operator has signed in is known for this long. */
const KNOWN_MS = 30 * 24 * 60 * 60_000;
/** Prefix of the names under which step-ups are counted. */
const STEP_UP = 'step_up.';

/**
 * Limits guessing of operators' passwords. Each name has one delay per network. A second delay starts much later and
 * counts all networks from which the operator has never signed in. So strangers who guess never delay the operator at
 * the usual desk, however many they are.
 */
export interface SignInAttempts {
  /**
   * Returns the seconds to wait; 0 if this attempt may proceed. The attempt counts as wrong until `succeeded` is
   * called.
   */
  begin(name: string, address: string, now: Date): Promise<number>;
  succeeded(name: string, address: string): Promise<void>;
  /** When strangers' delays of these names end in unknown networks; names without a delay are absent. */
  delaysOf(names: readonly string[], now: Date): Promise<ReadonlyMap<string, Date>>;
  /** Forgets the wrong attempts for a name: those across all networks and those from the operator's own networks. */
  lift(name: string, now: Date): Promise<void>;
  sweep(now: Date): Promise<void>;
}

// Counts before the password is checked, so that concurrent attempts see each other. The first attempt stores a past
// end of the delay, because a parallel attempt with an earlier clock reading may be counted after it.
const count = statement(
  'operators.count_attempt',
  `INSERT INTO operators.attempt AS a (subject, wrong, at, blocked_until)
   SELECT subject, 1, $3, $4 FROM unnest($1::bytea[]) AS s(subject) ORDER BY subject
   ON CONFLICT (subject) DO UPDATE SET
     wrong = CASE WHEN a.blocked_until > $3 THEN a.wrong WHEN a.at < $4 THEN 1 ELSE a.wrong + 1 END,
     at = CASE WHEN a.blocked_until > $3 THEN a.at ELSE excluded.at END
   RETURNING subject, wrong, blocked_until, array_position($2::bytea[], subject) AS place`,
);
const block = statement(
  'operators.block_attempt',
  'UPDATE operators.attempt SET blocked_until = greatest(blocked_until, $2) WHERE subject = $1',
);
const forget = statement('operators.forget_attempts', 'DELETE FROM operators.attempt WHERE subject = ANY ($1)');
const sweep = statement('operators.sweep_attempts', 'DELETE FROM operators.attempt WHERE at < $1');

const known = statement(
  'operators.known_addresses',
  `SELECT DISTINCT s.address FROM operators.session s JOIN operators.operator o ON o.id = s.operator WHERE o.work_name = $1 AND s.created_at > $2`,
);
const delays = statement(
  'operators.delays',
  'SELECT subject, blocked_until FROM operators.attempt WHERE subject = ANY ($1::bytea[]) AND blocked_until > $2',
);

export function openSignInAttempts(database: Database, keys: OperatorKeys): SignInAttempts {
  const ofLine = (name: string, address: string): Buffer => keys.hash('attempt', name, customerNetworkOf(address));
  const ofName = (name: string): Buffer => keys.hash('attempt', name);
  const knownAddresses = async (name: string, now: Date): Promise<string[]> => {
    const since = new Date(now.getTime() - KNOWN_MS);
    const workName = name.startsWith(STEP_UP) ? name.slice(STEP_UP.length) : name;
    return (await database.query<{ address: string }>(known, [workName, since])).map(({ address }) => address);
  };
  /** The newest wrong attempts, whose counts in the database somebody may have set back. */
  const remembered = new RecentMap<string, { readonly wrong: number; readonly at: Date; readonly until: Date }>(
    REMEMBERED_SUBJECTS,
  );
  const forgetAll = async (subjects: readonly Buffer[]): Promise<void> => {
    await database.query(forget, [subjects]);
    for (const subject of subjects) remembered.delete(subject.toString('hex'));
  };
  return {
    async begin(name, address, now) {
      const isKnown = (await knownAddresses(name, now)).some(
        (other) => customerNetworkOf(other) === customerNetworkOf(address),
      );
      const subjects = isKnown ? [ofLine(name, address)] : [ofLine(name, address), ofName(name)];
      return database.transaction(async (transaction) => {
        const rows = await transaction.query<{
          subject: Buffer;
          wrong: number;
          blocked_until: Date;
          place: number;
        }>(count, [subjects, subjects, now, new Date(now.getTime() - MEMORY_MS)]);
        let waitMs = 0;
        for (const { subject, wrong: stored, blocked_until: end, place } of rows) {
          const key = subject.toString('hex');
          const known = remembered.get(key);
          const until = known && known.until > end ? known.until : end;
          if (until > now) {
            waitMs = Math.max(waitMs, until.getTime() - now.getTime());
            // An administrator sees and lifts what the row says.
            if (until > end) await transaction.query(block, [subject, until]);
            continue;
          }
          const isFresh = known !== undefined && now.getTime() - known.at.getTime() < MEMORY_MS;
          const wrong = isFresh ? Math.max(stored, known.wrong + 1) : stored;
          // Across all networks, ten times as many attempts are free.
          const over = wrong - FREE_TRIES * (place === 1 ? 1 : 10);
          const blockMs = over < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(over, 16), WAIT_MAX_MS);
          const blockedUntil = new Date(now.getTime() + blockMs);
          remembered.set(key, { wrong, at: now, until: blockedUntil });
          if (blockMs > 0) await transaction.query(block, [subject, blockedUntil]);
        }
        return Math.ceil(waitMs / 1_000);
      });
    },
    async succeeded(name, address) {
      await forgetAll([ofLine(name, address), ofName(name)]);
    },
    async delaysOf(names, now) {
      const subjects = names.map(ofName);
      const rows = await database.query<{ subject: Buffer; blocked_until: Date }>(delays, [subjects, now]);
      return new Map(
        rows.map((row) => [names[subjects.findIndex((one) => one.equals(row.subject))] ?? '', row.blocked_until]),
      );
    },
    async lift(name, now) {
      const lines = (await knownAddresses(name, now)).map((address) => ofLine(name, address));
      await forgetAll([ofName(name), ...lines]);
    },
    async sweep(now) {
      await database.query(sweep, [new Date(now.getTime() - MEMORY_MS)]);
    },
  };
}
