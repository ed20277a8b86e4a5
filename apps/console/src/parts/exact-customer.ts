import { typedWord } from '@sathorn/identity';

interface Listed {
  readonly id: string;
  readonly username: string;
}

/** The one customer with this number or whole user name. The list that is searched has longer names as well. */
export function exactCustomer<Customer extends Listed>(listed: readonly Customer[], typed: string): Customer | null {
  const wanted = typedWord(typed).toLowerCase();
  return listed.find(({ id, username }) => id === wanted || username.toLowerCase() === wanted) ?? null;
}
