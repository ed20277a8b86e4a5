import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { checkOwnChain, readEntryPage, useOwnChain } from '../parts/evidence/own-chain.ts';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';

export interface CheckedRows {
  /** `differs`: a row is not what was signed. Null while it is not known. */
  readonly verdict: 'follows' | 'differs' | null;
  /** The entries that this device has walked from the first one, over all accounts. */
  readonly count: number;
  /** The time of the newest of them, in ms. */
  readonly untilMs: number;
}

/** Checks the customer's own chain when the statement opens, and the rows on the screen against its entries. */
export function useCheckedRows(records: readonly AccountRecord[]): CheckedRows {
  const chain = useOwnChain((state) => state.chain);
  const newest = records[0]?.id;
  useEffect(() => {
    if (newest !== undefined) void checkOwnChain();
  }, [newest]);
  const { data = null } = useQuery({
    queryKey: ['checked-rows', chain?.statement.signed.hash, records.map(({ id }) => id).join()],
    enabled: chain?.isWhole === true && records.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { judgeRows } = await import('./judge-rows.ts');
      return chain && judgeRows(records, chain.walked, readEntryPage);
    },
  });
  return {
    verdict: data,
    count: chain?.walked.reduce((sum, { n }) => sum + Number(n), 0) ?? 0,
    untilMs: Math.max(0, ...(chain?.walked.map(({ at }) => Number(at)) ?? [])),
  };
}
