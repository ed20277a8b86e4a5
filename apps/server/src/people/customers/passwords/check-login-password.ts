import { accept, type Decision, refuse } from '@sathorn/settlement';
import { readCredential } from '../credential-store.ts';
import type { CustomersModule } from '../customers.ts';

/**
 * Checks that a signed-in customer knows the login password; returns its hash if so. The try is counted before the
 * check, so a stolen session cannot guess in parallel.
 */
export async function checkLoginPassword(
  { rateLimiter, database, hasher, limits }: Pick<CustomersModule, 'rateLimiter' | 'database' | 'hasher' | 'limits'>,
  customer: bigint,
  password: string,
  now: Date,
): Promise<Decision<string, 'password_wrong' | 'login_delayed'>> {
  const tries = { subject: ['password.old', String(customer)], limit: limits.oldPassword } as const;
  const exceeded = await rateLimiter.take([tries], now);
  if (exceeded) return refuse('login_delayed', { params: { wait: String(Math.ceil(exceeded.retryAfterMs / 1_000)) } });
  const credential = await readCredential(database, customer, 'login');
  const owner = { customer, kind: 'login' } as const;
  if (!credential || !(await hasher.verify(password, credential.hash, owner)).isRight) return refuse('password_wrong');
  await rateLimiter.reset([tries.subject]);
  return accept(credential.hash);
}
