import { normaliseWord } from '@sathorn/identity';

interface Listed {
  readonly id: string;
  readonly username: string;
}

/** Returns the customer with exactly this number or user name. The server's search also returns longer names. */
export function findExactCustomer<Customer extends Listed>(
  listed: readonly Customer[],
  typed: string,
): Customer | null {
  const wanted = normaliseWord(typed).toLowerCase();
  return listed.find(({ id, username }) => id === wanted || username.toLowerCase() === wanted) ?? null;
}
