export interface WalletFacts {
  /** The house's wallets in the database, newest first, in lower case. */
  readonly known: readonly string[];
  /** Customers have deposit addresses, so the house's money may be at these even without a known wallet. */
  readonly hasAddresses: boolean;
  /** The wallet of the key in this folder; null without a key. */
  readonly own: string | null;
  /** The wallet that the owner has given up, as a file in this folder says. It counts only if it is the newest. */
  readonly replaces: string | null;
}

type WalletRefusal = 'key_missing' | 'key_of_another';

/**
 * Decides whether a server may start with this key, or generate one if there is none. A second key would send
 * customers' money to a wallet that nobody watches, and nobody could spend what the first wallet holds.
 */
export function refuseWallet({ known, hasAddresses, own, replaces }: WalletFacts): WalletRefusal | null {
  const [newest = null] = known;
  if (replaces !== null && (newest ?? replaces) === replaces) return null;
  if (own === null) return newest !== null || hasAddresses ? 'key_missing' : null;
  return newest === null || known.includes(own) ? null : 'key_of_another';
}
