import type { ContentLanguage } from '@sathorn/api';
import type { Brand } from '@sathorn/brand';
import type { Messages } from '../../people/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { ApprovalKind, ApprovalRow, Approvals, AuditLog, StepUps } from '../../staff/operators/index.ts';
import type { ContentShelf } from './content-shelf.ts';
import type { Rules } from './rules.ts';

export interface PublishingDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly brand: Pick<Brand, 'title' | 'timeZone'> & { readonly locale: ContentLanguage };
  readonly shelf: ContentShelf;
  readonly rules: Rules;
  readonly files: Pick<Files, 'redraw'>;
  readonly messages: Pick<Messages, 'broadcast' | 'withdrawBroadcasts' | 'countReaders'>;
  readonly approvals: Pick<Approvals, 'propose' | 'close'>;
  readonly audit: AuditLog;
  readonly stepUps: StepUps;
  readonly isWaiting: (queries: Queries, kind: string, subject: string) => Promise<boolean>;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  readonly staffName: (operator: bigint) => Promise<string>;
  /** True if a customer with this id exists. */
  readonly isCustomer: (customer: bigint) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

/** The dependencies and state that the handlers of the console's content page share. */
export interface PublishingModule extends PublishingDependencies {
  readersOf(publications: readonly string[]): Promise<number>;
  /** Delivers due notices to the customers' lists. */
  deliverDue(): Promise<void>;
}

export interface Publishing {
  /** Publishes a text after a second person has approved it. */
  readonly approvalKind: ApprovalKind;
  /** Returns WebP, or null if there is no such picture. */
  readPicture(id: string): Promise<Buffer | null>;
  deliverDue(): Promise<void>;
}
