import type { Brand } from '@sathorn/brand';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Visitors } from '../customers/index.ts';
import type { Database } from '../database/index.ts';
import type { Files } from '../files/index.ts';
import type { Messages } from '../messages/index.ts';
import type { Approvals, Audit, Operators } from '../operators/index.ts';

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
