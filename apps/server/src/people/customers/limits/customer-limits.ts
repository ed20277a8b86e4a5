import type { RateLimit, WindowLimit } from './rate-limit.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const perDay = (max: number): WindowLimit => ({ kind: 'window', max, windowMs: DAY });
const guessesPerDay = (max: number): WindowLimit => ({ ...perDay(max), isOfGuesses: true });

/** Limits on the tries of customers, and of attackers who pose as them. */
export interface CustomerLimits {
  /** Wrong passwords for one name, from devices that its owner has never used. */
  readonly loginName: RateLimit;
  /** The stricter limit while somebody tries passwords on many names. */
  readonly loginNameInSpray: RateLimit;
  /** Wrong passwords from a device that the customer has used. Strangers cannot use this up. */
  readonly loginDevice: RateLimit;
  readonly loginAddress: RateLimit;
  readonly loginAddressInSpray: RateLimit;
  /** Limits one password that is tried on many names. */
  readonly loginSecret: RateLimit;
  /** More wrong passwords than this in total count as spraying. */
  readonly loginFailures: RateLimit;
  /** Tries of the old password within an open session. */
  readonly oldPassword: RateLimit;
  /** Tries of authenticator codes and recovery codes. */
  readonly secondFactor: RateLimit;
  /** Codes of one customer's authenticator from all networks together, while strangers delay new devices. */
  readonly secondFactorWhileDelayed: RateLimit;

  /** Tries of the anti-phishing word, by which strangers may stop the removal of a second factor. */
  readonly resetWord: RateLimit;
  readonly resetWordPerName: RateLimit;
  readonly resetWordPerAddress: RateLimit;
  /** Messages that visitors write to customer service. */
  readonly visitorsPerContact: RateLimit;
  readonly visitorsPerAddress: RateLimit;
  readonly visitorsInAll: RateLimit;

  readonly codeSpacing: RateLimit;
  readonly codesPerContact: RateLimit;
  /** Codes for a forgotten password per network: the share that strangers can use up. The rest is the owner's. */
  readonly recoveryCodesPerNetwork: RateLimit;
  readonly recoveryCodesOfStrangers: RateLimit;
  readonly codesPerAddress: RateLimit;
  readonly codesPerBlock: RateLimit;
  /** Codes that one customer sends to new contacts, because an account must not circumvent the limits for strangers. */
  readonly codesPerCustomer: RateLimit;
  readonly codesInAll: WindowLimit;
  /**
   * Codes for sign-ups. A flood of sign-ups leaves the rest of the budget to customers who forgot a password or change
   * a contact.
   */
  readonly codesToSignUp: WindowLimit;
  /** Wrong codes per contact. */
  readonly wrongCodesPerContact: RateLimit;
  /** Wrong codes for a forgotten password, by strangers of one network. */
  readonly wrongCodesPerNetwork: RateLimit;
  readonly wrongCodesPerAddress: RateLimit;
}

const LIVE: CustomerLimits = {
  loginName: { kind: 'backoff', free: 5, firstMs: 30 * SECOND, maxMs: HOUR, forgetMs: DAY },
  loginNameInSpray: { kind: 'backoff', free: 2, firstMs: MINUTE, maxMs: HOUR, forgetMs: DAY },
  loginDevice: { kind: 'backoff', free: 8, firstMs: 10 * SECOND, maxMs: 15 * MINUTE, forgetMs: HOUR },
  // High, because a mobile network has thousands of customers behind one address.
  loginAddress: { kind: 'backoff', free: 30, firstMs: 10 * SECOND, maxMs: 15 * MINUTE, forgetMs: HOUR },
  loginAddressInSpray: { kind: 'backoff', free: 5, firstMs: 30 * SECOND, maxMs: 15 * MINUTE, forgetMs: HOUR },
  loginSecret: { kind: 'backoff', free: 30, firstMs: MINUTE, maxMs: 15 * MINUTE, forgetMs: HOUR },
  loginFailures: { kind: 'window', max: 300, windowMs: 10 * MINUTE },
  oldPassword: { kind: 'backoff', free: 5, firstMs: MINUTE, maxMs: HOUR, forgetMs: DAY },
  secondFactor: { kind: 'backoff', free: 5, firstMs: MINUTE, maxMs: HOUR, forgetMs: DAY },
  secondFactorWhileDelayed: guessesPerDay(20),
  resetWord: guessesPerDay(5),
  resetWordPerName: guessesPerDay(40),
  resetWordPerAddress: guessesPerDay(30),
  visitorsPerContact: perDay(3),
  visitorsPerAddress: perDay(5),
  visitorsInAll: perDay(500),

  codeSpacing: { kind: 'window', max: 1, windowMs: MINUTE },
  codesPerContact: perDay(10),
  recoveryCodesPerNetwork: perDay(5),
  recoveryCodesOfStrangers: perDay(5),
  codesPerAddress: perDay(50),
  codesPerBlock: perDay(200),
  codesPerCustomer: perDay(30),
  codesInAll: perDay(50_000),
  codesToSignUp: perDay(40_000),
  wrongCodesPerContact: guessesPerDay(20),
  wrongCodesPerNetwork: guessesPerDay(10),
  wrongCodesPerAddress: guessesPerDay(60),
};

/** A demo's visitors and its load tests share one address, and its messages cost nothing. */
const DEMO: CustomerLimits = {
  ...LIVE,
  loginAddress: { kind: 'backoff', free: 100, firstMs: 5 * SECOND, maxMs: MINUTE, forgetMs: 10 * MINUTE },
  loginAddressInSpray: { kind: 'backoff', free: 50, firstMs: 5 * SECOND, maxMs: MINUTE, forgetMs: 10 * MINUTE },
  resetWordPerAddress: guessesPerDay(2_000),
  visitorsPerAddress: perDay(200),
  codesPerAddress: perDay(2_000),
  codesPerBlock: perDay(1_000),
  wrongCodesPerAddress: guessesPerDay(2_000),
};

export const CUSTOMER_LIMITS: Readonly<Record<'demo' | 'live', CustomerLimits>> = { live: LIVE, demo: DEMO };
