import type { Money } from '@sathorn/money';
import { type Decision, decideMatchTerms, type MatchTerms } from '@sathorn/settlement';
import { payInRate } from './bank-rails.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import type { DepositRow } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { isPromised } from './promised-rate.ts';

/** A transfer may take some minutes from the order to the bank's line. */
const GRACE_MS = 5 * 60_000;

/**
 * Computes the USDT that a line credits: at the order's rate if the money arrived in time, otherwise at today's. A rate
 * that somebody else wrote into the table was promised to nobody.
 */
export async function matchTermsOfLines(
  { bahtRate, sealer }: Pick<DepositsModule, 'bahtRate' | 'sealer'>,
  order: DepositRow,
  lines: readonly { readonly amount: Money<'THB'>; readonly at: Date }[],
): Promise<Decision<MatchTerms, 'rate_unknown'>[]> {
  const { rate, rate_until: until } = order;
  const isOurs = isPromised(sealer, order);
  const isInTime = ({ at }: { at: Date }) => isOurs && at.getTime() <= (until?.getTime() ?? 0) + GRACE_MS;
  const now = lines.every(isInTime) ? null : await bahtRate();
  const today = now && payInRate(now, DEPOSIT_SETTINGS.spreadBps);
  return lines.map((line) =>
    decideMatchTerms({ baht: line.amount, isInTime: isInTime(line), ordered: rate ?? 0n, today }),
  );
}
