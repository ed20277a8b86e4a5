import type { CertificationReason, FinalReason } from '@sathorn/identity';
import type { Money } from '@sathorn/money';
import type { Certified } from '@sathorn/settlement';
import type { Ledger } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries, Transaction } from '../../platform/database/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { Module } from '../../platform/module.ts';
import { openSealer } from '../../platform/sealing.ts';
import type { Messages } from '../messages/index.ts';
import { approveCertificationHandler } from './approve-certification.ts';
import { openPerson, stateOf } from './certification.ts';
import { type ApplicationRow, certifiedAmong, latestOf, verifiedSince } from './certification-store.ts';
import { certifyCustomerHandler } from './certify-customer.ts';
import { listCertificationsHandler } from './list-certifications.ts';
import { listCustomerCertificationsHandler } from './list-customer-certifications.ts';
import { openCertificationPictureHandler } from './open-certification-picture.ts';
import { readCertificationHandler } from './read-certification.ts';
import { readCertificationCaseHandler } from './read-certification-case.ts';
import { readCertificationPictureHandler } from './read-certification-picture.ts';
import { refuseCertificationHandler } from './refuse-certification.ts';
import { openReviews, type Reviews } from './reviews.ts';
import type { CertificationsRoom } from './room.ts';
import { sendBackCertificationHandler } from './send-back-certification.ts';
import type { ReviewRoom } from './view-case.ts';

/** An operator who reviews certifications. */
export interface Reviewer {
  readonly id: bigint;
  readonly workName: string;
  readonly sessionId: string;
}

export interface CertificationsDependencies {
  readonly database: Database;
  readonly files: Pick<Files, 'keepAsDocument' | 'readMarked'>;
  readonly messages: Pick<Messages, 'send'>;
  readonly secrets: { readonly identityKey: Buffer };
  readonly clock: Clock;
  /** The brand's time zone, which decides when a document expires and a person comes of age. */
  readonly timeZone: string;
  /** The current daily withdrawal limits in USDT, by certification. */
  readonly dailyMax: () => Readonly<Record<Certified, Money<'USDT'>>>;
  /** The work name of an operator. */
  readonly staffName: (operator: bigint) => Promise<string>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  /** Approvals that need a second operator. */
  readonly approvals: {
    open(
      transaction: Queries,
      opening: {
        readonly kind: 'certification_refusal';
        readonly subject: string;
        readonly fingerprintOf: Readonly<Record<string, string>>;
        readonly need: 1;
        readonly madeBy: bigint;
        readonly roles: readonly ['compliance'];
        readonly about: readonly bigint[];
        readonly reason: string;
        readonly expiresAt: Date;
      },
    ): Promise<{ readonly id: string; readonly fingerprint: string }>;
    isWaiting(queries: Queries, kind: string, subject: string): Promise<boolean>;
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
   * Runs the transaction that certifies a customer, and in it makes their locked rewards available. Returns whose
   * balances it moved.
   */
  readonly rewards: {
    inTransaction: Ledger['payMany'];
    release(transaction: Queries, customer: bigint): Promise<boolean>;
  };
  readonly onFault?: (error: unknown) => void;
}

export interface LevelState {
  readonly state: 'none' | 'review' | 'verified' | 'rejected';
  readonly reasons: readonly CertificationReason[];
}
export interface CertificationState {
  readonly primary: LevelState;
  readonly advanced: LevelState;
}

export interface Certifications {
  stateOf(queries: Queries, customer: bigint): Promise<CertificationState>;
  /** The highest verified level. */
  certifiedOf(queries: Queries, customer: bigint): Promise<Certified>;
  /** Those of the customers who are certified at any level. */
  certifiedAmong(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Names on the verified documents; empty while the customer is not certified. */
  certifiedNames(customer: bigint): Promise<readonly string[]>;
  /** Customers whose primary certification was verified since this time. */
  verifiedSince(since: Date): Promise<readonly bigint[]>;
  readonly reviews: Reviews;
  /** Carries out a final rejection once a second operator has approved it. */
  readonly refusalKind: RefusalKind;
}

export interface RefusalKind {
  apply(transaction: Transaction, approval: Approved, operator: Reviewer): Promise<boolean>;
  customerOf(approval: Approved): bigint | null;
}
/** The content of the approval, in canonical form. */
interface Approved {
  readonly content: string;
}

interface Refusal {
  readonly id: string;
  readonly version: string;
  readonly reason: FinalReason;
  readonly customer: string;
}

const levelState = (row: ApplicationRow | null): LevelState => ({ state: stateOf(row), reasons: row?.reasons ?? [] });

export function openCertifications(dependencies: CertificationsDependencies): Module<Certifications> {
  const { database } = dependencies;
  const sealer = openSealer(dependencies.secrets.identityKey, 'certifications');
  const room: CertificationsRoom = { ...dependencies, sealer, onFault: dependencies.onFault ?? (() => undefined) };
  const api: Certifications = {
    stateOf: async (queries, customer) => {
      const { primary, advanced } = await latestOf(queries, customer);
      return { primary: levelState(primary), advanced: levelState(advanced) };
    },
    certifiedOf: async (queries, customer) => {
      const { primary, advanced } = await latestOf(queries, customer);
      if (advanced?.state === 'verified') return 'advanced';
      return primary?.state === 'verified' ? 'primary' : 'none';
    },
    certifiedAmong,
    verifiedSince: (since) => verifiedSince(database, since),
    certifiedNames: async (customer) => {
      const { primary, advanced } = await latestOf(database, customer);
      return [primary, advanced].flatMap((row) => (row?.state === 'verified' ? [openPerson(sealer, row).name] : []));
    },
    reviews: openReviews(room),
    refusalKind: {
      apply: async (transaction, { content }, operator) => {
        const { customer: _whose, version, ...wanted } = JSON.parse(content) as Refusal;
        const now = room.clock.now();
        const done = await api.reviews.refuse(transaction, operator, { ...wanted, version: Number(version) }, now);
        // Notifies before the commit: if it is rolled back, the extra notice does no harm.
        if (done.ok) await api.reviews.tellRefused(done.effect.customer, now);
        return done.ok;
      },
      customerOf: ({ content }) => BigInt((JSON.parse(content) as Refusal).customer),
    },
  };
  const reviewRoom: ReviewRoom = { ...room, reviews: api.reviews };
  return {
    api,
    handlers: [
      readCertificationHandler(room),
      certifyCustomerHandler(room),
      listCertificationsHandler(reviewRoom),
      listCustomerCertificationsHandler(reviewRoom),
      readCertificationCaseHandler(reviewRoom),
      openCertificationPictureHandler(reviewRoom),
      readCertificationPictureHandler(reviewRoom),
      approveCertificationHandler(reviewRoom),
      sendBackCertificationHandler(reviewRoom),
      refuseCertificationHandler(reviewRoom),
    ],
  };
}
