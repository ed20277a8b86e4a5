import type {
  CertificationReason,
  DocumentSide,
  DocumentType,
  FinalCertificationReason,
  RedoReason,
} from '@sathorn/identity';
import type { Money } from '@sathorn/money';
import type { CertifiedLevel, Decision } from '@sathorn/settlement';
import type { Ledger } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries, Transaction } from '../../platform/database/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { Messages } from '../messages/index.ts';
import type { AutomaticCheck, CertifiedPerson } from './certification.ts';
import type { ApplicationFilter, ApplicationRow, CertificationLevel } from './certification-store.ts';

/** The dependencies and state that the handlers of this module share. */
export type CertificationsModule = Omit<CertificationsDependencies, 'secrets' | 'onFault'> & {
  readonly sealer: Sealer;
  readonly onFault: (error: unknown) => void;
};

/** An operator who reviews certifications. */
export interface Reviewer {
  readonly id: bigint;
  readonly workName: string;
  readonly sessionId: string;
  /** The confirmation sent with this call. */
  readonly stepUp?: string;
}

export type SigningRefusal = 'step_up_required' | 'step_up_expired' | 'vote_unsigned';

export interface CertificationsDependencies {
  readonly database: Database;
  readonly files: Pick<Files, 'keepAsDocument' | 'readMarked'>;
  readonly messages: Pick<Messages, 'send'>;
  readonly secrets: { readonly identityKey: Buffer };
  readonly clock: Clock;
  /** The brand's time zone, which decides when a document expires and a person comes of age. */
  readonly timeZone: string;
  /** The current daily withdrawal limits in USDT, by certification. */
  readonly dailyMax: () => Readonly<Record<CertifiedLevel, Money<'USDT'>>>;
  /** The work name of an operator. */
  readonly staffName: (operator: bigint) => Promise<string>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  /** Approvals that need a second operator. */
  readonly approvals: {
    propose(
      transaction: Queries,
      operator: Reviewer,
      proposal: {
        readonly kind: 'certification_refusal';
        readonly subject: string;
        readonly fingerprintOf: Readonly<Record<string, string>>;
        readonly roles: readonly ['compliance'];
        readonly about: readonly bigint[];
        readonly reason: string;
        readonly expiresAt: Date;
      },
    ): Promise<Decision<{ readonly id: string; readonly fingerprint: string }, SigningRefusal>>;
    isWaiting(queries: Queries, kind: string, subject: string): Promise<boolean>;
  };
  /** Uses up the reviewer's signature of this act, and returns the confirmation's id. */
  readonly stepUps: {
    sign(
      transaction: Queries,
      operator: Reviewer,
      of: { readonly act: 'certification.approve'; readonly subject: string; readonly fingerprint: string },
    ): Promise<Decision<string, SigningRefusal>>;
  };
  /** The log of operators' acts, written in the same transaction as the act. */
  readonly audit: {
    append(
      transaction: Queries,
      entry: {
        readonly operator: Reviewer;
        readonly what: string;
        readonly on: { readonly kind: 'certification'; readonly id: string };
        readonly customer: bigint;
        readonly after?: Readonly<Record<string, string | readonly string[]>>;
        readonly reason?: string;
        readonly note?: string;
      },
    ): Promise<unknown>;
  };
  /**
   * Makes a customer's locked rewards available, in the transaction that certifies them. Returns the customers whose
   * balances it moved.
   */
  readonly rewards: {
    inTransaction: Ledger['payMany'];
    release(transaction: Queries, customer: bigint): Promise<boolean>;
  };
  readonly onFault?: (error: unknown) => void;
}

export interface CertificationLevelState {
  readonly state: 'none' | 'review' | 'verified' | 'rejected';
  readonly reasons: readonly CertificationReason[];
}

export interface CertificationState {
  readonly primary: CertificationLevelState;
  readonly advanced: CertificationLevelState;
}

