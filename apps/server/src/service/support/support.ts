import type { Brand } from '@sathorn/brand';
import type { Visitors } from '../../people/customers/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { ApprovalKind, Approvals, AuditLog, Operators } from '../../staff/operators/index.ts';
import type { SupportDesk } from './support-store.ts';

/** The dependencies and state that the handlers of this module share. */
export interface SupportDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly files: Pick<
    Files,
    'keepAsAttachment' | 'readMarked' | 'keepPicture' | 'keepAsAnswer' | 'keepOfVisitor' | 'remove'
  >;
  /** People who write without an account. */
  readonly visitors: Visitors;
  readonly messages: Pick<Messages, 'send'>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly staffName: (operator: bigint) => Promise<string>;
  readonly findColleague: Operators['findColleague'];
  readonly audit: AuditLog;
  readonly approvals: Pick<Approvals, 'propose'>;
  readonly isApprovalWaiting: Operators['isWaiting'];
  readonly brand: Pick<Brand, 'supportHours' | 'timeZone'>;
  readonly onFault: (error: unknown) => void;
}

export interface Support {
  /** Conversations that wait for an answer at a desk, or at both. */
  queue(
    now: Date,
    desk: SupportDesk | null,
  ): Promise<{
    readonly waiting: number;
    readonly overdue: number;
    readonly oldestAt: Date | null;
    readonly dueAt: Date | null;
  }>;
  /** Messages by staff that another person has not read yet; late after a day. */
  samples(now: Date): ReturnType<Support['queue']>;
  readonly readyKind: ApprovalKind;
  /** Sends notices about unread answers; a job calls it regularly. */
  notice(now: Date): Promise<void>;
}
