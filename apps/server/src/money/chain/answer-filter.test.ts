import { describe, expect, it } from 'vitest';
import { openAnswerFilter } from './answer-filter.ts';

/** Feeds the answer in pieces of every length, as a network would deliver it. */
function filtered(answer: unknown, isKept: (item: { n?: number }) => boolean, indent = 0): unknown[] {
  const text = JSON.stringify(answer, null, indent);
  return [1, 2, 3, 7, 64, text.length].map((size) => {
    const filter = openAnswerFilter((item, place) =>
      isKept(item as { n?: number }) ? { ...(item as object), place } : undefined,
    );
    for (let at = 0; at < text.length; at += size) filter.take(text.slice(at, at + size));
    return JSON.parse(filter.end());
  });
}
const all = (): boolean => true;
const each = (value: unknown): unknown[] => Array(6).fill(value);

describe('an answer read as it arrives', () => {
  const logs = [1, 2, 3, 4].map((n) => ({ n, data: `0x${n}`, topics: ['0xa', '0xb'], deep: { list: [{ n: 9 }] } }));

  it.each([0, 2])('keeps the wanted items, each with its place (indent %s)', (indent) => {
    const answer = { id: 1, result: logs };
    expect(filtered(answer, all, indent)).toEqual(
      each({ id: 1, result: logs.map((log, place) => ({ ...log, place })) }),
    );
    expect(filtered(answer, ({ n }) => n === 2 || n === 4, indent)).toEqual(
      each({
        id: 1,
        result: [
          { ...logs[1], place: 1 },
          { ...logs[3], place: 3 },
        ],
      }),
    );
    expect(filtered(answer, () => false, indent)).toEqual(each({ id: 1, result: [] }));
  });

  it.each([0, 1])('treats a batch’s members as answers and their lists as items (indent %s)', (indent) => {
    const batch = [
      { id: 1, result: { status: '0x1', logs } },
      { id: 2, result: null },
      { id: 3, error: { code: -1, message: 'a "quoted" {[, \\' } },
      { id: 4, result: { status: '0x1', logs: [], uncles: ['0x1', '0x2, 3'], numbers: [1, 2, null] } },
    ];
    const kept = [{ id: 1, result: { status: '0x1', logs: [{ ...logs[2], place: 2 }] } }, ...batch.slice(1)];
    expect(filtered(batch, ({ n }) => n === 3, indent)).toEqual(each(kept));
  });

  it('holds no more than is kept', () => {
    const filter = openAnswerFilter(() => undefined);
    filter.take('{"result":[');
    const log = JSON.stringify({ data: 'x'.repeat(600) });
    let most = 0;
    for (let n = 0; n < 10_000; n += 1) {
      filter.take(`${n > 0 ? ',' : ''}${log}`);
      most = Math.max(most, filter.size());
    }
    filter.take(']}');
    expect(JSON.parse(filter.end())).toEqual({ result: [] });
    expect(most).toBeLessThan(1_000);
  });
});
