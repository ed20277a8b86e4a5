import type { Currency, DepositRecord, User, WithdrawalRecord } from '@sathorn/api';
import type { Brand } from '@sathorn/brand';
import type { CoinCode, Price } from '@sathorn/money';
import type { PracticeTicket } from '@sathorn/proof';
import type { Decision } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Ledger } from '../../ledger/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries, Transaction } from '../../platform/database/index.ts';
import type { ApiKeys, TakeOrdered } from '../../platform/edge/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { RelyingParty } from '../../platform/webauthn.ts';
import type { Messages } from '../messages/index.ts';
import type { AntiPhishing } from './anti-phishing/anti-phishing.ts';
import type { OpenApiKeys } from './api-keys/api-keys.ts';
import type { CodeBudget, CodeBudgetAlarm } from './codes/code-budget.ts';
import type { VerificationCodes } from './codes/verification-codes.ts';
import type { CredentialRow } from './credential-store.ts';
import type { CustomerRow } from './customer-store.ts';
import type { FactorResetRow } from './factor-reset/factor-reset-store.ts';
import type { FreezeReason, FreezeRow, FreezeScope } from './freeze-store.ts';
import type { Invitations } from './invitations.ts';
import type { KeyedHash } from './keyed-hash.ts';
import type { CustomerLimits } from './limits/customer-limits.ts';
import type { LoginLimits } from './limits/login-limits.ts';
import type { StoredRateLimiter } from './limits/stored-rate-limiter.ts';
import type { Contact, PhoneAreas } from './names/contact.ts';
import type { OpaqueIds } from './opaque-ids.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { PasswordCost, PasswordHasher } from './passwords/password-hasher.ts';
import type { PaymentPasswords } from './passwords/payment-tries.ts';
import type { GuardedOperation, StepUpRefusal } from './second-factor/guarded-operation.ts';
import type { SecondFactor } from './second-factor/second-factor.ts';
import type { SignInFactor, SignInFailure } from './second-factor/sign-in-store.ts';
import type { Device } from './sessions/device.ts';
import type { ListedSessionRow } from './sessions/session-store.ts';
import type { Sessions } from './sessions/sessions.ts';

/** A deposit or withdrawal with its transfers. */
export interface MoneyMovement<Record> {
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
  ): Promise<readonly MoneyMovement<Record>[]>;
  /** Null if it does not exist or belongs to another customer. */
  read(customer: bigint, id: string): Promise<MoneyMovement<Record> | null>;
}
export interface MovementLists {
  readonly deposits: MovementList<DepositRecord>;
  readonly withdrawals: MovementList<WithdrawalRecord>;
}

/** The customer's certification and VIP level, in the app's format. */
export interface CustomerStanding {
  readonly certification: User['certification'];
  readonly level: number;
}

