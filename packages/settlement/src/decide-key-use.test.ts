import { expect, it } from 'vitest';
import { decideKeyUse, type KeyUse } from './decide-key-use.ts';

type Use = KeyUse<'read' | 'trade'>;
const NOW = new Date('2026-11-21T08:00:00.000Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);
const KEY: NonNullable<Use['key']> = { revokedAt: null, endsAt: at(1), scopes: ['read'] };
const USE: Use = {
  key: KEY,
  now: NOW,
  scope: 'read',
  signedAtMs: NOW.getTime(),
  isFromAllowedAddress: true,
  isSigned: () => true,
};
const trades: Use['key'] = { ...KEY, scopes: ['trade'] };
const both: Use['key'] = { ...KEY, scopes: ['read', 'trade'] };

it.each<[string, Partial<Use>, string | null]>([
  ['a key that nobody made', { key: null }, 'api_key_unknown'],
  ['a revoked key', { key: { ...KEY, revokedAt: at(-1) } }, 'api_key_revoked'],
  ['a key at its end', { key: { ...KEY, endsAt: NOW } }, 'api_key_ended'],
  ['a revoked key past its end', { key: { ...KEY, revokedAt: at(-9), endsAt: at(-1) } }, 'api_key_revoked'],
  ['a key that reads, on a call that trades', { scope: 'trade' }, 'api_key_scope'],
  ['a key that trades, on a call that reads', { key: trades }, 'api_key_scope'],
  ['a key that may do both, on a call for no key', { key: both, scope: null }, 'api_key_scope'],
  ['another address', { isFromAllowedAddress: false }, 'api_key_address'],
  ['no time', { signedAtMs: null }, 'api_key_malformed'],
  ['a time that is no number', { signedAtMs: Number.NaN }, 'api_key_malformed'],
  ['a time 5,001 ms ago', { signedAtMs: NOW.getTime() - 5_001 }, 'api_key_time'],
  ['a time 5,001 ms ahead', { signedAtMs: NOW.getTime() + 5_001 }, 'api_key_time'],
  ['another signature', { isSigned: () => false }, 'api_key_signature'],
  ['a time 5,000 ms ago', { signedAtMs: NOW.getTime() - 5_000 }, null],
  ['a time 5,000 ms ahead', { signedAtMs: NOW.getTime() + 5_000 }, null],
  ['a key that may do both, reading', { key: both }, null],
  ['a key that may do both, trading', { key: both, scope: 'trade' }, null],
])('%s', (_what, change, refusal) => {
  const decided = decideKeyUse({ ...USE, ...change });
  expect(decided.ok ? null : decided.refusal).toBe(refusal);
});

it('computes no signature for a request that is refused without it', () => {
  const isSigned = () => {
    throw new Error('computed');
  };
  for (const change of [{ key: null }, { scope: null }, { isFromAllowedAddress: false }, { signedAtMs: 0 }])
    expect(decideKeyUse({ ...USE, ...change, isSigned }).ok).toBe(false);
});
