import type { CheckerReport } from './checker.ts';

/** Maximum age of a report: two rounds of the checker, plus the longest duration of one. */
const CHECK_AGE_MAX_MS = 60_000;

/**
 * True if the last report has a violation that halts money. Then no customer's money may move, even if the ledger's own
 * state says that it is open.
 */
export const hasViolations = (report: CheckerReport | null): boolean =>
  report?.violations.some(({ isHalting }) => isHalting !== false) ?? false;

/** The number of violations that nobody has acknowledged. */
export const countViolations = (report: CheckerReport | null): number =>
  (report?.violations ?? []).reduce((count, { subjects }) => count + subjects.length, 0);

/** The checker's verdict on the ledger. `unchecked` when there is no report or the last one is too old. */
export function moneyConditionOf(
  report: CheckerReport | null,
  now: Date,
): 'open' | 'halted' | 'violated' | 'unchecked' {
  if (!report || now.getTime() - Date.parse(report.checked) > CHECK_AGE_MAX_MS) return 'unchecked';
  if (report.halted !== null) return 'halted';
  return hasViolations(report) ? 'violated' : 'open';
}

/**
 * The sequence of the ledger up to which the checker has checked everything without a finding; null while there is a
 * finding or no recent report.
 */
export function clearedSequenceOf(report: CheckerReport | null, now: Date): bigint | null {
  if (!report?.walked || moneyConditionOf(report, now) !== 'open' || report.violations.length > 0) return null;
  return BigInt(report.walked);
}