/** The dependencies and parts that all handlers of this module share. */
export interface CustomersModule {
  readonly mode: 'demo' | 'live';
  readonly brand: {
    readonly name: string;
    readonly areas: PhoneAreas;
    readonly currency: Currency;
    /** The zone for times in SMS and mails, because the reader's own zone is unknown. */
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
  readonly codes: VerificationCodes;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly antiPhishing: AntiPhishing;
  readonly apiKeys: OpenApiKeys;
  /** The site for which passkeys are valid. */
  readonly party: RelyingParty;
  /** This module only reads from the ledger. */
  readonly ledger: Pick<Ledger, 'balances' | 'chains' | 'statement' | 'transfersOf' | 'transfersOfHolds'>;
  /** The customer's certification and VIP level. */
  readonly standing: (customer: bigint) => Promise<CustomerStanding>;
  /** The newest index of a coin; null before the first. */
  readonly priceOf: (coin: CoinCode) => Price | null;
  readonly messages: Pick<Messages, 'send'>;
  readonly files: Pick<Files, 'resolveForAvatar'>;
  /** Receives faults that must not fail a customer's call. */
  readonly onFault: (error: unknown) => void;
}

export interface AccountRecordsDependencies {
  readonly ledger: CustomersModule['ledger'] & Pick<Ledger, 'totalsAt'>;
  readonly secrets: { readonly sessionKey: Buffer };
  /** Deposits and withdrawals, which other modules store; null if the statement has only ledger lines. */
  readonly movements: MovementLists | null;
  /** The newest daily candles of a coin's index that begin before a moment: when each began, and its close. */
  readonly dailyCloses: ReadDailyCloses;
}
export type ReadDailyCloses = (
  coin: CoinCode,
  before: Date,
  limit: number,
) => Promise<readonly { readonly at: number; readonly close: bigint }[]>;

export interface CustomersDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly messages: CustomersModule['messages'];
  readonly files: CustomersModule['files'];
  readonly outbox: Outbox;
  readonly ledger: CustomersModule['ledger'];
  /** A customer's certification and VIP level; without it everybody has none. */
  readonly standing?: CustomersModule['standing'];
  /** A coin's newest index, to value holdings. */
  readonly priceOf?: CustomersModule['priceOf'];
  readonly mode: 'demo' | 'live';
  /**
   * True on a practice platform: its accounts have no passwords and no factors, so neither confirms anything there, and
   * sessions are short, because a freeze of the real account stops only the next entry.
   */
  readonly isPractice?: boolean;
  readonly secrets: {
    /**
     * The pepper for new password hashes. `olderPeppers` still verify older hashes until their customers next sign in.
     */
    readonly pepper: Buffer;
    readonly olderPeppers?: readonly Buffer[];
    readonly sessionKey: Buffer;
    /** The key that encrypts the keys of authenticator apps. */
    readonly identityKey: Buffer;
  };
  readonly brand: Brand;
  /** Origins of the app, the main one first. Passkeys are valid for all of them. */
  readonly origins: readonly [string, ...string[]];
  /** Invitation codes with which a live brand's first customers sign up. */
  readonly inviteCodes?: readonly string[];
  /** Where operators decide about lost second factors. Without it, no customer can request a reset. */
  readonly desk?: FactorResetDesk;
  /** Never below the default in live mode. */
  readonly passwordCost?: PasswordCost;
  readonly onFault?: (error: unknown) => void;
  /** Receives alarms for the operator; without it they are reported as faults. */
  readonly onAlarm?: (alarm: CustomersAlarm) => void;
}

/** `login_spray`: somebody tries passwords on many names. Otherwise the day's codes are running out. */
export type CustomersAlarm = { readonly alarm: 'login_spray' } | CodeBudgetAlarm;

/** Accounts that tickets of the real platform open (decision 0096). */
export interface PracticeAccounts {
  /** A customer's name towards the practice platform: 16 bytes in hex, from which nobody else can tell the customer. */
  pseudonymOf(customer: bigint): string;
  /** Uses up the ticket and returns its account, which the first ticket of a pseudonym opens. */
  take(ticket: PracticeTicket, now: Date): Promise<Decision<bigint, 'practice_ticket_used'>>;
  signIn(
    customer: bigint,
    client: { readonly address: string; readonly device: string },
    appKey: string | undefined,
    now: Date,
  ): Promise<{ readonly token: string; readonly user: User }>;
}

interface DemoCustomer {
  readonly username: string;
  readonly password: string;
  readonly paypass: string;
  /** Phone or email, in any spelling. */
  readonly contact: string;
  readonly nickname?: string;
  readonly currency?: Currency;
  readonly language?: Language;
  readonly invitedBy?: bigint;
}

