import { describe, expect, it } from 'vitest';
import { contactBlockOf, contactOf } from './contact.ts';
import { parsePhoneNumber } from './phone-number.ts';

const THAI = ['66'] as const;

describe('a Thai number', () => {
  it.each(['0812345678', '812345678', '66812345678', '+66812345678', '0066812345678', '+660812345678', '660812345678'])(
    '%s is one and the same',
    (text) => expect(parsePhoneNumber(text, THAI)).toEqual({ kind: 'valid', e164: '+66812345678' }),
  );

  it('that begins like the area code is recognised by its length', () => {
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

describe('a number in no range of Thai mobile numbers', () => {
  it.each(['0512345678', '0751234567', '0601234567', '0102345678', '+66312345678'])('%s is not taken for one', (text) =>
    expect(parsePhoneNumber(text, THAI).kind).toBe('not_mobile'),
  );
  it.each(['021234567', '053123456', '1800123456'])('%s is refused, a landline or a service', (text) =>
    expect(parsePhoneNumber(text, THAI).kind).not.toBe('valid'),
  );
  it('that is stored is found in its stored form', () => {
    for (const text of ['0681234567', '681234567', '66681234567', '+66681234567', '+660681234567']) {
      expect(contactOf(text, THAI)).toEqual({ kind: 'phone', value: '+66681234567' });
    }
  });
});

describe('another area', () => {
  it.each(['+818012345678', '+12025550123', '00818012345678', '+8562055512345'])('%s is not served', (text) =>
    expect(parsePhoneNumber(text, THAI)).toEqual({ kind: 'other_area' }),
  );
  it('is served where the brand lists it', () => {
    expect(parsePhoneNumber('+8562055512345', ['66', '856'])).toEqual({ kind: 'valid', e164: '+8562055512345' });
    expect(parsePhoneNumber('8562055512345', ['66', '856'])).toEqual({ kind: 'valid', e164: '+8562055512345' });
    expect(parsePhoneNumber('0812345678', ['66', '856'])).toEqual({ kind: 'valid', e164: '+66812345678' });
  });
});

describe('a contact', () => {
  it('is found in any usual spelling', () => {
    for (const text of ['081-234-5678', '(081) 234 5678', '+66 81 234 5678']) {
      expect(contactOf(text, THAI)).toEqual({ kind: 'phone', value: '+66812345678' });
    }
    expect(contactOf(' Mali@Example.ORG ', THAI)).toEqual({ kind: 'email', value: 'mali@example.org' });
    expect(contactOf('nonsense', THAI)).toBeNull();
  });
  it('belongs to a block of ten thousand numbers, or to a domain', () => {
    expect(contactBlockOf({ kind: 'phone', value: '+66812345678' })).toBe('+6681234');
    expect(contactBlockOf({ kind: 'email', value: '"a@b"@example.org' })).toBe('example.org');
  });
});
