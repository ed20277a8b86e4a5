import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkEntries, GENESIS } from './check-chain.ts';

function chainOf(count: number): { n: string; text: string; hash: string }[] {
  const entries: { n: string; text: string; hash: string }[] = [];
  let previous = '00'.repeat(32);
  for (let n = 1; n <= count; n++) {
    const text = JSON.stringify({ n: String(n), note: 'ไทย', prev: previous, what: 'a.b' });
    previous = createHash('sha256').update(Buffer.from(previous, 'hex')).update(text).digest('hex');
    entries.push({ n: String(n), text, hash: previous });
  }
  return entries;
}

describe('the log’s chain, verified in the browser', () => {
  const entries = chainOf(7);

  it('is verified over several pages', async () => {
    const first = await checkEntries(GENESIS, entries.slice(0, 3));
    const all = first && (await checkEntries(first, entries.slice(3)));
    expect(all).toMatchObject({ n: 7, hash: entries[6]?.hash });
    expect(all?.hashes.has(entries[6]?.hash ?? '')).toBe(true);
  });

  it.each<[string, (copy: { n: string; text: string; hash: string }[]) => unknown]>([
    ['a changed text', (copy) => Object.assign(copy[3] ?? {}, { text: copy[3]?.text.replace('a.b', 'a.c') })],
    [
      'a text with its own new hash',
      (copy) => {
        const text = copy[3]?.text.replace('a.b', 'a.c') ?? '';
        const hash = createHash('sha256')
          .update(Buffer.from(copy[2]?.hash ?? '', 'hex'))
          .update(text)
          .digest('hex');
        return Object.assign(copy[3] ?? {}, { text, hash });
      },
    ],
    ['an entry left out', (copy) => copy.splice(3, 1)],
    ['two in the other order', (copy) => copy.splice(2, 2, ...copy.slice(2, 4).reverse())],
    ['an entry twice', (copy) => copy.splice(3, 0, { ...(copy[3] ?? { n: '', text: '', hash: '' }) })],
    ['what is no entry', (copy) => Object.assign(copy[0] ?? {}, { text: 'nothing' })],
  ])('breaks at %s', async (_what, spoil) => {
    const copy = entries.map((entry) => ({ ...entry }));
    spoil(copy);
    expect(await checkEntries(GENESIS, copy)).toBeNull();
  });
});
