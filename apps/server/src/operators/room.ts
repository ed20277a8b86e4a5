import type { PasswordHasher } from '../customers/index.ts';
import type { Database } from '../database/index.ts';
import type { Approvals } from './approvals.ts';
import type { Attempts } from './attempts.ts';
import type { Audit } from './audit.ts';
import type { ApprovalKind } from './decide.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import type { RelyingParty } from './passkeys.ts';
import type { RoomKeys } from './room-keys.ts';
import type { StepUps } from './step-up.ts';

/** What this room's handlers share. */
export interface Room {
  readonly database: Database;
  readonly keys: RoomKeys;
  readonly hasher: PasswordHasher;
  readonly attempts: Attempts;
  readonly sessions: OperatorSessions;
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly stepUps: StepUps;
  readonly party: RelyingParty;
  /** Approval kinds by name. Other modules register theirs while the platform opens. */
  readonly kinds: Map<string, ApprovalKind>;
  /** The name that authenticator apps show. */
  readonly issuer: string;
  /** The address to which invitations link. */
  readonly consoleUrl: string;
  readonly isCustomer: (customer: bigint) => Promise<boolean>;
}
