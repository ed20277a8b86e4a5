export interface WalletFacts {
  /** The wallets that the database knows as the house's, newest first, in lower case. */
  readonly known: readonly string[];
  /** Customers have deposit addresses: the house's money may be there, whatever wallet collects it. */
  readonly hasAddresses: boolean;
  /** The wallet of the key in this folder; null without a key. */
  readonly own: string | null;
  /** The wallet that the owner has given up for good, as the folder says. It counts if it is the newest one. */
  readonly replaces: string | null;
}

export type WalletRefusal = 'key_missing' | 'key_of_another';

/**
 * Whether a server may start with this key, or make one where there is none. A second key would send customers' money
 * to a wallet that nobody watches, and leave what the first one holds without a key.
 */
export function refuseWallet({ known, hasAddresses, own, replaces }: WalletFacts): WalletRefusal | null {
  const [newest = null] = known;
  if (replaces !== null && (newest ?? replaces) === replaces) return null;
  if (own === null) return newest !== null || hasAddresses ? 'key_missing' : null;
  return newest === null || known.includes(own) ? null : 'key_of_another';
}
