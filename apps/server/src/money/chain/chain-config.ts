import { checksumAddressOf } from './erc20.ts';

/** The Safe that holds most of the house's money on a chain. Addresses are in lower case. */
export interface TreasuryPlace {
  readonly safe: string;
  /** The address of `MultiSendCallOnly`. */
  readonly multiSend: string;
  /** In units of the token. A sweep that would lift the hot wallet above this goes to the Safe. */
  readonly hotMax: bigint;
  /** The owners with which a demo creates the Safe: each is the server's own key for this operator. */
  readonly demoOwners: readonly { readonly address: string; readonly workName: string }[];
}

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
  /** Null while the hot wallet holds everything. */
  readonly treasury: TreasuryPlace | null;
  /** The first block to read when there is no cursor yet. */
  readonly firstBlock: number;
  /** In units of the token. A smaller amount at a deposit address is not worth the gas of a sweep. */
  readonly sweepMin: bigint;
  /** How often the money at deposit addresses is swept to the wallet. */
  readonly sweepEveryMs: number;
  /** True for a demonstration's chain, which sends test money to anybody. */
  readonly isLocal: boolean;
}

/** The house's wallets on a chain, which count as one: what moves between them is nobody's income or payment. */
export const walletsOf = ({ hot, treasury }: Pick<ChainConfig, 'hot' | 'treasury'>): readonly string[] =>
  treasury === null ? [hot] : [hot, treasury.safe];

export const chainViewOf = ({ code, name, standard, token, explorer }: ChainConfig) => ({
  code,
  name,
  standard,
  token: checksumAddressOf(token),
  explorer,
});
