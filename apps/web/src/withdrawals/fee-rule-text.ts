import { formatPercent, type Presentation } from '@sathorn/text';

/** `1.00 + 0.10%`, or only the part that is not zero. */
export function feeRuleText(
  { fee_fixed: fixed, fee_rate: share }: { fee_fixed: string; fee_rate: string },
  plain: (amount: string) => string,
  presentation: Presentation,
): string {
  const percent = formatPercent(share, presentation, { minDecimals: 2 });
  if (!/[1-9]/.test(share)) return plain(fixed);
  // Isolates the sum, so that a right-to-left sentence does not reverse it.
  return /[1-9]/.test(fixed) ? `\u2066${plain(fixed)} + ${percent}\u2069` : percent;
}
