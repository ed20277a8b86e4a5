import assert from 'node:assert';
import { everyJob, type Module, sweepJob } from '../../platform/module.ts';
import { openSealer } from '../../platform/sealing.ts';
import { openAntiPhishing } from './anti-phishing/anti-phishing.ts';
import { sweepApiNonces, sweepRefusalsBefore } from './api-keys/api-key-store.ts';
import { openApiKeys } from './api-keys/api-keys.ts';
import { CODE_BUDGETS, openCodeBudget } from './codes/code-budget.ts';
import { sweepCodes } from './codes/code-store.ts';
import { openVerificationCodes } from './codes/verification-codes.ts';
import { createCustomer } from './create-customer.ts';
import { readCredential } from './credential-store.ts';
import { customerHandlers } from './customer-handlers.ts';
import {
  countConsentingCustomers,
  findCustomerByUsernameKey,
  findCustomerRow,
  listConsentingNicknames,
  listCustomerIdsAfter,
  readCustomer,
  readFrozenCustomers,
  refuseFrozenCustomers,
} from './customer-store.ts';
import type {
  CustomerStanding,
  Customers,
  CustomersAlarm,
  CustomersDependencies,
  CustomersModule,
} from './customers.ts';
import { openOrderSignatures } from './device-keys/device-keys.ts';
import { openFactorResets } from './factor-reset/factor-resets.ts';
import {
  endReversalFreezes,
  freezeForReversal,
  isFrozenIn,
  listFrozenTraders,
  lockFrozenCustomers,
} from './freeze-store.ts';
import { invitationStore } from './invitations.ts';
import { keyedHashOf } from './keyed-hash.ts';
import { CUSTOMER_LIMITS } from './limits/customer-limits.ts';
import { openLoginLimits } from './limits/login-limits.ts';
import { openStoredRateLimiter } from './limits/stored-rate-limiter.ts';
import { contactOf, type PhoneAreas } from './names/contact.ts';
import { usernameKeyOf } from './names/username-key.ts';
import { openOpaqueIds } from './opaque-ids.ts';
import { createPasswordHasher, PASSWORD_COST } from './passwords/password-hasher.ts';
import { openPaymentPasswords } from './passwords/payment-passwords.ts';
import { openPracticeAccounts } from './practice/practice-accounts.ts';
import { WITHOUT_FACTORS, WITHOUT_PAYMENT_PASSWORDS } from './practice/without-secrets.ts';
import { openSecondFactor } from './second-factor/second-factor.ts';
import { readCredentialsChangedAt, sweepOldChallenges } from './second-factor/second-factor-store.ts';
import { sweepSignIns } from './second-factor/sign-in-store.ts';
import { sweepSessions } from './sessions/session-store.ts';
import { openSessions } from './sessions/sessions.ts';
import { openStaffAccess } from './staff-access.ts';
import { openVisitors } from './visitors.ts';

const CODE_MEMORY_MS = 24 * 60 * 60 * 1_000;
const SESSION_MEMORY_MS = 180 * 24 * 60 * 60 * 1_000;
/** Limit per sweep; the next sweep removes the rest. */
const SESSIONS_SWEPT_MAX = 10_000;

const PRACTICE_SESSION_DAYS = 1;

/** How often the job carries out due resets and stops those whose factor was used. */
const RESETS_EVERY_MS = 10_000;

const NO_STANDING: CustomerStanding = {
  certification: { primary: 'none', advanced: 'none', reason: null },
  level: 0,
};

function alarmText(alarm: CustomersAlarm): string {
  if (alarm.alarm === 'login_spray') return 'alarm: login_spray';
  const { kind, part, percent, max } = alarm;
  const what = part === 'all' ? `the codes to a ${kind}` : `the codes to a ${kind} for signing up`;
  return `alarm: ${percent}% of ${what} of a day are spent (${max})`;
}

