import { money } from '@sathorn/money';
import { usdtForBaht as usdtFor } from '@sathorn/settlement';
import { describe, expect, it } from 'vitest';
import { bahtForUsdt, payInRate, payOutRate } from './bank-rails.ts';
import { readBankStatement } from './bank-statement.ts';
import { orderNumberOf } from './order-number.ts';
import { crc16, promptPayPayload } from './promptpay.ts';
import { normaliseHash } from './submit-deposit.ts';

/** Parses the tag-length-value fields of an EMVCo code, as a reader would. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    fields.set(text.slice(at, at + 2), text.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

describe('a PromptPay code', () => {
  const text = promptPayPayload({ biller: '099400000000000', baht: money('THB', 334_163n), reference: 'SAQ2K7XW9PLM' });

  it('contains the payee, the amount and the reference, and ends with its checksum', () => {
    const fields = fieldsOf(text);
    expect(fields.get('54')).toBe('3341.63');
    expect([fields.get('01'), fields.get('53'), fields.get('58')]).toEqual(['12', '764', 'TH']);
    const bill = fieldsOf(fields.get('30') ?? '');
    expect([...bill.values()]).toEqual(['A000000677010112', '099400000000000', 'SAQ2K7XW9PLM']);
    expect(fields.get('63')).toBe(crc16(text.slice(0, -4)));
  });

  it('has the checksum of the standard’s own example', () => {
    expect(crc16('123456789')).toBe('29B1');
    // A published PromptPay code: 4.22 baht to a phone number.
    expect(crc16('00020101021229370016A000000677010111011300660000000005802TH530376454044.226304')).toBe('E469');
  });

  it.each([
    { biller: '12', baht: money('THB', 1n), reference: 'A' },
    { biller: '099400000000000', baht: money('THB', 0n), reference: 'A' },
    { biller: '099400000000000', baht: money('THB', 1n), reference: 'a b' },
  ])('is refused for $biller $baht.units $reference', (of) => expect(() => promptPayPayload(of)).toThrow(RangeError));
});

describe('baht and USDT', () => {
  const rate = { units: 33_250_000n, source: 'simulated', at: new Date(0) };

  it('are exchanged with the spread against the customer in both directions, rounded in favour of the house', () => {
    const [pays, gets] = [payInRate(rate, 50n), payOutRate(rate, 50n)];
    expect([pays, gets]).toEqual([33_416_250n, 33_083_750n]);
    expect(usdtFor(money('THB', 334_163n), pays)).toEqual(money('USDT', 100_000_149n));
    expect(bahtForUsdt(money('USDT', 100_000_149n), gets)).toEqual(money('THB', 330_837n));
    for (let baht = 1n; baht < 2_000n; baht += 7n)
      expect(bahtForUsdt(usdtFor(money('THB', baht), pays), gets).units).toBeLessThanOrEqual(baht);
  });
});

describe('a bank statement', () => {
  const columns = 'bank_reference,at,amount,payer,reference';
  const at = '2026-11-20T10:00:00Z';
  const given = { account: '123-4-56789-0', from: '2026-11-20T00:00:00+07:00', to: '2026-11-21T00:00:00+07:00' };
  const text = (lines: readonly string[], closing: string, over: Record<string, string | null> = {}, head = columns) =>
    [
      ...Object.entries({ ...given, opening: '100.00', closing, ...over })
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name},${value}`),
      head,
      ...lines,
    ].join('\n');
  const read = (file: string) => readBankStatement(Buffer.from(file), new Date('2026-11-21T08:00:00Z'), 'Asia/Bangkok');
  const line = (number: string, amount: string) => `${number},${at},${amount},Mali,R1`;

  it.each<[string, string, number]>([
    ['two lines', text([line('A1', '5.00'), line('A2', '6.00')], '111.00'), 2],
    ['no lines', text([], '100.00'), 0],
    ['a payer with a comma and quotes', text([`A1,${at},5.00,"A ""B"", C",r1`], '105.00'), 1],
    [
      'other columns between',
      text([`${at},,A1,5.00,M,R`], '105.00', {}, 'at,x,bank_reference,amount,payer,reference'),
      1,
    ],
    ['what was paid out', text([line('A1', '5.00'), line('A2', '-105.50')], '-0.50'), 1],
    ['the same line twice', text([line('A1', '5.00'), line('A1', '5.00')], '105.00'), 1],
    ['one number of two transfers', text([line('A1', '5.00'), line('A1', '6.00')], '111.00'), 2],
    ['one number of two payers', text([line('A1', '5.00'), `A1,${at},5.00,Malee,R1`], '110.00'), 2],
  ])('of %s is read', (_what, file, lines) => {
    expect(read(file)).toMatchObject({ ok: true, effect: { lines: { length: lines } } });
  });

  it.each<[string, string, string, object?]>([
    [
      'a sum that is not the closing balance',
      text([line('A1', '5.00')], '106.00'),
      'statement_sum_differs',
      { sum: '105.00', closing: '106.00' },
    ],
    ['no opening balance', text([], '100.00', { opening: null }), 'statement_head_missing', { column: 'opening' }],
    ['no account', text([], '100.00', { account: null }), 'statement_head_missing', { column: 'account' }],
    [
      'a column less in the head',
      text([], '100.00', {}, 'bank_reference,at,amount,payer'),
      'statement_head_missing',
      { column: 'reference' },
    ],
    [
      'a third of a satang',
      text([line('A1', '5.001')], '105.00'),
      'statement_line_wrong',
      { line: '7', column: 'amount' },
    ],
    [
      'nothing',
      text([line('A1', '5.00'), line('A2', '0.00')], '105.00'),
      'statement_line_wrong',
      { line: '8', column: 'amount' },
    ],
    ...[
      '2026-02-31T10:00:00Z',
      '20/11/2026 10:00',
      '11/20/2026',
      '2569-11-20 10:00',
      '2026-11-20',
      '2026-11-20 24:00',
      'Nov 20 2026 10:00',
      '1795143600',
    ].map(
      (written) =>
        [
          `the time ${written}`,
          text([`A1,${written},5.00,M,R`], '105.00'),
          'statement_line_wrong',
          { line: '7', column: 'at' },
        ] as [string, string, string, object],
    ),
    [
      'a beginning of years ago',
      text([], '100.00', { from: '2016-11-20T00:00:00Z' }),
      'statement_line_wrong',
      { line: '2', column: 'from' },
    ],
    ['a control code', text([`A1,${at},5.00,Ma\u0000li,R1`], '105.00'), 'statement_not_utf8', { line: '7' }],
    ['letters that were lost before', text([`A1,${at},5.00,\ufffd,R1`], '105.00'), 'statement_not_utf8', { line: '7' }],
    [
      'a time outside of it',
      text([`A1,2026-11-22T10:00:00Z,5.00,M,R`], '105.00'),
      'statement_line_wrong',
      { line: '7', column: 'at' },
    ],
    [
      'an end in the future',
      text([], '100.00', { to: '2026-11-22T00:00:00Z' }),
      'statement_line_wrong',
      { line: '3', column: 'to' },
    ],
    [
      'an end before it begins',
      text([], '100.00', { to: given.from }),
      'statement_line_wrong',
      { line: '3', column: 'to' },
    ],
    [
      'a balance twice',
      text([], '100.00', { from: `${given.from}\nopening,7.00` }),
      'statement_line_wrong',
      { line: '5', column: 'opening' },
    ],
    ['a column less', text([`A1,${at},5.00,Mali`], '105.00'), 'statement_line_wrong', { line: '7' }],
    ['an open quote', text([`A1,${at},5.00,"Mali,R1`], '105.00'), 'statement_line_wrong', { line: '7' }],
    ['something else', '\u0000PK', 'statement_not_utf8', { line: '1' }],
  ])('with %s is refused as a whole', (_what, file, refusal, params = {}) => {
    expect(read(file)).toMatchObject({ ok: false, refusal, params });
  });
});

it.each<[string, string]>([
  ['2026-11-20 17:00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T17:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.25Z', '2026-11-20T10:00:00.250Z'],
  ['2026-11-20T12:00:00+02:00', '2026-11-20T10:00:00.000Z'],
])('a statement’s time %s is %s, on the brand’s clock without a zone', (written, moment) => {
  const rows = [
    'account,123-4-56789-0',
    'from,2026-11-20 00:00',
    'to,2026-11-21 00:00',
    'opening,1.00',
    'closing,2.00',
  ];
  const file = [...rows, 'bank_reference,at,amount,payer,reference', `A1,${written},1.00,M,R`].join('\n');
  const read = readBankStatement(Buffer.from(file), new Date('2026-11-21T08:00:00Z'), 'Asia/Bangkok');
  expect(read.ok && read.effect.lines[0]?.at.toISOString()).toBe(moment);
});

it('a statement in another encoding is refused with its line, because importing it would damage names for good', () => {
  const head = 'bank_reference,at,amount,payer,reference\nA1,2026-11-20 17:00,1.00,';
  const thai = Buffer.concat([Buffer.from(head), Buffer.from([0xca, 0xc1, 0xaa, 0xd2, 0xc2])]);
  expect(readBankStatement(thai, new Date('2026-11-21T08:00:00Z'), 'Asia/Bangkok')).toMatchObject({
    refusal: 'statement_not_utf8',
    params: { line: '2' },
  });
});

describe('a transaction hash', () => {
  const hex = 'ab'.repeat(32);
  it.each<[string, string | undefined]>([
    [`0x${hex}`, `0x${hex}`],
    [`0X${hex.toUpperCase()}`, `0x${hex}`],
    [hex.toUpperCase(), `0x${hex}`],
    [hex.slice(1), undefined],
    [`${hex}0`, undefined],
    [`0x${hex.replace('a', 'а')}`, undefined],
    ['g'.repeat(64), undefined],
  ])('%s is read as %s', (text, expected) => expect(normaliseHash(text)).toBe(expected));
});

it('an order number has the brand’s date, and reveals no count', () => {
  const at = new Date('2026-11-22T20:00:00Z');
  expect(orderNumberOf('W', '5e417ac7-5b21-5f5b-9d6a-a52652e914e4', at, 'Asia/Bangkok')).toMatch(
    /^W-261123-[0-9A-Z]{8}$/,
  );
});
