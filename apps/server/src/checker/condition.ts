import type { Report } from './start-checker.ts';

/** Two rounds of the checker, and the longest that one may take. */
const CHECK_AGE_MAX_MS = 60_000;

/** Whether something does not hold: whatever the ledger says of itself, no customer's money may move. */
export const isViolated = (report: Report | null): boolean =>
  report?.violations.some(({ isHalting }) => isHalting !== false) ?? false;

/** How many things don't hold that nobody has acknowledged. */
export const countViolations = (report: Report | null): number =>
  (report?.violations ?? []).reduce((count, { subjects }) => count + subjects.length, 0);

/** What the checker says of the ledger; `unchecked` when there is none here, or when it has been silent for long. */
export function moneyOf(report: Report | null, now: Date): 'open' | 'halted' | 'violated' | 'unchecked' {
  if (!report || now.getTime() - Date.parse(report.checked) > CHECK_AGE_MAX_MS) return 'unchecked';
  if (report.halted !== null) return 'halted';
  return isViolated(report) ? 'violated' : 'open';
}
