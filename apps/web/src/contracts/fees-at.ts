import type { ResultOf, readContractTerms } from '@sathorn/api';

type Fees = ResultOf<typeof readContractTerms>['fees'];

/** The fees for a customer's level: the row of that level, or of the nearest below it. */
export function feesAt(fees: Fees | undefined, level: number | undefined): Fees[number] | undefined {
  if (!fees || level === undefined) return undefined;
  const reached = fees.filter((row) => row.level <= level);
  return reached.toSorted((a, b) => b.level - a.level)[0];
}
