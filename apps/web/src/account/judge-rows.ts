import type { AccountEntry } from '@sathorn/proof';
import type { WalkedAccount } from '../parts/evidence/follow-own-chain.ts';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { findRowUnlike, type ShownEntries } from './match-records.ts';
import { readShownEntries } from './read-shown-entries.ts';

/** The accounts whose entries are rows of the statement. */
const WITH_ROWS = ['spot', 'in_orders'];

/**
 * Compares rows with the entries of the walked chain. Null where it can't be said: a row is newer than the chain, or
 * the server did not answer.
 */
export async function judgeRows(
  records: readonly AccountRecord[],
  walked: readonly WalkedAccount[],
  readPage: Parameters<typeof readShownEntries>[2],
): Promise<'follows' | 'differs' | null> {
  const accounts: ShownEntries[] = [];
  const heads = walked.filter(({ name }) => WITH_ROWS.includes(name));
  const isAhead = records.some(({ asset, entry }) => {
    const head = heads.find((one) => one.asset === asset && one.name === entry?.account);
    return entry === undefined || head === undefined || BigInt(entry.n) > BigInt(head.n);
  });
  if (isAhead) return null;
  const oldestMs = Math.min(...records.map(({ at }) => Date.parse(at)));
  for (const head of heads) {
    const rows = records.filter(({ asset, entry }) => asset === head.asset && entry?.account === head.name);
    // Nothing moved here since the oldest row, so its newest balance is the one of all rows.
    if (rows.length === 0 && Number(head.at) < oldestMs - CLOCK_TOLERANCE_MS) {
      accounts.push({ ...head, entries: [], before: BigInt(head.total) });
      continue;
    }
    // Reads a little further than the oldest row, because clocks of two database machines may differ.
    const isEnough = ({ n, at }: AccountEntry): boolean =>
      Number(at) < oldestMs - CLOCK_TOLERANCE_MS && rows.every(({ entry }) => BigInt(entry?.n ?? n) >= BigInt(n));
    const shown = await readShownEntries(head, isEnough, readPage);
    if (shown === null || shown === 'differs') return shown;
    accounts.push(shown);
  }
  return findRowUnlike(records, accounts) === null ? 'follows' : 'differs';
}

const CLOCK_TOLERANCE_MS = 10_000;
