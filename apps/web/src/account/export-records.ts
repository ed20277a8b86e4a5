import { listAccountRecords } from '@sathorn/api';
import { callServer, type Failure } from '@sathorn/app/client';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { saveFile } from '../parts/money/save-file.ts';
import { type ExportedSpan, type ExportFormat, exportCsv } from './tax-csv.ts';

type Exported = { ok: true; count: number } | Failure;

/**
 * Reads the statement back to the span's beginning and saves the span as one file, because a trade needs both of its
 * postings. Saves nothing if a page cannot be loaded.
 */
export async function exportRecords(
  format: ExportFormat,
  span: ExportedSpan,
  { exchange, name }: { readonly exchange: string; readonly name: string },
  onProgress: (count: number) => void,
): Promise<Exported> {
  const records: AccountRecord[] = [];
  let page: string | undefined;
  do {
    const answer = await callServer(listAccountRecords, { setup: 'all', ...(page === undefined ? {} : { page }) });
    if (!answer.ok) return answer;
    records.push(...answer.data.items);
    const oldest = records.at(-1);
    page = oldest !== undefined && oldest.at < span.from ? undefined : (answer.data.next ?? undefined);
    onProgress(records.length);
  } while (page !== undefined);
  const { text, count } = exportCsv(format, records, span, exchange);
  if (count > 0) saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
  return { ok: true, count };
}
