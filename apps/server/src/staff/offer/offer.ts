import type { ApprovalView, listProducts, ResultOf, readBrand } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalMakers, ApprovalRow, Approvals, AuditLog } from '../operators/index.ts';
import type { OfferCheck, OfferFields, OfferKind, OfferTermsChange } from './offer-kind.ts';

export interface OfferDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly approvals: Approvals;
  readonly audit: AuditLog;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  readonly makersOf: (queries: Queries, approvals: readonly string[]) => Promise<ReadonlyMap<string, ApprovalMakers>>;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  /** Customers by id, after a given one. */
  readonly everybody: (queries: Queries, after: bigint, limit: number) => Promise<readonly bigint[]>;
  readonly notify: (customer: bigint, change: OfferTermsChange, now: Date, once: string) => Promise<void>;
  /** `isOne`: a moment is midnight in the brand's time zone. `after`: the next midnight from a moment on. */
  readonly midnights: { isOne(moment: Date): boolean; after(moment: Date): Date };
  readonly viewApproval: (id: string, operator: OperatorSession) => Promise<ApprovalView>;
  /** The sentence that customers receive. */
  readonly customerView: (change: OfferTermsChange, language: Language) => string;
  /** The progress of each earning product: how far the income of its newest day has been counted and paid. */
  readonly accruals: () => Promise<ResultOf<typeof listProducts>['accruals']>;
  /** The brand's settings that its page shows beside its terms. */
  readonly brand: Pick<ResultOf<typeof readBrand>, 'title' | 'mode' | 'licences' | 'asks_consent'>;
  readonly onFault: (error: unknown) => void;
}

export interface OfferProposal {
  readonly kind: string;
  readonly subject: string;
  readonly fields: unknown;
  readonly effectiveFrom: Date;
}

export interface PreparedOffer {
  readonly kind: OfferKind;
  readonly change: OfferTermsChange;
  readonly checks: readonly OfferCheck[];
  readonly noticeMs: number;
}

export type ProposeOfferRefusal =
  | 'product_unknown'
  | 'terms_malformed'
  | 'terms_unchanged'
  | 'change_pending'
  | 'notice_too_short'
  | 'begins_at_midnight';

export interface Offer {
  /** Call it before the server accepts requests. */
  addKind(kind: OfferKind): void;
  /** The terms in force, from memory; null if there are none. */
  inForce(kind: string, subject: string): OfferFields | null;
  /** Approved terms that have not started, soonest first. */
  scheduled(kind?: string): readonly OfferTermsChange[];
  /** The terms with which a demo starts; idempotent. */
  begin(kind: string, subject: string, fields: OfferFields, now: Date): Promise<void>;
  /** Reloads the terms, after the caller has changed them. */
  refresh(): Promise<void>;
  /** Applies approved terms whose time has come; returns how many. Each is applied exactly once over all processes. */
  applyDue(now: Date): Promise<number>;
  /** Notifies the customers concerned by approved terms. */
  announce(now: Date): Promise<void>;
}

/** The dependencies and state that this module's calls share. */
export interface OfferModule extends OfferDependencies {
  readonly api: Offer;
  readonly kinds: ReadonlyMap<string, OfferKind>;
  readonly noticeOf: (kind: string) => number;
  prepare(
    queries: Queries,
    proposal: OfferProposal,
    now: Date,
    operator: OperatorSession,
  ): Promise<Decision<PreparedOffer, ProposeOfferRefusal | 'role_missing'>>;
}
