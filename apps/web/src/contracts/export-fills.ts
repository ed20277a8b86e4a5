import { type Fill, listFills } from '@sathorn/api';
import type { Failure } from '@sathorn/app/client';
import { callServer } from '@sathorn/app/client';
import { fillsCsv } from './fills-csv.ts';

const PAGE = '500';

type Exported = { ok: true; count: number } | Failure;

/** Reads every fill, page by page to the end, and saves them as one file. Saves nothing if a page cannot be loaded. */
export async function exportFills(code: string | undefined, onProgress: (count: number) => void): Promise<Exported> {
  const fills: Fill[] = [];
  let page: string | undefined;
  do {
    const answer = await callServer(listFills, {
      limit: PAGE,
      ...(code === undefined ? {} : { code }),
      ...(page === undefined ? {} : { page }),
    });
    if (!answer.ok) return answer;
    fills.push(...answer.data.items);
    page = answer.data.next ?? undefined;
    onProgress(fills.length);
  } while (page !== undefined);
  if (fills.length > 0) save(fillsCsv(fills), `fills${code === undefined ? '' : `-${code}`}.csv`);
  return { ok: true, count: fills.length };
}

function save(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
