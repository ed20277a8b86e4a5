import type { DepositRecord, User, WithdrawalRecord } from '@sathorn/api';
import type { CoinCode, Price } from '@sathorn/money';
import type { Ledger } from '../../ledger/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { Messages } from '../messages/index.ts';
import type { AntiPhishing } from './anti-phishing/anti-phishing.ts';
import type { CodeBudget } from './codes/code-budget.ts';
import type { Codes } from './codes/codes.ts';
import type { KeyedHash } from './keyed-hash.ts';
import type { CustomerLimits } from './limits/customer-limits.ts';
import type { LoginLimits } from './limits/login-limits.ts';
import type { StoredRateLimiter } from './limits/stored-rate-limiter.ts';
import type { Areas } from './names/contact.ts';
import type { OpaqueIds } from './opaque-ids.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import type { PaymentPasswords } from './passwords/payment-passwords.ts';
import type { RelyingParty } from './second-factor/passkeys.ts';
import type { SecondFactor } from './second-factor/second-factor.ts';
import type { Sessions } from './sessions/sessions.ts';

/** A deposit or withdrawal, and what it moved. */
export interface Movement<Record> {
  readonly record: Record;
  readonly at: Date;
  /** The journal that credited it, or the hold that was posted; null if nothing has moved. */
  readonly journal: string | null;
  readonly hold: bigint | null;
}
export interface MovementPlace {
  readonly at: Date;
  readonly id: string;
}
/** A customer's movements after a cursor, newest first. */
export interface MovementList<Record> {
  list(
    customer: bigint,
    status: 'all' | 'completed' | 'undone',
    after: MovementPlace | null,
    skip: number,
    limit: number,
  ): Promise<readonly Movement<Record>[]>;
  /** Null if it does not exist or belongs to another customer. */
  read(customer: bigint, id: string): Promise<Movement<Record> | null>;
}
export interface Movements {
  readonly deposits: MovementList<DepositRecord>;
  readonly withdrawals: MovementList<WithdrawalRecord>;
}

/** What other rooms know about a customer, in the app's format. */
export interface CustomerStanding {
  readonly certification: User['certification'];
  readonly level: number;
}

/** What this room's handlers share. */
export interface Room {
  readonly mode: 'demo' | 'live';
  readonly brand: {
    readonly name: string;
    readonly areas: Areas;
    /** For times in SMS and mails, whose reader's own zone is unknown. */
    readonly timeZone: string;
    readonly inviteRequired: boolean;
    /** The house's invitation codes in upper case; they have no inviter. */
    readonly inviteCodes: ReadonlySet<string>;
  };
  readonly database: Database;
  readonly keyedHash: KeyedHash;
  readonly opaqueIds: OpaqueIds;
  readonly limits: CustomerLimits;
  readonly rateLimiter: StoredRateLimiter;
  readonly loginLimits: LoginLimits;
  readonly hasher: PasswordHasher;
  readonly paymentPasswords: PaymentPasswords;
  readonly codeBudget: CodeBudget;
  readonly codes: Codes;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly antiPhishing: AntiPhishing;
  /** The site for which passkeys are valid. */
  readonly party: RelyingParty;
  /** Only read here. */
  readonly ledger: Pick<Ledger, 'balances' | 'statement' | 'transfersOf' | 'transfersOfHolds'>;
  /** Null when there are no deposits and withdrawals, only ledger lines. */
  readonly movements: Movements | null;
  /** The customer's certification and VIP level. */
  readonly standing: (customer: bigint) => Promise<CustomerStanding>;
  /** The newest index of a coin; null before the first. */
  readonly priceOf: (coin: CoinCode) => Price | null;
  readonly messages: Pick<Messages, 'send'>;
  readonly files: Pick<Files, 'resolveForAvatar'>;
  /** Receives faults that must not fail a customer's call. */
  readonly onFault: (error: unknown) => void;
}
