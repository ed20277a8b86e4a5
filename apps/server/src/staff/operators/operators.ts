import type { ApprovalView, OperatorRole } from '@sathorn/api';
import type { PasswordCost, PasswordHasher } from '../../people/customers/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { Signer } from '../../platform/proofs/index.ts';
import type { RelyingParty } from '../../platform/webauthn.ts';
import type { ApprovalRow } from './approval-store.ts';
import type { ApprovalKind, Approvals } from './approvals.ts';
import type { AuditLog } from './audit.ts';
import type { ClaimRow } from './claims.ts';
import type { AuditEntryRow } from './entry-store.ts';
import type { OperatorKeys } from './operator-keys.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
import type { StepUps } from './step-up.ts';

type SubjectNames = Pick<ApprovalView, 'number' | 'customer'>;

/** The dependencies and state that all handlers of this module share. */
export interface OperatorsModule {
  readonly database: Database;
  readonly keys: OperatorKeys;
  readonly hasher: PasswordHasher;
  readonly attempts: SignInAttempts;
  readonly sessions: OperatorSessions;
  readonly audit: AuditLog;
  readonly approvals: Approvals;
  readonly stepUps: StepUps;
  readonly party: RelyingParty;
  readonly voting: {
    readonly mode: 'demo' | 'live';
    /** The secret from which the keys of the demo's people are derived. */
    readonly sessionKey: Buffer;
    /** True if a key that a browser stores may vote: always in a demo, otherwise only if the owner allows it. */
    readonly allowsDevices: boolean;
  };
  /** Approval kinds by name. Other modules register theirs while the platform opens. */
  readonly kinds: Map<string, ApprovalKind>;
  /** Names of the subjects of approvals, for people. Set once, when the modules that know the names are open. */
  readonly naming: { of(approval: ApprovalRow): Promise<SubjectNames> };
  /** The name that authenticator apps show. */
  readonly issuer: string;
  /** The address to which invitations link. */
  readonly consoleUrl: string;
  readonly isCustomer: (customer: bigint) => Promise<boolean>;
}

export interface OperatorsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mode: 'demo' | 'live';
  readonly secrets: { readonly pepper: Buffer; readonly sessionKey: Buffer };
  readonly brandTitle: string;
  /** Signs the exported parts of the log. */
  readonly signer: Signer;
  /** True if operators may vote with a key that their browser stores; in a demo they always may. */
  readonly deviceKeys?: boolean;
  /** The console's address, where passkeys are valid. */
  readonly consoleUrl: string;
  /** Checks that an operator's own customer account exists, for operators who are also customers. */
  readonly isCustomer?: (customer: bigint) => Promise<boolean>;
  readonly passwordCost?: PasswordCost;
  readonly onFault?: (error: unknown) => void;
}

export interface Operators {
  readonly sessions: Pick<OperatorSessions, 'resolve'>;
  readonly audit: AuditLog;
  readonly approvals: Approvals;
  readonly stepUps: StepUps;
  /** Registers the consequences of an approval of this kind. Call it before the server accepts requests. */
  addApprovalKind(name: string, kind: ApprovalKind): void;
  /** Registers how to name the subjects of approvals, such as by a customer's name or an order number. */
  nameSubjects(of: (approval: ApprovalRow) => Promise<SubjectNames>): void;
  findWaitingApproval(queries: Queries, kind: string, subject: string): Promise<ApprovalRow | null>;
  countApprovals(operator: OperatorSession): Promise<{ readonly waiting: number; readonly made: number }>;
  /** The operators' claims: who currently works on which case. */
  claims(now: Date): Promise<readonly ClaimRow[]>;
  logHead(): Promise<{ readonly n: bigint }>;
  /** Entries that name this customer, newest first. */
  entriesOf(customer: bigint, before: bigint | null, limit: number): Promise<readonly AuditEntryRow[]>;
  latestEntries(limit: number): Promise<readonly AuditEntryRow[]>;
  /**
   * How often this happened in the last hour. Call it after `append` in the same transaction, so that concurrent
   * requests cannot exceed a limit.
   */
  countInHour(transaction: Queries, operator: bigint, what: string): Promise<{ done: number; first: Date | null }>;
  workNameOf(operator: bigint): Promise<string>;
  /** The operator's own customer account; null without one. */
  ownAccountOf(operator: bigint): Promise<bigint | null>;
  /** The approval with the fields that this operator may see. */
  viewApproval(id: string, operator: OperatorSession): Promise<ApprovalView>;
  /** An active operator by work name. */
  findColleague(
    queries: Queries,
    workName: string,
  ): Promise<{ readonly id: bigint; readonly roles: readonly OperatorRole[] } | null>;
  /** Active operators with one of these roles. */
  listColleagues(
    queries: Queries,
    roles: readonly OperatorRole[],
  ): Promise<readonly { readonly id: bigint; readonly work_name: string }[]>;
  /** The operator's newest passkey on the curve P-256, with its public point; null without one. */
  readP256Passkey(
    queries: Queries,
    operator: bigint,
  ): Promise<{ readonly id: string; readonly x: bigint; readonly y: bigint } | null>;
  /** True if an approval of this kind and subject is open. */
  isWaiting(queries: Queries, kind: string, subject: string): Promise<boolean>;
  /** Called by the edge when an operator calls something that none of their roles allows. */
  refused(operator: OperatorSession, route: string): Promise<void>;
}
