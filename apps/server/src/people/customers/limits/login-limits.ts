import { customerNetworkOf } from '../../../platform/ip-network.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import type { CustomerLimits } from './customer-limits.ts';
import type { LimitedSubject, LimitSubject, StoredRateLimiter } from './stored-rate-limiter.ts';

interface LoginAttempt {
  /** The normalised username, phone or email; unknown names get the same delays as known ones. */
  readonly name: string;
  readonly address: string;
  readonly password: string;
  /** Set when the customer has signed in from this device before; `key` is the hex of its key. */
  readonly knownDevice: { readonly customer: bigint; readonly key: string } | null;
}

export interface LoginLimits {
  /** Counts the attempt as failed and returns 0, or returns the milliseconds to wait. */
  begin(attempt: LoginAttempt, now: Date): Promise<number>;
  failed(attempt: LoginAttempt, now: Date): Promise<void>;
  succeeded(attempt: LoginAttempt): Promise<void>;
  /** Called after a password reset by code, so that the owner does not wait because of strangers' tries. */
  forget(names: readonly string[]): Promise<void>;
}

interface LoginLimitsDependencies {
  readonly rateLimiter: StoredRateLimiter;
  readonly limits: CustomerLimits;
  readonly keyedHash: KeyedHash;
  readonly onAlarm: (alarm: { readonly alarm: 'login_spray' }) => void;
}

/**
 * How many hex digits of a wrong password's keyed hash are stored. A million buckets suffice to detect spraying and do
 * not reveal what was typed.
 */
const SECRET_DIGITS = 5;

/**
 * Limits sign-in attempts. All strangers share one growing delay per account name. A device that the owner has used has
 * its own delay, so nobody can lock an owner out. Addresses are delayed too, and so is one password tried on many
 * names. While there are many failures overall, strangers get fewer tries.
 */
export function openLoginLimits({ rateLimiter, limits, keyedHash, onAlarm }: LoginLimitsDependencies): LoginLimits {
  const nameSubject = (name: string): LimitSubject => ['login.name', name];
  const failures: LimitedSubject = { subject: ['login.failures'], limit: limits.loginFailures };
  const deviceLimit = ({ customer, key }: { customer: bigint; key: string }): LimitedSubject => ({
    subject: ['login.device', String(customer), key],
    limit: limits.loginDevice,
  });
  const secretLimit = (password: string): LimitedSubject => ({
    subject: ['login.secret', keyedHash('login.secret', password).toString('hex').slice(0, SECRET_DIGITS)],
    limit: limits.loginSecret,
  });
  const addressLimit = (address: string, isSpray: boolean): LimitedSubject => ({
    subject: ['login.address', customerNetworkOf(address)],
    limit: isSpray ? limits.loginAddressInSpray : limits.loginAddress,
  });
  const isSprayed = async (now: Date): Promise<boolean> => (await rateLimiter.retryAfterMs([failures], now)) > 0;

  return {
    begin: async ({ name, address, password, knownDevice }, now) => {
      if (knownDevice) return (await rateLimiter.take([deviceLimit(knownDevice)], now))?.retryAfterMs ?? 0;
      const isSpray = await isSprayed(now);
      const retryAfterMs = await rateLimiter.retryAfterMs([addressLimit(address, isSpray), secretLimit(password)], now);
      if (retryAfterMs > 0) return retryAfterMs;
      const limit = isSpray ? limits.loginNameInSpray : limits.loginName;
      return (await rateLimiter.take([{ subject: nameSubject(name), limit }], now))?.retryAfterMs ?? 0;
    },

    failed: async ({ address, password, knownDevice }, now) => {
      const wasSpray = await isSprayed(now);
      // A device may be recognised by its network alone, which an attacker may share with thousands of customers. So
      // failures of known devices don't count against the address.
      const ofAddress = knownDevice ? [] : [addressLimit(address, wasSpray)];
      await rateLimiter.takeRegardless([failures, secretLimit(password), ...ofAddress], now);
      if (!wasSpray && (await isSprayed(now))) onAlarm({ alarm: 'login_spray' });
    },

    succeeded: ({ name, knownDevice }) =>
      rateLimiter.reset([knownDevice ? deviceLimit(knownDevice).subject : nameSubject(name)]),

    forget: (names) => rateLimiter.reset(names.map(nameSubject)),
  };
}
