import type { AllowanceRule, Budget } from './allowance.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const perDay = (max: number): Budget => ({ kind: 'budget', max, windowMs: DAY });

/** How often a customer, or somebody posing as one, may try each thing. */
export interface CustomerLimits {
  /** Wrong passwords for one name, from devices that its owner never used. */
  readonly loginName: AllowanceRule;
  /** The same while passwords are being sprayed over many names. */
  readonly loginNameInSpray: AllowanceRule;
  /** Wrong passwords from a device that the customer has used: strangers can't use this up. */
  readonly loginDevice: AllowanceRule;
  readonly loginAddress: AllowanceRule;
  readonly loginAddressInSpray: AllowanceRule;
  /** One password tried on many names. */
  readonly loginSecret: AllowanceRule;
  /** More wrong passwords than this in all are a spray. */
  readonly loginFailures: AllowanceRule;
  /** Tries of the old password in an open session. */
  readonly oldPassword: AllowanceRule;

  readonly codeSpacing: AllowanceRule;
  readonly codesPerContact: AllowanceRule;
  /** Codes for a forgotten password per network. Strangers can spend this share, and the owner keeps the rest. */
  readonly recoveryCodesPerNetwork: AllowanceRule;
  readonly recoveryCodesOfStrangers: AllowanceRule;
  readonly codesPerAddress: AllowanceRule;
  readonly codesPerBlock: AllowanceRule;
  /** Codes to new contacts of a customer: an account must not bypass the limits of strangers. */
  readonly codesPerCustomer: AllowanceRule;
  readonly codesInAll: Budget;
  /**
   * The share for signing up: a flood of sign-ups leaves the rest to customers who forgot a password or change a
   * contact.
   */
  readonly codesToSignUp: Budget;
  /** Codes that were checked and wrong. */
  readonly wrongCodesPerContact: AllowanceRule;
  /** For a forgotten password, by strangers of one network. */
  readonly wrongCodesPerNetwork: AllowanceRule;
  readonly wrongCodesPerAddress: AllowanceRule;
}

const LIVE: CustomerLimits = {
  loginName: { kind: 'growing_delay', free: 5, firstMs: 30 * SECOND, maxMs: HOUR, forgetMs: DAY },
  loginNameInSpray: { kind: 'growing_delay', free: 2, firstMs: MINUTE, maxMs: HOUR, forgetMs: DAY },
  loginDevice: { kind: 'growing_delay', free: 8, firstMs: 10 * SECOND, maxMs: 15 * MINUTE, forgetMs: HOUR },
  // A mobile network puts thousands of customers behind one address.
  loginAddress: { kind: 'growing_delay', free: 30, firstMs: 10 * SECOND, maxMs: 15 * MINUTE, forgetMs: HOUR },
  loginAddressInSpray: { kind: 'growing_delay', free: 5, firstMs: 30 * SECOND, maxMs: 15 * MINUTE, forgetMs: HOUR },
  loginSecret: { kind: 'growing_delay', free: 30, firstMs: MINUTE, maxMs: 15 * MINUTE, forgetMs: HOUR },
  loginFailures: { kind: 'budget', max: 300, windowMs: 10 * MINUTE },
  oldPassword: { kind: 'growing_delay', free: 5, firstMs: MINUTE, maxMs: HOUR, forgetMs: DAY },

  codeSpacing: { kind: 'budget', max: 1, windowMs: MINUTE },
  codesPerContact: perDay(10),
  recoveryCodesPerNetwork: perDay(5),
  recoveryCodesOfStrangers: perDay(5),
  codesPerAddress: perDay(50),
  codesPerBlock: perDay(200),
  codesPerCustomer: perDay(30),
  codesInAll: perDay(50_000),
  codesToSignUp: perDay(40_000),
  wrongCodesPerContact: perDay(20),
  wrongCodesPerNetwork: perDay(10),
  wrongCodesPerAddress: perDay(60),
};

/** A demo's visitors and its load tests share one address, and its messages cost nothing. */
const DEMO: CustomerLimits = {
  ...LIVE,
  loginAddress: { kind: 'growing_delay', free: 100, firstMs: 5 * SECOND, maxMs: MINUTE, forgetMs: 10 * MINUTE },
  loginAddressInSpray: { kind: 'growing_delay', free: 50, firstMs: 5 * SECOND, maxMs: MINUTE, forgetMs: 10 * MINUTE },
  codesPerAddress: perDay(2_000),
  codesPerBlock: perDay(1_000),
  wrongCodesPerAddress: perDay(2_000),
};

export const CUSTOMER_LIMITS: Readonly<Record<'demo' | 'live', CustomerLimits>> = { live: LIVE, demo: DEMO };
