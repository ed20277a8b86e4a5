import { describe, expect, it } from 'vitest';
import { contactBlock, contactOf } from './contact.ts';
import { parsePhoneNumber } from './phone-number.ts';

const THAI = ['66'] as const;

describe('a Thai number', () => {
  it.each(['0812345678', '812345678', '66812345678', '+66812345678', '0066812345678', '+660812345678', '660812345678'])(
    '%s is one and the same',
    (text) => expect(parsePhoneNumber(text, THAI)).toEqual({ kind: 'valid', e164: '+66812345678' }),
  );

  it('that begins like the area code is read by its length', () => {
    expect(parsePhoneNumber('0661234567', THAI)).toEqual({ kind: 'valid', e164: '+66661234567' });
    expect(parsePhoneNumber('661234567', THAI)).toEqual({ kind: 'valid', e164: '+66661234567' });
    expect(parsePhoneNumber('66661234567', THAI)).toEqual({ kind: 'valid', e164: '+66661234567' });
  });

  it.each([
    '08123456',
    '08123456789',
    '+6681234567',
    '+668123456789',
    '0012',
    '0x12345678',
    '٠٨١٢٣٤٥٦٧٨',
    '',
    '+',
    '081 234 5678',
  ])('%j is malformed', (text) => expect(parsePhoneNumber(text, THAI)).toEqual({ kind: 'malformed' }));
});

describe('another area', () => {
  it.each(['+818012345678', '+12025550123', '00818012345678', '+8562012345678'])('%s is not served', (text) =>
    expect(parsePhoneNumber(text, THAI)).toEqual({ kind: 'other_area' }),
  );
  it('is served where the brand lists it', () => {
    expect(parsePhoneNumber('+8562012345678', ['66', '856'])).toEqual({ kind: 'valid', e164: '+8562012345678' });
    expect(parsePhoneNumber('8562012345678', ['66', '856'])).toEqual({ kind: 'valid', e164: '+8562012345678' });
    expect(parsePhoneNumber('0812345678', ['66', '856'])).toEqual({ kind: 'valid', e164: '+66812345678' });
  });
});

describe('a contact', () => {
  it('is found as anybody writes it', () => {
    for (const text of ['081-234-5678', '(081) 234 5678', '+66 81 234 5678']) {
      expect(contactOf(text, THAI)).toEqual({ kind: 'phone', value: '+66812345678' });
    }
    expect(contactOf(' Mali@Example.ORG ', THAI)).toEqual({ kind: 'email', value: 'mali@example.org' });
    expect(contactOf('nonsense', THAI)).toBeNull();
  });
  it('lies in a block of ten thousand numbers, or in a domain', () => {
    expect(contactBlock({ kind: 'phone', value: '+66812345678' })).toBe('+6681234');
    expect(contactBlock({ kind: 'email', value: '"a@b"@example.org' })).toBe('example.org');
  });
});
