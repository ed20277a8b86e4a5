import { describe, expect, it } from 'vitest';
import { amountBandOf, amountBandOfText, maskAddress, maskEmail, maskPayee, maskPhone } from './mask.ts';

describe('the masked data that staff see before they give a reason', () => {
  it('hides the middle of a phone number and the name of an address', () => {
    expect(maskPhone('+66812345678')).toBe('+668•••••678');
    expect(maskPhone(null)).toBeNull();
    expect(maskEmail('nicha@demo.example')).toBe('ni•••@demo.example');
    expect(maskEmail(null)).toBeNull();
    expect(maskAddress('203.0.113.7')).toBe('203.0.•.•');
    expect(maskAddress('2001:db8:1:2::7')).toBe('2001:db8:…');
  });

  it.each([
    [0n, '0'],
    [1n, '< 1'],
    [999_999n, '< 1'],
    [1_000_000n, '< 100'],
    [100_000_000n, '< 1000'],
    [5_000_000_000_000n, '> 1000000'],
  ])('shows %s USDT units as %s', (units, band) => expect(amountBandOf(units, 6)).toBe(band));

  it('shows a loss as a loss, and the ends of a payee’s number', () => {
    expect(amountBandOfText('-12.500000', 6)).toBe('−(< 100)');
    expect(amountBandOfText('0.000000', 6)).toBe('0');
    expect(maskPayee('1234567890')).toBe('••7890');
    expect(maskPayee('0x71C7656EC7ab88b098defB751B7401B5f6d8976F')).toBe('0x71C7…976F');
  });
});
