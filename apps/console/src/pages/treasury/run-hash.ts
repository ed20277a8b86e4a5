import type { ResultOf, readTreasury, TreasuryRun } from '@sathorn/api';
import { parseMoney } from '@sathorn/money';
import { type Hex, hashOfSafeTransaction, writePaymentRun } from '@sathorn/treasury';

export type TreasuryView = NonNullable<ResultOf<typeof readTreasury>['treasury']>;

/** The hash of exactly the lines that are shown; null if an amount can't be read. It is never taken from the server. */
export function hashOfRun({ lines, nonce }: Pick<TreasuryRun, 'lines' | 'nonce'>, treasury: TreasuryView): Hex | null {
  const { chain_id: chainId, safe, token, multi_send: multiSend } = treasury;
  const payments = lines.flatMap(({ receiver, amount }) => {
    const parsed = parseMoney('USDT', amount);
    return parsed ? [{ token, to: receiver.toLowerCase(), units: parsed.units }] : [];
  });
  if (payments.length < lines.length) return null;
  return hashOfSafeTransaction({ chainId, safe }, writePaymentRun(payments, multiSend, BigInt(nonce)));
}
