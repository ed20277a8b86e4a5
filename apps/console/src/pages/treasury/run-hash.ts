import type { ResultOf, readTreasury, TreasuryRun } from '@sathorn/api';
import { parseMoney } from '@sathorn/money';
import {
  type Hex,
  hashOfSafeTransaction,
  isKnownMultiSend,
  type OwnerChange,
  type SafeTransaction,
  writeOwnerChange,
  writePaymentRun,
} from '@sathorn/treasury';

export type TreasuryView = NonNullable<ResultOf<typeof readTreasury>['treasury']>;

/** The call by which the Safe changes its owners as shown; null if an address is missing. */
function changeOf({
  kind,
  previous,
  leaving,
  coming,
  threshold,
}: NonNullable<TreasuryRun['change']>): OwnerChange | null {
  if (kind === 'add') return coming && { kind, owner: coming.address, threshold };
  if (previous === null || leaving === null) return null;
  if (kind === 'remove') return { kind, previous, owner: leaving.address, threshold };
  return coming && { kind, previous, owner: leaving.address, next: coming.address };
}

/** The transaction of exactly what is shown; null if it is none that a treasury makes. */
function transactionOf(
  { lines, change, nonce }: Pick<TreasuryRun, 'lines' | 'change' | 'nonce'>,
  { chain_id: chainId, safe, token, multi_send: multiSend }: TreasuryView,
): SafeTransaction | null {
  if (change !== null) {
    const owners = changeOf(change);
    return owners && writeOwnerChange(owners, safe, BigInt(nonce));
  }
  // The server could name a contract of its own, to which the Safe would be handed.
  if (!isKnownMultiSend(multiSend, chainId)) return null;
  const payments = lines.flatMap(({ receiver, amount }) => {
    const parsed = parseMoney('USDT', amount);
    return parsed ? [{ token, to: receiver.toLowerCase(), units: parsed.units }] : [];
  });
  return payments.length < lines.length ? null : writePaymentRun(payments, multiSend, BigInt(nonce));
}

/** The hash of exactly what is shown; null for what can't be signed. It is never taken from the server. */
export function hashOfRun(run: Pick<TreasuryRun, 'lines' | 'change' | 'nonce'>, treasury: TreasuryView): Hex | null {
  const { chain_id: chainId, safe } = treasury;
  try {
    const transaction = transactionOf(run, treasury);
    return transaction && hashOfSafeTransaction({ chainId, safe }, transaction);
  } catch {
    // An address or a number that is none.
    return null;
  }
}
