import type { Brand } from '@sathorn/brand';
import type { Visitors } from '../../people/customers/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { Approvals, Audit, Operators } from '../../staff/operators/index.ts';

/** What the handlers of this room work with. */
export interface SupportRoom {
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
  readonly audit: Audit;
  readonly approvals: Pick<Approvals, 'open'>;
  readonly isApprovalWaiting: Operators['isWaiting'];
  readonly brand: Pick<Brand, 'supportHours' | 'timeZone'>;
  readonly onFault: (error: unknown) => void;
}
