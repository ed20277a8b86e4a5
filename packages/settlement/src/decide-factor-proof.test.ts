import { expect, it } from 'vitest';
import { decideFactorProof, type FactorProof, isBegunBefore } from './decide-factor-proof.ts';

const NONE: FactorProof = { hasAuthenticator: false, passkeys: 0, takesRecoveryCode: false, proof: null };
const APP = { hasAuthenticator: true };
const KEY = { passkeys: 1 };

it.each<[string, Partial<FactorProof>, string | null]>([
  ['no factor, nothing sent', {}, null],
  ['no factor, whatever was sent', { proof: 'wrong' }, null],
  ['an app, nothing sent', APP, 'second_factor_required'],
  ['a passkey, nothing sent', KEY, 'second_factor_required'],
  ['both, nothing sent', { ...APP, ...KEY }, 'second_factor_required'],
  ['an app, a proof of another operation', { ...APP, proof: 'wrong' }, 'second_factor_wrong'],
  ['a passkey, a proof of another operation', { ...KEY, proof: 'wrong' }, 'second_factor_wrong'],
  ['an app, proved', { ...APP, proof: 'factor' }, null],
  ['a passkey, proved', { ...KEY, proof: 'factor' }, null],
  ['an app, a recovery code', { ...APP, proof: 'recovery_code' }, 'second_factor_wrong'],
  ['an app that a recovery code turns off', { ...APP, proof: 'recovery_code', takesRecoveryCode: true }, null],
  ['an app that is turned off with nothing', { ...APP, takesRecoveryCode: true }, 'second_factor_required'],
])('%s', (_what, change, refusal) => {
  const decided = decideFactorProof({ ...NONE, ...change });
  expect(decided.ok ? null : decided.refusal).toBe(refusal);
});

it.each([
  ['never changed', null, false],
  ['changed before', -1, false],
  ['changed at the same time', 0, false],
  ['changed since', 1, true],
] as const)('what was begun is void where factors %s', (_what, ms, isVoid) => {
  const begun = new Date('2026-11-01T00:00:00Z');
  expect(isBegunBefore(begun, ms === null ? null : new Date(begun.getTime() + ms))).toBe(isVoid);
});
