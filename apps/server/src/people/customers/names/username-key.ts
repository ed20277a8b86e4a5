/** Names that are reserved for the platform. */
const RESERVED = new Set(
  [
    'admin administrator root system sathorn official support service helpdesk operator staff moderator security finance',
    'compliance treasury wallet deposit withdraw bank cashier notice news bot api www mail postmaster webmaster null undefined',
    'anonymous everyone nobody house ledger',
  ]
    .join(' ')
    .split(' ')
    .map(usernameKeyOf),
);

/**
 * A key that is equal for usernames that look alike. Usernames are ASCII, so the look-alikes are letter case,
 * separators, 0 and o, 1, i and l, rn and m, vv and w (after Unicode's confusables).
 */
export function usernameKeyOf(username: string): string {
  return username
    .toLowerCase()
    .replace(/[._]/g, '')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w');
}

/** Words that suggest an official account. */
const ROLES = 'admin official support staff service team help'.split(' ').map(usernameKeyOf);

/** Also matches trailing digits (`admin_1`), and the brand's name with a role (`sathorn.support`). */
export function isReservedUsername(username: string, brand: string): boolean {
  const keys = [usernameKeyOf(username), usernameKeyOf(username.replace(/[0-9._]+$/, ''))];
  const house = usernameKeyOf(brand);
  return keys.some(
    (key) => RESERVED.has(key) || key === house || (key.includes(house) && ROLES.some((role) => key.includes(role))),
  );
}