export interface Certifications {
  stateOf(queries: Queries, customer: bigint): Promise<CertificationState>;
  /** The highest verified level. */
  certifiedOf(queries: Queries, customer: bigint): Promise<CertifiedLevel>;
  /** Returns the customers who are certified at any level. */
  certifiedAmong(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Names on the verified documents; empty while the customer is not certified. */
  certifiedNames(customer: bigint): Promise<readonly string[]>;
  /** Customers whose primary certification was verified since this time. */
  verifiedSince(since: Date): Promise<readonly bigint[]>;
  readonly reviews: CertificationReviews;
  /** Carries out a final rejection once a second operator has approved it. */
  readonly refusalKind: CertificationRefusalKind;
}

interface CertificationRefusalKind {
  apply(transaction: Transaction, approval: Approved, operator: Reviewer): Promise<boolean>;
  customerOf(approval: Approved): bigint | null;
}

/** The content of the approval, in canonical form. */
interface Approved {
  readonly content: string;
}

export interface CertificationAttempt {
  readonly id: string;
  readonly level: CertificationLevel;
  readonly state: ApplicationRow['state'];
  readonly submittedAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: bigint | null;
  readonly reasons: readonly CertificationReason[];
}

interface CertificationReview {
  readonly application: ApplicationRow;
  readonly person: CertifiedPerson;
  readonly type: DocumentType;
  readonly maskedNumber: string;
  readonly checks: readonly AutomaticCheck[];
  readonly attempts: readonly CertificationAttempt[];
  readonly sides: readonly DocumentSide[];
}

export type ReviewRefusal = 'certification_unknown' | 'version_stale';
export type ApprovalRefusal = 'mask_missing' | 'primary_first' | 'duplicate_person' | SigningRefusal;

/** Operators' acts on certifications. Every view and every decision is logged in the same transaction. */
export interface CertificationReviews {
  list(wanted: ApplicationFilter): Promise<readonly ApplicationRow[]>;
  counts(): Promise<{ readonly waiting: number; readonly oldest: Date | null }>;
  /** The personal data and the results of automatic checks, without pictures. */
  read(id: string, now: Date): Promise<CertificationReview | null>;
  /** Returns a ticket to view one picture once within a minute. It counts against the operator's hourly limit. */
  open(
    reviewer: Reviewer,
    id: string,
    side: DocumentSide,
    now: Date,
  ): Promise<
    Decision<
      { readonly ticket: string; readonly expiresAt: Date; readonly left: number },
      'certification_unknown' | 'picture_unknown' | 'hour_budget_spent'
    >
  >;
  /** Returns a ticket's picture once, with the operator's work name drawn over it; null for any other ticket. */
  look(reviewer: Reviewer, ticket: string, now: Date): Promise<Buffer | null>;
  /** The reviewer signs the approval. Without a confirmation the refusal names what is to be confirmed. */
  approve(
    reviewer: Reviewer,
    wanted: { readonly id: string; readonly version: number; readonly isMasked: boolean; readonly note?: string },
    now: Date,
  ): Promise<Decision<null, ReviewRefusal | ApprovalRefusal>>;
  sendBack(
    reviewer: Reviewer,
    wanted: {
      readonly id: string;
      readonly version: number;
      readonly reasons: readonly RedoReason[];
      readonly sides: readonly DocumentSide[];
      readonly note?: string;
    },
    now: Date,
  ): Promise<Decision<null, ReviewRefusal | 'reason_unknown' | 'side_missing'>>;
  /**
   * Rejects for good. The caller has verified in this transaction that two operators agree. Notify the customer after
   * the commit.
   */
  refuse(
    transaction: Transaction,
    reviewer: Reviewer,
    wanted: {
      readonly id: string;
      readonly version: number;
      readonly reason: FinalCertificationReason;
      readonly note?: string;
    },
    now: Date,
  ): Promise<Decision<{ readonly customer: bigint }, ReviewRefusal>>;
  tellRefused(customer: bigint, now: Date): Promise<void>;
  /** Asks a second operator to approve a final rejection, signed by the reviewer. Changes nothing yet. */
  proposeRefusal(
    reviewer: Reviewer,
    wanted: {
      readonly id: string;
      readonly version: number;
      readonly reason: FinalCertificationReason;
      readonly note?: string;
    },
    now: Date,
  ): Promise<
    Decision<{ readonly id: string; readonly fingerprint: string }, ReviewRefusal | SigningRefusal | 'refusal_waits'>
  >;
  viewsLeft(reviewer: Reviewer, now: Date): Promise<number>;
}
