import { describe, expect, it } from 'vitest';
import { uuidOfName } from '../intent.ts';
import { deriveIntent, isIdempotencyKey, RetryWindows } from './derive-intent.ts';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const names = ['amount', 'asset'];
const fields = { amount: '1', asset: 'USDT' };
const of = (
  change: {
    customer?: bigint;
    route?: string;
    fields?: Record<string, string>;
    key?: string | null;
    now?: Date;
    windows?: RetryWindows;
  } = {},
) =>
  deriveIntent(
    change.customer ?? 1n,
    change.route ?? 'POST /demo/fund',
    names,
    change.fields ?? fields,
    change.key === undefined ? 'key-1234' : change.key,
    change.now ?? NOW,
    change.windows ?? new RetryWindows(() => 0),
  );

describe('deriveIntent', () => {
  it('gives the same id and digest for the same request, whatever the order of its fields', () => {
    expect(of()).toEqual(of({ fields: { asset: 'USDT', amount: '1' } }));
    expect(of().id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(of().digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('keeps the id and changes the digest when the content changes under one key', () => {
    const other = of({ fields: { ...fields, amount: '2' } });
    expect(other.id).toBe(of().id);
    expect(other.digest).not.toBe(of().digest);
  });

  it('has no password and no code in the digest, from which they could be guessed', () => {
    const secret = { names: ['amount', 'otp', 'paypass'], fields: { amount: '1', otp: '123456', paypass: '493027' } };
    const digestOf = (given: Record<string, string>) =>
      deriveIntent(1n, 'POST /users/extract', secret.names, given, 'key-1234', NOW, new RetryWindows(() => 0)).digest;
    expect(digestOf(secret.fields)).toBe(digestOf({ amount: '1' }));
  });

  it('binds a key to its customer and its route', () => {
    const ids = [of(), of({ customer: 2n }), of({ route: 'POST /coin/order/add' }), of({ key: 'key-1235' })].map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('has a different text for every content', () => {
    const joined = of({ fields: { amount: '1","asset":"USDT' } });
    expect(joined.digest).not.toBe(of().digest);
    expect(of({ fields: { amount: '1' } }).digest).not.toBe(of({ fields: { amount: '1', asset: '' } }).digest);
  });

  it('treats the same request without a key within ten seconds as a retry, whenever the ten seconds begin', () => {
    for (const begins of [0, 1, 5_000, 9_999]) {
      let elapsedMs = 0;
      const windows = new RetryWindows(() => elapsedMs);
      const at = (ms: number, customer = 1n) => {
        elapsedMs = ms;
        return of({ key: null, customer, windows, now: new Date(NOW.getTime() + begins + ms) }).id;
      };
      const first = at(0);
      expect([at(1), at(5_000), at(9_999)]).toEqual([first, first, first]);
      expect(at(9_999, 2n)).not.toBe(first);
      const second = at(10_000);
      expect(second).not.toBe(first);
      expect(at(19_999)).toBe(second);
      expect([first, second]).not.toContain(at(20_000));
    }
    expect(of({ key: null, fields: { ...fields, amount: '2' } }).id).not.toBe(of({ key: null }).id);
  });

  it.each([3_600_000, -3_600_000, 15_000])('knows a retry although the clock is set by %i ms in between', (step) => {
    let elapsedMs = 0;
    const windows = new RetryWindows(() => elapsedMs);
    const at = (now: number) => of({ key: null, windows, now: new Date(NOW.getTime() + now) }).id;
    const first = at(0);
    elapsedMs = 9_999;
    expect(at(9_999 + step)).toBe(first);
    elapsedMs = 10_000;
    expect(at(10_000 + step)).not.toBe(first);
  });

  it('recognises a retry on another node or after a restart, within the same ten seconds of the clock', () => {
    const at = (ms: number) => of({ key: null, now: new Date(NOW.getTime() + ms) }).id;
    expect(at(9_999)).toBe(at(0));
    expect(at(10_000)).not.toBe(at(0));
  });

  it.each([
    ['abcdefgh', true],
    ['A-Z_0-9-xyz', true],
    ['short', false],
    ['a'.repeat(65), false],
    ['derived.abcdef', false],
    ['eight chr', false],
    ['', false],
  ])('recognises a key: %s', (text, is) => expect(isIdempotencyKey(text)).toBe(is));

  it('is a UUID of version 5 as in RFC 9562', async () => {
    const { createHash } = await import('node:crypto');
    const namespace = Buffer.from('6f2b1c9e0f5d5b0a9d3c7a4e53617468', 'hex');
    const hex = createHash('sha1').update(namespace).update('name').digest('hex');
    expect(uuidOfName('name').replaceAll('-', '').slice(0, 12)).toBe(hex.slice(0, 12));
    expect(uuidOfName('name').replaceAll('-', '').slice(17)).toBe(hex.slice(17, 32));
  });
});
