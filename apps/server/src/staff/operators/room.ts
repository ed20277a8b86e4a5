import type { ApprovalView } from '@sathorn/api';
import type { PasswordHasher } from '../../people/customers/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { ApprovalRow } from './approval-store.ts';
import type { Approvals } from './approvals.ts';
import type { Attempts } from './attempts.ts';
import type { Audit } from './audit.ts';
import type { ApprovalKind } from './decide.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import type { RelyingParty } from './passkeys.ts';
import type { RoomKeys } from './room-keys.ts';
import type { StepUps } from './step-up.ts';

export type SubjectNames = Pick<ApprovalView, 'number' | 'customer'>;

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
  readonly voting: {
    readonly mode: 'demo' | 'live';
    /** From which the keys of the demo's people are derived. */
    readonly sessionKey: Buffer;
    /** Whether a key that a browser keeps may vote: always in a demo, otherwise where the owner allows it. */
    readonly allowsDevices: boolean;
  };
  /** Approval kinds by name. Other modules register theirs while the platform opens. */
  readonly kinds: Map<string, ApprovalKind>;
  /** What people call the subject of an approval. Set once, when the rooms that know it are open. */
  readonly naming: { of(approval: ApprovalRow): Promise<SubjectNames> };
  /** The name that authenticator apps show. */
  readonly issuer: string;
  /** The address to which invitations link. */
  readonly consoleUrl: string;
  readonly isCustomer: (customer: bigint) => Promise<boolean>;
}
