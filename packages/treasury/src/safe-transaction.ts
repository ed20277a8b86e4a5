import { addressWord, bare, type Hex, keccak, keccakOfText, selectorOf, sizedBytes, word } from './encoding.ts';

/**
 * A transaction of a Safe that moves no coins of the chain and pays back no gas. A treasury has no other transactions,
 * so this type has no fields for them.
 */
export interface SafeTransaction {
  readonly to: string;
  readonly data: Hex;
  readonly operation: 'call' | 'delegatecall';
  /** The Safe's own counter, so that the chain accepts a transaction once. */
  readonly nonce: bigint;
}

/** The Safe that a transaction belongs to. */
export interface SafePlace {
  readonly chainId: number;
  /** The Safe's address. */
  readonly safe: string;
}

/** What a run does: it pays through `MultiSendCallOnly`, or the Safe changes its own owners. */
export type RunKind = 'payment' | 'owners';

/** The transaction of a stored run. */
export const transactionOfRun = (
  { kind, data, nonce }: { readonly kind: RunKind; readonly data: Hex; readonly nonce: bigint },
  { safe, multiSend }: { readonly safe: string; readonly multiSend: string },
): SafeTransaction =>
  kind === 'payment'
    ? { to: multiSend, data, operation: 'delegatecall', nonce }
    : { to: safe, data, operation: 'call', nonce };

export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

const DOMAIN = keccakOfText('EIP712Domain(uint256 chainId,address verifyingContract)');
const TRANSACTION = keccakOfText(
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,' +
    'address gasToken,address refundReceiver,uint256 nonce)',
);

/** The hash that the owners sign (EIP-712), as `getTransactionHash` of the Safe computes it. */
export function hashOfSafeTransaction({ chainId, safe }: SafePlace, transaction: SafeTransaction): Hex {
  const { to, data, operation, nonce } = transaction;
  const zero = word(0);
  const content = keccak(
    TRANSACTION +
      addressWord(to) +
      zero +
      keccak(bare(data)) +
      word(operation === 'call' ? 0 : 1) +
      zero.repeat(5) +
      word(nonce),
  );
  return `0x${keccak(`1901${keccak(DOMAIN + word(chainId) + addressWord(safe))}${content}`)}`;
}

const EXECUTE = selectorOf(
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
);
const HEAD_BYTES = 10 * 32;

/** The call of the Safe that executes the transaction. `signatures` comes from `joinSignatures`. */
export function writeExecution({ to, data, operation }: SafeTransaction, signatures: Hex): Hex {
  const content = sizedBytes(bare(data));
  const fixed = addressWord(to) + word(0) + word(HEAD_BYTES) + word(operation === 'call' ? 0 : 1) + word(0).repeat(5);
  return `0x${EXECUTE}${fixed}${word(HEAD_BYTES + content.length / 2)}${content}${sizedBytes(bare(signatures))}`;
}
