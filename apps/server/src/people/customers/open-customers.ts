import assert from 'node:assert';
import type { Currency } from '@sathorn/api';
import type { Brand } from '@sathorn/brand';
import type { Decision } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import { everyJob, type Module, sweepJob } from '../../platform/module.ts';
import { openSealer } from '../../platform/sealing.ts';
import { openAntiPhishing } from './anti-phishing/anti-phishing.ts';
import { CODE_BUDGETS, type CodeBudgetAlarm, openCodeBudget } from './codes/code-budget.ts';
import { sweepCodes } from './codes/code-store.ts';
import { openCodes } from './codes/codes.ts';
import { createCustomer } from './create-customer.ts';
import { readCredential } from './credential-store.ts';
import { customerHandlers } from './customer-handlers.ts';
import {
  countConsenting,
  findByUsernameKey,
  findCustomerRow,
  listConsenting,
  listIdsAfter,
  readCustomer,
  readFrozen,
  refuseFrozen,
} from './customer-store.ts';
import { type FactorResetDesk, type FactorResets, openFactorResets } from './factor-reset/factor-resets.ts';
import {
  endReversalFreezes,
  type FreezeScope,
  freezeForReversal,
  isFrozenIn,
  listFrozenTraders,
  lockFrozen,
} from './freeze-store.ts';
import { type Invitations, invitations } from './invitations.ts';
import { keyedHashOf } from './keyed-hash.ts';
import { CUSTOMER_LIMITS } from './limits/customer-limits.ts';
import { openLoginLimits } from './limits/login-limits.ts';
import { openStoredRateLimiter } from './limits/stored-rate-limiter.ts';
import { type Areas, contactOf } from './names/contact.ts';
import { usernameKey } from './names/username-key.ts';
import { openOpaqueIds } from './opaque-ids.ts';
import type { Outbox } from './outbox/outbox.ts';
import { createPasswordHasher, PASSWORD_COST, type PasswordCost } from './passwords/password-hasher.ts';
import { openPaymentPasswords } from './passwords/payment-passwords.ts';
import type { CustomerStanding, Room } from './room.ts';
import type { Operation, StepUpRefusal } from './second-factor/operation.ts';
import { openSecondFactor } from './second-factor/second-factor.ts';
import { credentialsChangedAt, sweepOldChallenges } from './second-factor/second-factor-store.ts';
import { sweepSignIns } from './second-factor/sign-in-store.ts';
import { sweepSessions } from './sessions/session-store.ts';
import { openSessions, type Sessions } from './sessions/sessions.ts';
import { openStaffAccess, type StaffAccess } from './staff-access.ts';
import { openVisitors, type Visitors } from './visitors.ts';

const CODE_MEMORY_MS = 24 * 60 * 60 * 1_000;
const SESSION_MEMORY_MS = 180 * 24 * 60 * 60 * 1_000;
/** Limit per sweep; the next sweep removes the rest. */
const SESSIONS_SWEPT_MAX = 10_000;

/** How soon a reset that is due is carried out, and one whose factor was used is stopped. */
const RESETS_EVERY_MS = 10_000;

const NO_STANDING: CustomerStanding = {
  certification: { primary: 'none', advanced: 'none', reason: null },
  level: 0,
};

export interface CustomersDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly messages: Room['messages'];
  readonly files: Room['files'];
  readonly outbox: Outbox;
  readonly ledger: Room['ledger'];
  /** Deposits and withdrawals, which other rooms store. */
  readonly movements?: Room['movements'];
  /** A customer's certification and VIP level; without it everybody has none. */
  readonly standing?: Room['standing'];
  /** A coin's newest index, for valuing holdings. */
  readonly priceOf?: Room['priceOf'];
  readonly mode: 'demo' | 'live';
  readonly secrets: {
    /**
     * The pepper for new password hashes. `olderPeppers` still verify older hashes until their customers next sign in.
     */
    readonly pepper: Buffer;
    readonly olderPeppers?: readonly Buffer[];
    readonly sessionKey: Buffer;
    /** Encrypts the keys of authenticator apps. */
    readonly identityKey: Buffer;
  };
  readonly brand: Brand;
  /** Origins of the app, the main one first. Passkeys are valid for them. */
  readonly origins: readonly [string, ...string[]];
  /** Invitation codes with which a live brand's first customers sign up. */
  readonly inviteCodes?: readonly string[];
  /** Where operators decide about lost second factors; without it nobody can ask for a reset. */
  readonly desk?: FactorResetDesk;
  /** Never below the default in live mode. */
  readonly passwordCost?: PasswordCost;
  readonly onFault?: (error: unknown) => void;
  /** Receives alarms for the operator; without it they are reported as faults. */
  readonly onAlarm?: (alarm: CustomersAlarm) => void;
}

/** Somebody tries passwords on many names, or the day's codes are running out. */
export type CustomersAlarm = { readonly alarm: 'login_spray' } | CodeBudgetAlarm;

