import { describe, expect, it } from 'vitest';
import { isCommonPin } from './common-pin.ts';

const nobody = { phone: null };

describe('a payment password', () => {
  it.each([
    ['repeated', ['000000', '111111', '999999', '121212', '123123', '909090', '787787']],
    ['of two digits', ['112211', '110011', '122112', '777000']],
    ['in steps', ['123456', '654321', '012345', '567890', '890123', '246802', '135791', '987654', '036925']],
    ['in pairs', ['112233', '445566', '998877', '102030', '182736', '010203']],
    ['of two triples', ['111222', '123321', '123789', '999888', '345765'.replace('765', '543')]],
    ['mirrored', ['123321', '480084', '917719']],
    ['a date', ['250890', '082590', '900825', '311299', '290200', '010170', '112569', '256911', '199011', '121990']],
    ['known', ['142857', '159753', '147258', '520131', '201314', '112358', '007007', '786786', '258025']],
  ])('is refused: %s', (_what, pins) => {
    expect(pins.filter((pin) => !isCommonPin(pin, nobody))).toEqual([]);
  });

  it('is refused when it is in the phone number', () => {
    expect(isCommonPin('758364', { phone: '+66817583649' })).toBe(true);
    expect(isCommonPin('758364', { phone: '+66812345678' })).toBe(false);
  });

  it.each(['739152', '582974', '406938', '918354', '774193', '350278'])('is accepted: %s', (pin) => {
    expect(isCommonPin(pin, nobody)).toBe(false);
  });

  it('leaves most of the million possible ones', () => {
    let refused = 0;
    for (let n = 0; n < 1_000_000; n += 1) if (isCommonPin(String(n).padStart(6, '0'), nobody)) refused += 1;
    expect(refused).toBeGreaterThan(2_910);
    expect(refused).toBeLessThan(150_000);
  });
});
