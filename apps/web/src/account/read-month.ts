import {
  listAccountRecords,
  listBalances,
  readLoggedHeads,
  readStatementHead as readSignedHeads,
  readUser,
  type User,
} from '@sathorn/api';
import { CallFault, callServer } from '@sathorn/app/client';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { type Month, type MonthStatement, monthStatement, spanOf } from './month-statement.ts';

export interface ReadMonth extends MonthStatement {
  readonly user: User;
  readonly issuedAtMs: number;
  /** The signed head of the customer's accounts: its hash, and when it was signed. */
  readonly head: { readonly hash: string; readonly atMs: number };
  /** The newest entry of the public log that includes a head of these accounts; null before the first. */
  readonly logEntry: string | null;
}

async function ask<Data>(
  answering: Promise<{ ok: true; data: Data } | (ConstructorParameters<typeof CallFault>[0] & { ok: false })>,
): Promise<Data> {
  const answer = await answering;
  if (!answer.ok) throw new CallFault(answer);
  return answer.data;
}

/** Reads the records back to the month's beginning, and what the statement can be checked with. */
export async function readMonthStatement(month: Month, signal: AbortSignal): Promise<ReadMonth> {
  const span = spanOf(month);
  const records: AccountRecord[] = [];
  let page: string | null = null;
  do {
    const request: { setup: 'all'; page?: string } = { setup: 'all', ...(page === null ? {} : { page }) };
    const answer: { items: AccountRecord[]; next: string | null } = await ask(
      callServer(listAccountRecords, request, { signal }),
    );
    records.push(...answer.items);
    const oldest = records.at(-1);
    page = oldest !== undefined && Date.parse(oldest.at) < span.fromMs ? null : answer.next;
  } while (page !== null);
  const [{ readStatementHead }, balances, user, statement, logged] = await Promise.all([
    import('@sathorn/proof'),
    ask(callServer(listBalances, {}, { signal })),
    ask(callServer(readUser, {}, { signal })),
    ask(callServer(readSignedHeads, {}, { signal })),
    ask(callServer(readLoggedHeads, {}, { signal })),
  ]);
  const entries = logged.map(({ entry }) => BigInt(entry)).sort((a, b) => (a < b ? -1 : 1));
  return {
    ...monthStatement(records, balances, span),
    user,
    issuedAtMs: Date.now(),
    head: { hash: statement.signed.hash, atMs: readStatementHead(statement.signed.body)?.atMs ?? 0 },
    logEntry: entries.at(-1)?.toString() ?? null,
  };
}
