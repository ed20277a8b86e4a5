import { formatDecimal, mulDiv } from '@sathorn/money';

const SHARE_SCALE = 4;
const SHARE_ONE = 10_000n;

/**
 * The share of won options at which a customer neither gains nor loses: with a share p, p × gain − (1 − p) × stake is
 * zero at p = stake / (stake + gain). The gain is after the fee. Rounds up to 0.01 %, so that the share shown is never
 * too small to break even. Null without a stake.
 */
export function breakEvenOf(stake: bigint, gain: bigint): string | null {
  return stake === 0n ? null : formatDecimal(mulDiv(stake, SHARE_ONE, stake + gain, 'up'), SHARE_SCALE);
}
