import { describe, expect, it } from 'vitest';
import {
  ageOn,
  BANK_CODES,
  checksumAddress,
  FOR_LIFE_EXPIRY,
  faultOfBirth,
  faultOfExpiry,
  faultOfNumber,
  isAccountNumber,
  isPersonName,
  isSameName,
  isThaiId,
  looksLikeAddress,
  readEvmAddress,
} from './index.ts';

describe('a wallet address', () => {
  // The examples of EIP-55.
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s is written in the capitals of its checksum', (address) => {
    expect(checksumAddress(address)).toBe(address);
    expect(readEvmAddress(` ${address}\n`)).toEqual({ ok: true, address });
    expect(readEvmAddress(address.toLowerCase())).toEqual({ ok: true, address });
  });

  it.each([
    ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5D359', 'address_checksum'],
    ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35', 'address_malformed'],
    ['fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359aa', 'address_malformed'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'address_malformed'],
    ['', 'address_malformed'],
    [`0x${'0'.repeat(40)}`, 'address_reserved'],
    [`0x${'0'.repeat(39)}1`, 'address_reserved'],
    ['0x000000000000000000000000000000000000dEaD', 'address_reserved'],
  ])('%s: %s', (text, fault) => {
    expect(readEvmAddress(text)).toEqual({ ok: false, fault });
  });

  it.each([
    'ethereum:ADDRESS',
    'Ethereum:ADDRESS@56',
    'ethereum:pay-ADDRESS@1?value=2.014e18',
    'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7/transfer?address=ADDRESS&uint256=1e6',
    'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?uint256=1e6&address=ADDRESS',
    '\u202aADDRESS\u202c',
    '\ufeffADDRESS\u200b\r\n',
  ])('is read from %j', (pasted) => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(readEvmAddress(pasted.replace('ADDRESS', address))).toEqual({ ok: true, address });
    const inFours = `0x ${address.slice(2).match(/.{4}/g)?.join(' ')}`;
    expect(readEvmAddress(inFours)).toEqual({ ok: true, address });
    const wide = address.replace(/[0-9A-Za-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
    expect(readEvmAddress(wide)).toEqual({ ok: true, address });
  });

  it.each([
    'ethereum:',
    'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7/transfer?uint256=1',
    'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7/approve?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    'bitcoin:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ])('is not guessed from %s', (pasted) => {
    expect(readEvmAddress(pasted)).toEqual({ ok: false, fault: 'address_malformed' });
  });

  it('resembles another address with the same beginning and end, but not itself', () => {
    const saved = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    expect(looksLikeAddress(`0xFB69${'1'.repeat(32)}D359`, saved)).toBe(true);
    expect(looksLikeAddress(saved.toLowerCase(), saved)).toBe(false);
    expect(looksLikeAddress(`0xFB69${'1'.repeat(32)}D358`, saved)).toBe(false);
  });
});

it.each([
  ['KBANK', '0123456789', true],
  ['KBANK', '012345678', false],
  ['GSB', '020123456789', true],
  ['GSB', '0123456789', false],
  ['KKP', '01234567890123', true],
  ['SCB', '1111111111', false],
  ['SCB', '01234 6789', false],
  ['SCB', '٠١٢٣٤٥٦٧٨٩', false],
] as const)('an account of %s with number %s: %s', (bank, number, isRight) => {
  expect(BANK_CODES).toContain(bank);
  expect(isAccountNumber(bank, number)).toBe(isRight);
});

it.each([
  ['นางสาว นิชา  พรมศิริ', 'นิชา พรมศิริ', true],
  ['MR. JOHN O’NEIL', "John O'Neil", true],
  ['Nicha Phromsiri', 'Phromsiri Nicha', false],
  ['Nicha Phromsiri', 'Nicha Phromsir', false],
  ['นาย', 'นาง', false],
  // A title is recognised only where its word ends.
  ['Mrinal Kulkarni', 'MRS MRINAL KULKARNI', true],
  ['Mrinal Kulkarni', 'Mr.Mrinal Kulkarni', true],
  ['Mrinal Kulkarni', 'Prof. Dr. Mrinal Kulkarni', true],
  ['Idula Sharma', 'Mridula Sharma', false],
  ['Sara Ito', 'Mssara Ito', false],
  ['Drew Barry', 'ew Barry', false],
  ['श्रीकांत राव', 'श्री श्रीकांत राव', true],
  ['श्रीकांत राव', 'कांत राव', false],
  ['Suharto', 'Mr Suharto', true],
  // Thai writes no space after a title, so a name may begin with the same letters.
  ['นางสาวนิชา พรมศิริ', 'นิชา พรมศิริ', true],
  ['นางสาวนิชา พรมศิริ', 'น.ส.นิชา พรมศิริ', true],
  ['นางสาวนิชา พรมศิริ', 'นส. นิชา พรมศิริ', true],
  ['นางสาวิตรี ใจดี', 'สาวิตรี ใจดี', true],
  ['นางสาวิตรี ใจดี', 'ิตรี ใจดี', false],
  ['นางนวล ใจดี', 'น.ส. นางนวล ใจดี', true],
  ['นางนวล ใจดี', 'นายนวล ใจดี', false],
  ['นางาม ใจดี', 'าม ใจดี', false],
  ['นาย ใจดี', 'นาง ใจดี', false],
  ['ດາລາ ສີ', 'ນາງດາລາ ສີ', true],
  // Joiners, strokes and hyphens: banks leave them out or print a space.
  ['श्री\u200dकांत राव', 'श्रीकांत राव', true],
  ['علی\u200cرضا احمدی', 'علیرضا احمدی', true],
  ['علی\u200cرضا احمدی', 'علی رضا احمدی', true],
  ['علی احمدی', 'علي احمدي', true],
  ['Ravi A/L Kumar', 'RAVI AL KUMAR', true],
  ['Ravi A/L Kumar', 'RAVI A L KUMAR', true],
  ['Anne-Marie Roy', 'ANNE MARIE ROY', true],
  ['Anna Straße', 'ANNA STRASSE', true],
  ['İbrahim Kaya', 'IBRAHIM KAYA', true],
  ['เเก้ว นํ้าใส', 'แก้ว น้ำใส', true],
  // Banks print Latin letters without their diacritics. In other scripts a mark makes another letter, vowel or tone.
  ['José Núñez', 'JOSE NUNEZ', true],
  ['Jose\u0301 Nun\u0303ez', 'Jose Nunez', true],
  ['Nguyễn Thị Đào', 'NGUYEN THI DAO', true],
  ['Søren Łukasz', 'SOREN LUKASZ', true],
  ['Şule Çelık', 'SULE CELIK', true],
  ['Özgür Kaya', 'Ozan Kaya', false],
  ['अनिल राव', 'अनल राव', false],
  ['कमल राव', 'क़मल राव', false],
  ['ปา ใจดี', 'ป่า ใจดี', false],
  ['أحمد علي', 'احمد علي', false],
  ['Йорг Май', 'Иорг Маи', false],
  ['がく 山', 'かく 山', false],
])('%s and %s are the same name: %s', (one, other, isSame) => {
  expect(isSameName(one, other)).toBe(isSame);
});

