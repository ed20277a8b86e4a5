import type { ReceiptCheckName } from '@sathorn/proof';
import type { ReceiptFindings } from './judge-receipt-file.ts';

const WORDS: Record<ReceiptCheckName, string> = {
  terms_signed: 'the terms were signed as they are here',
  terms_in_force: 'they are this account’s, under these rules',
  terms_before_prices: 'a tick of that moment names them, so they are older than the prices that decided',
  ticks_signed: 'each tick was signed by the index',
  start_is_first: 'the start is the first tick after the acceptance',
  end_is_last: 'the end is the last tick at or before the end',
  sold_in_time: 'it was sold at a tick after its start and before the closed time',
  prices_follow: 'each price is the median of its sources',
  outcome_follows: 'the result and its arithmetic follow',
  transfers_match: 'the money moved accordingly',
};

/** Returns one line per check, then the contradictions, the notes, and a summary line. */
export function printReport(
  { verdict, contradictions, notes }: Pick<ReceiptFindings, 'verdict' | 'contradictions' | 'notes'>,
  isVerified: boolean,
): string[] {
  const lines = verdict.checks.map(({ name, ok, fault, isPending }) => {
    const note = isPending ? ' (no tick has come since; check again later)' : '';
    return ok ? `  ok    ${WORDS[name]}${note}` : `  FAIL  ${WORDS[name]}: ${fault}`;
  });
  return [...lines, ...contradictions, ...notes, isVerified ? 'Verified.' : 'NOT VERIFIED.'];
}
