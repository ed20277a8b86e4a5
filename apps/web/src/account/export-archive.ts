import type { Call } from '@sathorn/api';
import { callServer, type Failure } from '@sathorn/app/client';
import * as v from 'valibot';
import { saveFile } from '../parts/money/save-file.ts';
import { ARCHIVE_PARTS, type ArchivePart, LEFT_OUT } from './archive-parts.ts';

type Read = { ok: true; data: unknown; count: number } | Failure;

/** A call of which only the address matters: the archive takes each answer as it is. */
function callOf(route: string): Call {
  const [method = '', path = ''] = route.split(' ');
  return { method, path, who: 'customer', summary: '', request: v.looseObject({}), result: v.unknown() } as never;
}

/** Reads a part to its last page. The rows of all pages are one list; further fields are those of the first page. */
export async function readPart({ route, request, isPaged }: ArchivePart): Promise<Read> {
  const call = callOf(route);
  const items: unknown[] = [];
  let first: object | null = null;
  let page: string | null = null;
  do {
    const answer = await callServer(call, { ...request, ...(page === null ? {} : { page }) });
    if (!answer.ok) return answer;
    if (!isPaged) return { ok: true, data: answer.data, count: 1 };
    const paged = answer.data as { readonly items: readonly unknown[]; readonly next: string | null };
    first ??= paged;
    items.push(...paged.items);
    // A cursor that does not lead on would never end.
    if (paged.next === page) break;
    page = paged.next;
  } while (page !== null);
  const { next: _, ...fields } = { next: null, ...first };
  return { ok: true, data: { ...fields, items }, count: items.length };
}

/**
 * Saves everything that the platform tells a customer about the customer as one JSON file, part by part. Saves nothing
 * if a part cannot be loaded.
 */
export async function exportArchive(
  platform: string,
  onProgress: (count: number) => void,
): Promise<{ ok: true; count: number } | Failure> {
  const parts: Record<string, unknown> = {};
  let count = 0;
  for (const part of ARCHIVE_PARTS) {
    const read = await readPart(part);
    if (!read.ok) return read;
    parts[part.name] = read.data;
    count += read.count;
    onProgress(count);
  }
  const made = new Date().toISOString();
  const archive = { v: 'archive/1', platform, made_at: made, left_out: LEFT_OUT, parts };
  const name = `archive-${made.slice(0, 10)}.json`;
  saveFile(new Blob([`${JSON.stringify(archive, null, 1)}\n`], { type: 'application/json' }), name);
  return { ok: true, count };
}