it.each([
  ['श्री\u200dकांत', true],
  ['علی\u200cرضا', true],
  ['Ravi A/L Kumar', true],
  ['Gurpreet S/O Singh', true],
  ['Lim Ah Kow @ Lim Beng', true],
  ['买买提·艾力', true],
  ['Gal·la Puig', true],
  ['ʻAkaʻula Kai', true],
  ["'t Hart", true],
  ['Henry Ⅲ', true],
  ['བསྟན་འཛིན', true],
  ['\u200d\u200d', false],
  ['A', false],
  ['<b>Nicha</b>', false],
  ['=1+1', false],
  ['@SUM(A1)', false],
  ['/Nicha', false],
  ['12345', false],
  ['Nicha\u202ePhrom', false],
])('%s is well-formed as a name: %s', (name, isRight) => expect(isPersonName(name)).toBe(isRight));

describe('documents', () => {
  it.each([
    ['1101700230708', true],
    ['1101700230705', false],
    ['0101700230708', false],
    ['110170023070', false],
  ])('%s is a number of a Thai identity card: %s', (digits, isRight) => {
    expect(isThaiId(digits)).toBe(isRight);
  });

  it('nearly every wrong digit of an identity card is detected', () => {
    const right = '1101700230708';
    let missed = 0;
    for (let at = 0; at < right.length; at += 1)
      for (let digit = 0; digit < 10; digit += 1) {
        const changed = `${right.slice(0, at)}${digit}${right.slice(at + 1)}`;
        if (changed !== right && isThaiId(changed)) missed += 1;
      }
    // The sum has eleven remainders but only ten check digits, so at most one wrong digit per position goes undetected.
    expect(missed).toBeLessThan(right.length);
  });

  it.each([
    ['id_card', '11017002307', 'id_number_short'],
    ['id_card', '1101700230705', 'id_number_checksum'],
    ['id_card', '110170023070A', 'number_malformed'],
    ['passport', 'AA1234567', null],
    ['passport', 'AAAAAAAA', 'number_malformed'],
    ['driver_licence', '61001234', null],
    ['driver_licence', '1', 'number_malformed'],
  ] as const)('%s %s: %s', (type, number, fault) => {
    expect(faultOfNumber(type, number)).toBe(fault);
  });

  it.each([
    ['2006-11-23', null],
    ['2006-11-24', 'under_age'],
    ['2027-01-01', 'birth_date_malformed'],
    ['2001-02-29', 'birth_date_malformed'],
    ['1890-01-01', 'birth_date_malformed'],
    ['23/11/1990', 'birth_date_malformed'],
  ])('born %s: %s', (birth, fault) => {
    expect(faultOfBirth(birth, '2026-11-23')).toBe(fault);
  });

  it.each([
    ['2026-11-23', null],
    ['2026-11-22', 'document_expired'],
    ['2017-05-05', 'document_expired'],
    ['2047-11-22', null],
    ['2047-11-23', 'expiry_malformed'],
    ['9999-12-31', 'expiry_malformed'],
    ['9456-12-31', 'expiry_malformed'],
    ['2027-02-29', 'expiry_malformed'],
    ['', 'expiry_malformed'],
  ])('valid until %s: %s', (expires, fault) => {
    expect(faultOfExpiry('id_card', expires, '2026-11-23')).toBe(fault);
  });

  it.each([
    ['id_card', null],
    ['driver_licence', null],
    ['passport', 'expiry_malformed'],
  ] as const)('%s valid for life: %s', (type, fault) => {
    expect(faultOfExpiry(type, FOR_LIFE_EXPIRY, '2026-11-23')).toBe(fault);
  });

  it('the age rises on the birthday', () => {
    expect([ageOn('2000-03-01', '2026-02-28'), ageOn('2000-03-01', '2026-03-01')]).toEqual([25, 26]);
  });
});
