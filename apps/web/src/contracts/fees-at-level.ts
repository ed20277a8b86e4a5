import type { ResultOf, readContractTerms } from '@sathorn/api';

type Fees = ResultOf<typeof readContractTerms>['fees'];

/** The fees of a customer's level: its row, or the row of the nearest lower level. */
export function feesAtLevel(fees: Fees | undefined, level: number | undefined): Fees[number] | undefined {
  if (!fees || level === undefined) return undefined;
  const reached = fees.filter((row) => row.level <= level);
  return reached.toSorted((a, b) => b.level - a.level)[0];
}
