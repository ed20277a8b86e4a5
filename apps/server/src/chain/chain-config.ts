import { checksumOf } from './erc20.ts';

/** One chain on which USDT comes in and goes out. All of it is public. */
export interface ChainConfig {
  /** Also the name of its channel. */
  readonly code: string;
  readonly name: string;
  /** ERC-20, BEP-20 … */
  readonly standard: string;
  readonly chainId: number;
  /** The contract of the only token that counts, in lower case. It has six decimals. */
  readonly token: string;
  /** The block of a transfer is the first one. */
  readonly confirmations: number;
  /** With `{hash}` in it. */
  readonly explorer: string | null;
  /** What is credited, all of them must say. */
  readonly rpcUrls: readonly string[];
  /** Customers' addresses are derived from it; nobody here has the private half. */
  readonly xpub: string;
  /** The house's own wallet, from which withdrawals are paid. */
  readonly hot: string;
  /** Read from this block on, where there is no cursor yet. */
  readonly firstBlock: number;
  /** Units of the token: less at a deposit address is not worth its gas. */
  readonly sweepMin: bigint;
  /** What lies at deposit addresses is swept together, this often. */
  readonly sweepEveryMs: number;
  /** The chain of a demonstration, which sends test money to whoever asks. */
  readonly isLocal: boolean;
}

export const chainViewOf = ({ code, name, standard, token, explorer }: ChainConfig) => ({
  code,
  name,
  standard,
  token: checksumOf(token),
  explorer,
});