export interface Customers {
  readonly sessions: Pick<Sessions, 'resolve'>;
  /** Makes one try of the payment password; five wrong ones lock it for 24 hours. */
  checkPaymentPassword(
    customer: bigint,
    paypass: string,
    now: Date,
  ): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>>;
  hasPaymentPassword(customer: bigint): Promise<boolean>;
  /** Checks whether the customer's second factor confirms this operation. Accepts customers without one. */
  checkSecondFactor(
    customer: bigint,
    operation: GuardedOperation,
    proof: string | undefined,
    now: Date,
  ): Promise<Decision<null, StepUpRefusal>>;
  /** The latest change of a password, a contact or a second factor since the sign-up; null if there was none. */
  credentialsChangedAt(queries: Queries, customer: bigint): Promise<Date | null>;
  /** The state may be up to five seconds old. */
  accountState(customer: bigint, now: Date): Promise<{ readonly frozen: boolean }>;
  /** Returns the frozen ones of these customers. Call it in the transaction that frozen customers must not make. */
  readFrozen(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** All customers who may not trade now. */
  frozenTraders(queries: Queries): Promise<readonly bigint[]>;
  /** Called for speculative batches: the database rejects the batch if any of these customers is frozen. */
  refuseFrozen(queries: Queries, customers: readonly bigint[]): Promise<void>;
  /** Unmasked nicknames of customers who agreed to public lists; the others are absent. */
  namesOfConsenting(customers: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>;
  countConsenting(): Promise<number>;
  usernameOf(customer: bigint): Promise<string>;
  joinedAt(customer: bigint): Promise<Date>;
  /** Null if the customer has set none. */
  antiPhishingWord(customer: bigint): Promise<string | null>;
  /** Returns the sessions of these that are open and whose customers may sign in. */
  openSessionsOf(queries: Queries, sessions: readonly string[], now: Date): Promise<ReadonlySet<string>>;
  /** Takes what a customer's device signed with an order. */
  readonly takeOrdered: TakeOrdered;
  /** Judges requests that customers' API keys sign. */
  readonly apiKeys: ApiKeys;
  exists(customer: bigint): Promise<boolean>;
  /** Customers by id, after a given one; for notices to all of them. */
  idsAfter(queries: Queries, after: bigint, limit: number): Promise<readonly bigint[]>;
  /** Null if the customer may not invite. */
  inviteCodeOf(customer: bigint): Promise<string | null>;
  /** Demo mode only: creates a customer without a code, or returns the existing one with this username. */
  enrolDemo(customer: DemoCustomer, now?: Date): Promise<bigint>;
  /** True if any freeze covers this scope now. */
  isFrozen(queries: Queries, customer: bigint, scope: FreezeScope): Promise<boolean>;
  /** The same for several customers, in a decision's transaction; new freezes of them wait until it ends. */
  lockFrozen(transaction: Queries, customers: readonly bigint[], scope: FreezeScope): Promise<ReadonlySet<bigint>>;
  /**
   * Freezes a customer automatically, because the house paid a part of a reversed deposit. The freeze ends when the
   * debt is paid, or at its end time.
   */
  freezeForReversal(
    transaction: Queries,
    freeze: { readonly id: string; readonly customer: bigint; readonly until: Date },
  ): Promise<void>;
  endReversalFreezes(transaction: Queries, customer: bigint): Promise<void>;
  readonly practice: PracticeAccounts;
  readonly invitations: Invitations;
  readonly visitors: Visitors;
  /** Null without a desk of operators. */
  readonly factorResets: FactorResets | null;
  /** The acts of operators on customers, for the console. */
  readonly staff: StaffAccess;
  /** Removes counters, codes and sessions that are no longer needed. */
  sweep(now?: Date): Promise<void>;
  /** Writes pending changes and waits until all messages are sent. */
  close(): Promise<void>;
}

/**
 * The functions of the operators module that this module needs. That module depends on customers, so it cannot be
 * imported here.
 */
export interface FactorResetDesk {
  readonly approvals: {
    open(
      transaction: Queries,
      opening: {
        readonly kind: 'factor_reset';
        readonly subject: string;
        readonly fingerprintOf: Readonly<Record<string, string>>;
        readonly need: 1 | 2;
        readonly madeBy: null;
        readonly roles: readonly ['compliance'];
        readonly about: readonly bigint[];
        readonly expiresAt: Date;
        readonly effectiveFrom: Date;
      },
    ): Promise<{ readonly id: string }>;
    close(transaction: Queries, id: string, how: 'stale'): Promise<boolean>;
  };
  readonly audit: {
    append(
      transaction: Queries,
      entry: {
        readonly operator: null;
        readonly what: string;
        readonly on: { readonly kind: string; readonly id: string };
        readonly customer: bigint;
        readonly after?: Readonly<Record<string, string>>;
      },
    ): Promise<unknown>;
  };
  readonly votesOf: (
    queries: Queries,
    approvals: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly { readonly by: string }[]>>;
}

/** The kind of approval that operators register for resets. */
interface FactorResetKind {
  apply(transaction: Transaction, approval: { readonly subject: string }): Promise<boolean>;
  applied(): Promise<void>;
  stop(transaction: Transaction, approval: { readonly subject: string }): Promise<void>;
  rejected(transaction: Transaction, approval: { readonly subject: string }): Promise<void>;
  ended(approval: { readonly subject: string }): Promise<void>;
  customerOf(approval: { readonly content: string }): bigint;
}

export interface FactorResets {
  /** Requests a reset after the login password was proved. A repeated request returns the waiting reset. */
  ask(
    login: VerifiedLogin,
  ): Promise<Decision<{ row: FactorResetRow; isNew: boolean }, 'second_factor_off' | 'account_frozen' | 'reset_rests'>>;
  /** Returns false if no reset is waiting. */
  stop(customer: bigint, by: 'session' | 'word'): Promise<boolean>;
  /** The customer's waiting reset; null for none. */
  waiting(customer: bigint): Promise<FactorResetRow | null>;
  readonly kind: FactorResetKind;
  /** Carries out due resets, ends lapsed ones and those whose factor was used, reminds owners. A job calls it. */
  work(): Promise<void>;
}

/** Operators' acts on a customer's account. The caller logs each act. */
export interface StaffAccess {
  /** Finds by exact id, username, phone or email, or by a username's prefix. Null if the prefix is too short. */
  find(
    query: string | null,
    page: string | null,
  ): Promise<{ readonly rows: CustomerRow[]; readonly next: string | null; readonly total: number } | null>;
  read(customer: bigint): Promise<CustomerRow | null>;
  sessions(customer: bigint, now: Date): Promise<readonly ListedSessionRow[]>;
  /** Ends one session, or all. Pass the ids to `announceEnded` after the commit. */
  endSessions(transaction: Transaction, customer: bigint, session: string | null, now: Date): Promise<string[]>;
  announceEnded(sessionIds: readonly string[]): void;
  freezes(customer: bigint): Promise<FreezeRow[]>;
  freeze(
    transaction: Transaction,
    freeze: {
      readonly id: string;
      readonly customer: bigint;
      readonly scopes: FreezeScope[];
      readonly reason: FreezeReason;
      readonly by: { readonly id: bigint; readonly workName: string };
      readonly until: Date;
    },
  ): Promise<FreezeRow>;
  /** Runs in the transaction of the last vote. The database checks the approval. */
  changeFreeze(transaction: Queries, freeze: string, approval: string): Promise<void>;
  setInviteAllowed(transaction: Queries, customer: bigint, isAllowed: boolean): Promise<void>;
  /** Removals of a second factor: the waiting ones by their end, earliest first, or the ended ones, newest first. */
  factorResets(isWaiting: boolean): Promise<readonly FactorResetRow[]>;
  /** Null if it does not exist. */
  factorReset(id: string): Promise<FactorResetEvidence | null>;
}

/** The evidence that two people read before they approve the removal of a second factor. */
export interface FactorResetEvidence {
  readonly row: FactorResetRow;
  readonly earlier: readonly FactorResetRow[];
  readonly authenticatorSince: Date | null;
  readonly passkeys: number;
  readonly recoveryCodes: number;
  readonly factorUsedAt: Date | null;
  readonly passwordChangedAt: Date | null;
  readonly credentialsChangedAt: Date | null;
  readonly hasWord: boolean;
}

interface VisitorAnswer {
  readonly contact: Contact;
  readonly reference: string;
  readonly text: string;
  readonly language: Language;
}

/** People who write without an account. The contact that they type is never looked up among customers. */
export interface Visitors {
  /** Counts one message against the limits of this contact and network, before anything is stored. */
  take(
    contact: string,
    address: string,
    now: Date,
  ): Promise<Decision<Contact, 'contact_malformed' | 'visitor_delayed'>>;
  /** Prepares the SMS or mail in the answer's transaction. The returned function sends; call it after the commit. */
  answer(transaction: Queries, answer: VisitorAnswer, now: Date): Promise<() => void>;
}

export interface VerifiedLogin {
  readonly customer: CustomerRow;
  readonly credential: CredentialRow;
  /** True if the password should be hashed again. */
  readonly isOutdated: boolean;
  readonly device: Device;
  /** The key that recognised the device; null if the device is new. */
  readonly known: Buffer | null;
  /** True if the authenticator's code was right; the code is then used up. */
  readonly hasProvedFactor: boolean;
  /** Stores a failed sign-in, which the owner of the account can read. */
  fail(factor: SignInFactor, failure: SignInFailure): Promise<void>;
}