/** `module` is only for this module's own tests. */
export function openCustomers(
  dependencies: CustomersDependencies,
): Module<Customers> & { readonly module: CustomersModule } {
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
    mode,
    isPractice = false,
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

  const areas: PhoneAreas = [brand.areaCode, ...brand.otherAreaCodes];
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
    lifeDays: isPractice ? PRACTICE_SESSION_DAYS : brand.sessionLifeDays,
  });
  const party = { name: brand.title, id: new URL(origins[0]).hostname, origins };
  const sealer = openSealer(secrets.identityKey, 'customers');
  const module: CustomersModule = {
    mode,
    brand: {
      name: brand.title,
      areas,
      currency: brand.currency,
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
    paymentPasswords: isPractice
      ? WITHOUT_PAYMENT_PASSWORDS
      : openPaymentPasswords({ database, hasher, messages, onFault }),
    codeBudget,
    codes: openVerificationCodes({
      database,
      keyedHash,
      rateLimiter,
      limits,
      codeBudget,
      outbox,
      brand: brand.title,
      host: party.id,
    }),
    outbox,
    sessions,
    secondFactor: {
      ...openSecondFactor({
        database,
        sealer,
        keyedHash,
        rateLimiter,
        limits,
        party,
      }),
      ...(isPractice && WITHOUT_FACTORS),
    },
    antiPhishing: openAntiPhishing(sealer),
    apiKeys: openApiKeys({ database, keyedHash, onFault }, bus),
    party,
    ledger,
    standing,
    priceOf,
    messages,
    files,
    onFault,
  };

  const factorResets = desk ? openFactorResets(module, desk) : null;
  const api: Customers = {
    sessions,
    visitors: openVisitors(module),
    factorResets,
    checkPaymentPassword: (customer, paypass, now) => module.paymentPasswords.check(customer, paypass, now),
    hasPaymentPassword: async (customer) => (await readCredential(database, customer, 'payment')) !== null,
    checkSecondFactor: module.secondFactor.checkOperation,
    credentialsChangedAt: readCredentialsChangedAt,
    accountState: async (customer, now) => ({
      frozen:
        sessions.isFrozenInMemory(customer, now) ?? (await readFrozenCustomers(database, [customer])).has(customer),
    }),
    readFrozen: readFrozenCustomers,
    frozenTraders: listFrozenTraders,
    refuseFrozen: refuseFrozenCustomers,
    isFrozen: isFrozenIn,
    practice: openPracticeAccounts(module),
    invitations: invitationStore,
    lockFrozen: lockFrozenCustomers,
    freezeForReversal,
    endReversalFreezes,
    staff: openStaffAccess(module),
    namesOfConsenting: (customers) => listConsentingNicknames(database, customers),
    idsAfter: listCustomerIdsAfter,
    countConsenting: () => countConsentingCustomers(database),
    usernameOf: async (customer) => (await readCustomer(database, customer)).username,
    joinedAt: async (customer) => (await readCustomer(database, customer)).created_at,
    antiPhishingWord: async (customer) => (await module.antiPhishing.read(database, customer))?.word ?? null,
    openSessionsOf: sessions.openOf,
    takeOrdered: openOrderSignatures(module),
    apiKeys: module.apiKeys,
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
      const existing = await findCustomerByUsernameKey(database, usernameKeyOf(wanted.username));
      if (existing) return existing.id;
      const contact = contactOf(text, areas);
      assert(contact, `${text} is no contact`);
      const nickname = wanted.nickname ?? wanted.username;
      const created = await createCustomer(
        module,
        { ...wanted, nickname, contacts: [contact], currency, language, invitedBy, prepare: async () => null },
        now,
      );
      if (created.ok) return created.effect.customer.id;
      // Another process that started at the same time has created the customer.
      const twin = await findCustomerByUsernameKey(database, usernameKeyOf(wanted.username));
      assert(twin, `${text} is another customer's`);
      return twin.id;
    },
    sweep: async (now = clock.now()) => {
      await rateLimiter.sweep(now);
      await sweepCodes(database, new Date(now.getTime() - CODE_MEMORY_MS));
      await sweepOldChallenges(database, new Date(now.getTime() - CODE_MEMORY_MS));
      await sweepSignIns(database, new Date(now.getTime() - SESSION_MEMORY_MS));
      await sweepSessions(database, new Date(now.getTime() - SESSION_MEMORY_MS), SESSIONS_SWEPT_MAX);
      await sweepApiNonces(database);
      await sweepRefusalsBefore(database, new Date(now.getTime() - SESSION_MEMORY_MS));
    },
    close: async () => {
      await Promise.all([sessions.close(), module.apiKeys.flush(), outbox.drained()]);
    },
  };
  return {
    api,
    module,
    handlers: customerHandlers(module, factorResets),
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
