import { randomBytes, randomUUID } from 'node:crypto';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { LimitedNetwork, OperatorSession } from '../../platform/edge/index.ts';
import { networkOf } from '../../platform/ip-network.ts';
import type { OperatorKeys } from './operator-keys.ts';
import {
  endOperatorSession,
  findOperatorSession,
  insertOperatorSession,
  type OperatorSessionEnd,
  touchOperatorSession,
} from './operator-session-store.ts';

/** After this long without a call the session ends and the operator must sign in again. */
export const OPERATOR_SESSION_IDLE_MS = 15 * 60_000;
const OPERATOR_SESSION_LIFE_MS = 12 * 60 * 60_000;
/** How often `used_at` is written. The idle limit is far longer, so this is precise enough. */
const TOUCH_EVERY_MS = 20_000;
const TOKEN_BYTES = 32;
/** Operators' tokens have their own format, so that they are never looked up as customers' tokens, or the reverse. */
const TOKEN_FORM = /^op_[A-Za-z0-9_-]{43}$/;

export interface NewOperatorSession {
  readonly operator: bigint;
  readonly factor: 'authenticator' | 'recovery_code' | 'passkey';
  readonly device: string;
  readonly address: string;
}

export interface OperatorSessions {
  /**
   * Reads the database on every call, so that a removed operator or an ended session is refused at once. A token is
   * valid only in the network in which it was issued, so a copied token is useless elsewhere.
   */
  resolve(token: string, now: Date, networks: readonly LimitedNetwork[]): Promise<OperatorSession | null>;
  /** Also writes the log's entry, so it must be the last statement of the transaction. */
  open(queries: Queries, entering: NewOperatorSession, now: Date): Promise<string>;
  end(sessionId: string, by: OperatorSessionEnd, now: Date): Promise<void>;
}

/** The widest network of a caller: an IPv4 address's /24, or an IPv6 address's /48. */
function placeOf(networks: readonly LimitedNetwork[]): string {
  const widest = networks.at(-1)?.name ?? '';
  return widest.includes('/') ? widest : networkOf(widest);
}

export function openOperatorSessions(database: Database, keys: OperatorKeys): OperatorSessions {
  // A keyed hash: somebody who can write rows but lacks the key cannot forge a session.
  const hashOf = (token: string): Buffer => keys.hash('session.token', token);
  return {
    async resolve(token, now, networks) {
      if (!TOKEN_FORM.test(token)) return null;
      const session = await findOperatorSession(database, hashOf(token));
      if (session === null || placeOf(networks) !== networkOf(session.address)) return null;
      const { id, operator, work_name: workName, roles, created_at: createdAt, used_at: usedAt } = session;
      const isOld = now.getTime() - createdAt.getTime() >= OPERATOR_SESSION_LIFE_MS;
      const idleMs = now.getTime() - usedAt.getTime();
      if (isOld || idleMs >= OPERATOR_SESSION_IDLE_MS || !session.is_active) {
        // Ends the session in the database too, so that a clock that steps back does not reopen it.
        await endOperatorSession(database, id, session.is_active ? (isOld ? 'too_old' : 'idle') : 'removed', now);
        return null;
      }
      if (idleMs >= TOUCH_EVERY_MS) await touchOperatorSession(database, id, now);
      return {
        id: operator,
        workName,
        roles,
        sessionId: id,
        endsAt: new Date(createdAt.getTime() + OPERATOR_SESSION_LIFE_MS),
      };
    },
    async open(queries, entering, now) {
      const token = `op_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
      const id = randomUUID();
      await insertOperatorSession(queries, { ...entering, id, tokenHash: hashOf(token) }, now);
      return token;
    },
    end: (sessionId, by, now) => endOperatorSession(database, sessionId, by, now),
  };
}
