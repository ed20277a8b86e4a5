import { addressWord, bare, type Hex, selectorOf, sizedBytes, word } from './encoding.ts';
import type { SafeTransaction } from './safe-transaction.ts';

/** A payment of a run. */
export interface RunLine {
  /** The token's contract. */
  readonly token: string;
  readonly to: string;
  /** In the token's smallest units; more than zero. */
  readonly units: bigint;
}

export const TRANSFER = selectorOf('transfer(address,uint256)');
export const MULTI_SEND = selectorOf('multiSend(bytes)');

/** Operation, address, value and length of a call. */
const CALL_HEAD = /^(.{2})(.{40})(.{64})(.{64})/;
const HEAD_DIGITS = 2 + 40 + 64 + 64;
const TRANSFER_BYTES = 4 + 32 + 32;

const packedLine = ({ token, to, units }: RunLine): string =>
  `00${bare(token)}${word(0)}${word(TRANSFER_BYTES)}${TRANSFER}${addressWord(to)}${word(units)}`;

/** Writes a run: all lines are paid, or none. `multiSend` is the address of `MultiSendCallOnly`. */
export function writePaymentRun(lines: readonly RunLine[], multiSend: string, nonce: bigint): SafeTransaction {
  const calls = lines.map(packedLine).join('');
  return { to: multiSend, data: `0x${MULTI_SEND}${word(32)}${sizedBytes(calls)}`, operation: 'delegatecall', nonce };
}

/** A call within `multiSend`. */
export interface PackedCall {
  readonly operation: number;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
}

/** Reads the calls of `multiSend`; undefined unless the data is exactly what `writePaymentRun` would write for them. */
export function readPackedCalls(data: Hex): readonly PackedCall[] | undefined {
  const hex = bare(data);
  const head = MULTI_SEND + word(32);
  if (!hex.startsWith(head)) return undefined;
  const size = hex.slice(head.length, head.length + 64);
  if (!/^0{56}[0-9a-f]{8}$/.test(size)) return undefined;
  const packed = hex.slice(head.length + 64, head.length + 64 + Number.parseInt(size, 16) * 2);
  if (head + sizedBytes(packed) !== hex) return undefined;
  const calls: PackedCall[] = [];
  for (let rest = packed; rest.length > 0; ) {
    const [, operation = '', to = '', value = '', length = ''] = CALL_HEAD.exec(rest) ?? [];
    if (length === '') return undefined;
    const size = BigInt(`0x${length}`) * 2n;
    const call = rest.slice(HEAD_DIGITS);
    if (size > BigInt(call.length)) return undefined;
    const data = call.slice(0, Number(size));
    calls.push({ operation: Number.parseInt(operation, 16), to: `0x${to}`, value: BigInt(`0x${value}`), data });
    rest = call.slice(data.length);
  }
  return calls;
}

/** Reads a transfer; undefined for every other call. */
export function readTransfer(data: string): { readonly to: string; readonly units: bigint } | undefined {
  if (data.length !== TRANSFER_BYTES * 2 || !data.startsWith(TRANSFER + '0'.repeat(24))) return undefined;
  return { to: `0x${data.slice(32, 72)}`, units: BigInt(`0x${data.slice(72)}`) };
}