function alarmText(alarm: CustomersAlarm): string {
  if (alarm.alarm === 'login_spray') return 'alarm: login_spray';
  const { kind, part, percent, max } = alarm;
  const what = part === 'all' ? `the codes to a ${kind}` : `the codes to a ${kind} for signing up`;
  return `alarm: ${percent}% of ${what} of a day are spent (${max})`;
}

export interface DemoCustomer {
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
  /** Whether the customer's second factor confirms this operation. Accepts customers without one. */
  checkSecondFactor(
    customer: bigint,
    operation: Operation,
    proof: string | undefined,
    now: Date,
  ): Promise<Decision<null, StepUpRefusal>>;
  /** The latest change of a password, a contact or a second factor since the sign-up; null if there was none. */
  credentialsChangedAt(queries: Queries, customer: bigint): Promise<Date | null>;
  /** At most five seconds old. */
  accountState(customer: bigint, now: Date): Promise<{ readonly frozen: boolean }>;
  /** Which of these are frozen. Call it in the transaction that a frozen account must not make. */
  readFrozen(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Everybody who may not trade now. */
  frozenTraders(queries: Queries): Promise<readonly bigint[]>;
  /** For speculative batches: the database rejects the batch if any of these customers is frozen. */
  refuseFrozen(queries: Queries, customers: readonly bigint[]): Promise<void>;
  /** Unmasked nicknames of customers who agreed to public lists; the others are absent. */
  namesOfConsenting(customers: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>;
  countConsenting(): Promise<number>;
  usernameOf(customer: bigint): Promise<string>;
  joinedAt(customer: bigint): Promise<Date>;
  /** Null if the customer has set none. */
  antiPhishingWord(customer: bigint): Promise<string | null>;
  /** Which of these sessions are open, of customers who may sign in. */
  openSessionsOf(queries: Queries, sessions: readonly string[], now: Date): Promise<ReadonlySet<string>>;
  exists(customer: bigint): Promise<boolean>;
  /** Customers by id, after a given one; for notices to all of them. */
  idsAfter(queries: Queries, after: bigint, limit: number): Promise<readonly bigint[]>;
  /** Null when the account may not invite. */
  inviteCodeOf(customer: bigint): Promise<string | null>;
  /** Demo mode only: creates a customer without a code, or returns the existing one with this username. */
  enrolDemo(customer: DemoCustomer, now?: Date): Promise<bigint>;
  /** Whether any freeze covers this now. */
  isFrozen(queries: Queries, customer: bigint, scope: FreezeScope): Promise<boolean>;
  /**
   * The same for several customers, within the transaction of a decision: none of them can be frozen before it ends.
   */
  lockFrozen(transaction: Queries, customers: readonly bigint[], scope: FreezeScope): Promise<ReadonlySet<bigint>>;
  /**
   * An automatic freeze, because the house bore a part of a reversed deposit. It ends when the debt is paid, or at its
   * end time.
   */
  freezeForReversal(
    transaction: Queries,
    freeze: { readonly id: string; readonly customer: bigint; readonly until: Date },
  ): Promise<void>;
  endReversalFreezes(transaction: Queries, customer: bigint): Promise<void>;
  readonly invitations: Invitations;
  readonly visitors: Visitors;
  /** Null without a desk of operators. */
  readonly factorResets: FactorResets | null;
  /** What operators may do, for the console. */
  readonly staff: StaffAccess;
  /** Removes counters, codes and sessions that are no longer needed. */
  sweep(now?: Date): Promise<void>;
  /** Writes pending changes and waits until all messages are sent. */
  close(): Promise<void>;
}

/** `room` is for this module's own tests. */
export function openCustomers(dependencies: CustomersDependencies): Module<Customers> & { readonly room: Room } {
  const {
    database,
    clock,
    bus,
    messages,
    files,
    outbox,
    ledger,
    standing = async () => NO_STANDING,
    priceOf = () => null,
    movements = null,
    mode,
    secrets,
    brand,
    origins,
    inviteCodes = [],
    passwordCost = PASSWORD_COST,
    desk,
  } = dependencies;
  const { onFault = () => undefined } = dependencies;
  const { onAlarm = (alarm) => onFault(new Error(alarmText(alarm))) } = dependencies;
  assert(
    mode === 'demo' || passwordCost.memoryKiB >= PASSWORD_COST.memoryKiB,
    'passwords of a live brand are hashed at full cost',
  );

  const areas: Areas = [brand.areaCode, ...brand.otherAreaCodes];
  const keyedHash = keyedHashOf(secrets.sessionKey);
  const limits = CUSTOMER_LIMITS[mode];
  const rateLimiter = openStoredRateLimiter(database, keyedHash);
  const codeBudget = openCodeBudget(limits, onAlarm);
  const hasher = createPasswordHasher({
    peppers: [secrets.pepper, ...(secrets.olderPeppers ?? [])],
    cost: passwordCost,
  });
  const sessions = openSessions({
    database,
    bus,
    keyedHash,
    onFault,
    lifeDays: brand.sessionLifeDays,
  });
  const party = { name: brand.title, id: new URL(origins[0]).hostname, origins };
  const sealer = openSealer(secrets.identityKey, 'customers');
  const room: Room = {
    mode,
    brand: {
      name: brand.title,
      areas,
      timeZone: brand.timeZone,
      inviteRequired: brand.inviteRequired,
      // A live brand ignores the demo's code, because everybody knows it.
      inviteCodes: new Set(
        [...(mode === 'demo' ? [brand.demoInviteCode] : []), ...inviteCodes].map((code) => code.toUpperCase()),
      ),
    },
    database,
    keyedHash,
    opaqueIds: openOpaqueIds(keyedHash),
    limits,
    rateLimiter,
    loginLimits: openLoginLimits({ rateLimiter, limits, keyedHash, onAlarm }),
    hasher,
    paymentPasswords: openPaymentPasswords({ database, hasher, messages, onFault }),
    codeBudget,
    codes: openCodes({ database, keyedHash, rateLimiter, limits, codeBudget, outbox, brand: brand.title }),
    outbox,
    sessions,
    secondFactor: openSecondFactor({
      database,
      sealer,
      keyedHash,
      rateLimiter,
      limits,
      party,
    }),
    antiPhishing: openAntiPhishing(sealer),
    party,
    ledger,
    movements,
    standing,
    priceOf,
    messages,
    files,
    onFault,
  };

  const factorResets = desk ? openFactorResets(room, desk) : null;
  const api: Customers = {
    sessions,
    visitors: openVisitors(room),
    factorResets,
    checkPaymentPassword: (customer, paypass, now) => room.paymentPasswords.check(customer, paypass, now),
    hasPaymentPassword: async (customer) => (await readCredential(database, customer, 'payment')) !== null,
    checkSecondFactor: room.secondFactor.checkOperation,
    credentialsChangedAt,
    accountState: async (customer, now) => ({
      frozen: sessions.isFrozenInMemory(customer, now) ?? (await readFrozen(database, [customer])).has(customer),
    }),
    readFrozen,
    frozenTraders: listFrozenTraders,
    refuseFrozen,
    isFrozen: isFrozenIn,
    invitations,
    lockFrozen,
    freezeForReversal,
    endReversalFreezes,
    staff: openStaffAccess(room),
    namesOfConsenting: (customers) => listConsenting(database, customers),
    idsAfter: listIdsAfter,
    countConsenting: () => countConsenting(database),
    usernameOf: async (customer) => (await readCustomer(database, customer)).username,
    joinedAt: async (customer) => (await readCustomer(database, customer)).created_at,
    antiPhishingWord: async (customer) => (await room.antiPhishing.read(database, customer))?.word ?? null,
    openSessionsOf: sessions.openOf,
    exists: async (customer) => (await findCustomerRow(database, customer)) !== null,
    inviteCodeOf: async (customer) => {
      const { invite_code: code, invite_allowed: isAllowed } = await readCustomer(database, customer);
      return isAllowed ? code : null;
    },
    enrolDemo: async (
      { contact: text, currency = brand.currency, language = brand.locale, invitedBy = null, ...wanted },
      now = clock.now(),
    ) => {
      assert(mode === 'demo', 'a live brand has no demo customers');
      const existing = await findByUsernameKey(database, usernameKey(wanted.username));
      if (existing) return existing.id;
      const contact = contactOf(text, areas);
      assert(contact, `${text} is no contact`);
      const nickname = wanted.nickname ?? wanted.username;
      const created = await createCustomer(
        room,
        { ...wanted, nickname, contacts: [contact], currency, language, invitedBy, prepare: async () => null },
        now,
      );
      if (created.ok) return created.effect.customer.id;
      // Another process that starts at the same time has created it.
      const twin = await findByUsernameKey(database, usernameKey(wanted.username));
      assert(twin, `${text} is another customer's`);
      return twin.id;
    },
    sweep: async (now = clock.now()) => {
      await rateLimiter.sweep(now);
      await sweepCodes(database, new Date(now.getTime() - CODE_MEMORY_MS));
      await sweepOldChallenges(database, new Date(now.getTime() - CODE_MEMORY_MS));
      await sweepSignIns(database, new Date(now.getTime() - SESSION_MEMORY_MS));
      await sweepSessions(database, new Date(now.getTime() - SESSION_MEMORY_MS), SESSIONS_SWEPT_MAX);
    },
    close: async () => {
      await Promise.all([sessions.close(), outbox.drained()]);
    },
  };
  return {
    api,
    room,
    handlers: customerHandlers(room, factorResets),
    jobs: [
      sweepJob(clock, onFault, api.sweep),
      ...(factorResets ? [everyJob(RESETS_EVERY_MS, onFault, factorResets.work)] : []),
    ],
    metrics: CODE_BUDGETS.map(({ kind, part }) => ({
      name: `sathorn_codes_spent_${part === 'all' ? kind : `${kind}_${part}`}`,
      help: 'Share of a day’s budget of verification codes, 1 is all.',
      read: (now) => codeBudget.spent(kind, part, now),
    })),
    close: api.close,
  };
}
