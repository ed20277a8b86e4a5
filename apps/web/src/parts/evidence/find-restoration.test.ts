import { describe, expect, it } from 'vitest';
import { findRestoration } from './find-restoration.ts';

const restored = (at: string, btc: string) => ({
  restored_at: at,
  ends_at: at,
  known_at: at,
  transfers: '9',
  known_transfers: '9',
  ticks: { BTC: btc },
  known_ticks: { BTC: btc },
});
const FIRST = restored('2036-01-02T00:00:00.000Z', '100');
const SECOND = restored('2036-02-02T00:00:00.000Z', '500');
const seen = (sequence: bigint, since: string | undefined) => ({
  coin: 'BTC',
  sequence,
  sinceMs: since === undefined ? undefined : Date.parse(since),
});

describe('a tick that is missing from the chain', () => {
  it('is explained by a restoration whose copy ends before it, if the device’s memory is older than the restoration', () => {
    expect(findRestoration([FIRST], seen(101n, '2036-01-01T00:00:00Z'))).toBe(FIRST);
    expect(findRestoration([FIRST], seen(101n, undefined))).toBe(FIRST);
    expect(findRestoration([SECOND, FIRST], seen(300n, '2036-01-01T00:00:00Z'))).toBe(FIRST);
    expect(findRestoration([SECOND, FIRST], seen(501n, '2036-01-01T00:00:00Z'))).toBe(SECOND);
  });

  it('is not explained if the copy has it, if the memory is newer, or without a restoration', () => {
    expect(findRestoration([FIRST], seen(100n, '2036-01-01T00:00:00Z'))).toBeUndefined();
    expect(findRestoration([FIRST], seen(101n, '2036-01-03T00:00:00Z'))).toBeUndefined();
    expect(findRestoration([SECOND, FIRST], seen(300n, '2036-01-03T00:00:00Z'))).toBeUndefined();
    expect(findRestoration([], seen(101n, undefined))).toBeUndefined();
  });
});
