import { describe, expect, it } from 'vitest';
import { authenticatorUri, codeOfStep, codeStepAt, encodeBase32, stepOfCode } from './authenticator.ts';

const KEY = Buffer.from('12345678901234567890');

describe('authenticator codes', () => {
  // The last six digits of RFC 6238's test vectors for SHA-1.
  it.each([
    ['1970-01-01T00:00:59Z', '287082'],
    ['2005-03-18T01:58:29Z', '081804'],
    ['2009-02-13T23:31:30Z', '005924'],
    ['2603-10-11T11:33:20Z', '353130'],
  ])('are those of the standard at %s', (at, code) => expect(codeOfStep(KEY, codeStepAt(new Date(at)))).toBe(code));

  it('are accepted once, also for the step before and after', () => {
    const now = new Date('2026-11-23T08:00:10Z');
    const step = codeStepAt(now);
    for (const near of [step - 1, step, step + 1]) expect(stepOfCode(KEY, codeOfStep(KEY, near), now, 0)).toBe(near);
    expect(stepOfCode(KEY, codeOfStep(KEY, step), now, step)).toBeNull();
    expect(stepOfCode(KEY, codeOfStep(KEY, step + 2), now, 0)).toBeNull();
    expect(stepOfCode(KEY, ' 12345', now, 0)).toBeNull();
  });

  it('come from a key that apps can scan and people can type', () => {
    expect(encodeBase32(KEY)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(authenticatorUri(KEY, 'Sathorn: console', 'tan')).toBe(
      'otpauth://totp/Sathorn%3A%20console:tan?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Sathorn%3A+console',
    );
  });
});
