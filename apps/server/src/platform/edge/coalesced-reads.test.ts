import { describe, expect, it } from 'vitest';
import { CoalescedReads } from './coalesced-reads.ts';

describe('reads that many callers request', () => {
  it('run one at a time, and never return a state older than the request', async () => {
    const reads = new CoalescedReads<number>();
    const gates: (() => void)[] = [];
    let begun = 0;
    const work = async (): Promise<number> => {
      begun += 1;
      const mine = begun;
      await new Promise<void>((resolve) => gates.push(resolve));
      return mine;
    };
    const first = reads.read('a', work);
    const late = Array.from({ length: 100 }, () => reads.read('a', work));
    const other = reads.read('b', work);
    expect(begun).toBe(2);
    gates.shift()?.();
    expect(await first).toBe(1);
    gates.shift()?.();
    expect(await other).toBe(2);
    // The third read is already running, so this request shares the next one.
    const later = reads.read('a', work);
    expect(begun).toBe(3);
    gates.shift()?.();
    expect(new Set(await Promise.all(late))).toEqual(new Set([3]));
    gates.shift()?.();
    expect(await later).toBe(4);
    const last = reads.read('a', work);
    gates.shift()?.();
    expect(await last).toBe(5);
  });

  it('fail for their own callers only, and are tried again for later ones', async () => {
    const reads = new CoalescedReads<string>();
    const broken = reads.read('a', () => Promise.reject(new Error('away')));
    const next = reads.read('a', async () => 'here');
    await expect(broken).rejects.toThrow('away');
    expect(await next).toBe('here');
  });
});
