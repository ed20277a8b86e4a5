import { listAccountRecords } from '@sathorn/api';
import { callServer, type Failure } from '@sathorn/app/client';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { saveFile } from '../parts/money/save-file.ts';
import { recordsCsv } from './records-csv.ts';

type Exported = { ok: true; count: number } | Failure;

/**
 * Reads the whole statement and saves it as one file, because a trade needs both of its postings. Saves nothing if a
 * page cannot be loaded.
 */
export async function exportRecords(onProgress: (count: number) => void): Promise<Exported> {
  const records: AccountRecord[] = [];
  let page: string | undefined;
  do {
    const answer = await callServer(listAccountRecords, { setup: 'all', ...(page === undefined ? {} : { page }) });
    if (!answer.ok) return answer;
    records.push(...answer.data.items);
    page = answer.data.next ?? undefined;
    onProgress(records.length);
  } while (page !== undefined);
  if (records.length > 0)
    saveFile(new Blob([recordsCsv(records)], { type: 'text/csv;charset=utf-8' }), 'account-all.csv');
  return { ok: true, count: records.length };
}
