import { checksumAddressOf } from './erc20.ts';

/** A chain on which USDT is deposited and withdrawn. Nothing in here is secret. */
export interface ChainConfig {
  /** Also the name of the channel. */
  readonly code: string;
  readonly name: string;
  /** The token standard, such as ERC-20 or BEP-20. */
  readonly standard: string;
  readonly chainId: number;
  /** The contract of the only accepted token, in lower case. It has six decimals. */
  readonly token: string;
  /** How many blocks confirm a transfer; the block that contains it counts as the first. */
  readonly confirmations: number;
  /** The explorer's address of a transaction, with `{hash}` as the placeholder. */
  readonly explorer: string | null;
  /** A deposit is credited only when all of these nodes agree. */
  readonly rpcUrls: readonly string[];
  /** Customers' addresses are derived from this public key. The server does not have the private key. */
  readonly xpub: string;
  /** The house's hot wallet, from which withdrawals are paid. */
  readonly hot: string;
  /** The first block to read when there is no cursor yet. */
  readonly firstBlock: number;
  /** In units of the token. A smaller amount at a deposit address is not worth the gas of a sweep. */
  readonly sweepMin: bigint;
  /** How often the money at deposit addresses is swept to the wallet. */
  readonly sweepEveryMs: number;
  /** True for a demonstration's chain, which sends test money to anybody. */
  readonly isLocal: boolean;
}

export const chainViewOf = ({ code, name, standard, token, explorer }: ChainConfig) => ({
  code,
  name,
  standard,
  token: checksumAddressOf(token),
  explorer,
});
