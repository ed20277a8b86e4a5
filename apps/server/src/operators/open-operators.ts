import type { Clock } from '../clock.ts';
import { createPasswordHasher, PASSWORD_COST, type PasswordCost } from '../customers/index.ts';
import type { Database } from '../database/index.ts';
import type { OperatorSession } from '../edge/index.ts';
import { type Module, sweepJob } from '../module.ts';
import { type Approvals, openApprovals } from './approvals.ts';
import { openAttempts } from './attempts.ts';
import { type Audit, openAudit } from './audit.ts';
import { finishEnrolmentHandler } from './finish-enrolment.ts';
import { listDemoOperatorsHandler } from './list-demo-operators.ts';
import { loginOperatorHandler } from './login-operator.ts';
import { logoutOperatorHandler } from './logout-operator.ts';
import { type OperatorSessions, openOperatorSessions } from './operator-sessions.ts';
import { readOperatorHandler } from './read-operator.ts';
import type { Room } from './room.ts';
import { roomKeysOf } from './room-keys.ts';
import { startEnrolmentHandler } from './start-enrolment.ts';

export interface OperatorsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mode: 'demo' | 'live';
  readonly secrets: { readonly pepper: Buffer; readonly sessionKey: Buffer };
  readonly brandTitle: string;
  readonly passwordCost?: PasswordCost;
  readonly onFault?: (error: unknown) => void;
}

export interface Operators {
  readonly sessions: Pick<OperatorSessions, 'resolve'>;
  readonly audit: Audit;
  readonly approvals: Approvals;
  /** Called by the edge: an operator asked for what none of their roles may do. */
  refused(operator: OperatorSession, route: string): Promise<void>;
}

export function roomOf({
  database,
  secrets,
  brandTitle,
  passwordCost = PASSWORD_COST,
}: Pick<OperatorsDependencies, 'database' | 'secrets' | 'brandTitle' | 'passwordCost'>): Room {
  const keys = roomKeysOf(secrets.sessionKey);
  return {
    database,
    keys,
    hasher: createPasswordHasher({ peppers: [secrets.pepper], cost: passwordCost }),
    attempts: openAttempts(database, keys),
    sessions: openOperatorSessions(database, keys),
    audit: openAudit(),
    approvals: openApprovals(),
    issuer: `${brandTitle} console`,
  };
}

export function openOperators(dependencies: OperatorsDependencies): Module<Operators> {
  const { database, clock, mode, onFault = () => undefined } = dependencies;
  const room = roomOf(dependencies);
  return {
    api: {
      sessions: room.sessions,
      audit: room.audit,
      approvals: room.approvals,
      async refused(operator, route) {
        await database.transaction((transaction) =>
          room.audit.append(transaction, {
            operator,
            what: 'call.refused',
            on: { kind: 'call', id: route },
            reason: 'role_missing',
          }),
        );
      },
    },
    handlers: [
      loginOperatorHandler(room),
      startEnrolmentHandler(room),
      finishEnrolmentHandler(room),
      readOperatorHandler(),
      logoutOperatorHandler(room),
      ...(mode === 'demo' ? [listDemoOperatorsHandler(room)] : []),
    ],
    jobs: [sweepJob(clock, onFault, (now) => room.attempts.sweep(now))],
  };
}
