import { expect, it, test } from 'vitest';
import {
  type BankPayment,
  bankPaymentsOf,
  csvCell,
  fingerprintOfBankRun,
  hashOfBankFile,
  writeBankFile,
  writeBankRun,
} from './bank-file.ts';

const NICHA: BankPayment = {
  withdrawal: '00000000-0000-4000-8000-000000000001',
  reference: 'W1',
  bank: 'SCB',
  branch: '0123',
  account: '0123456789',
  name: 'Nicha Phromsiri',
  amount: '660.35',
};
const LEK: BankPayment = {
  ...NICHA,
  withdrawal: '00000000-0000-4000-8000-000000000002',
  reference: 'W2',
  amount: '0.50',
};
const RUN = '00000000-0000-4000-8000-00000000000a';

it('writes one line per payment, in their order', () => {
  expect(writeBankFile([NICHA, LEK])).toBe(
    '"reference","bank","branch","account","name","amount","currency"\r\n' +
      '"W1","SCB","0123","0123456789","Nicha Phromsiri","660.35","THB"\r\n' +
      '"W2","SCB","0123","0123456789","Nicha Phromsiri","0.50","THB"\r\n',
  );
});

it('has a text to sign that names the run, the file and each amount in satang', () => {
  expect(writeBankRun(RUN, [NICHA, LEK])).toBe(
    `["${RUN}","${hashOfBankFile([NICHA, LEK])}","${NICHA.withdrawal} W1 66035","${LEK.withdrawal} W2 50"]`,
  );
  expect(() => writeBankRun(RUN, [{ ...NICHA, amount: 'much' }])).toThrow();
});

const changes: readonly (keyof BankPayment)[] = ['reference', 'bank', 'branch', 'account', 'name', 'amount'];
it.each(changes)('has another hash with another %s', (field) => {
  const changed = [{ ...NICHA, [field]: '9' }, LEK];
  expect(hashOfBankFile(changed)).not.toBe(hashOfBankFile([NICHA, LEK]));
  expect(fingerprintOfBankRun(RUN, changed)).not.toBe(fingerprintOfBankRun(RUN, [NICHA, LEK]));
});

it('has another hash in another order, and another fingerprint in another run or for another withdrawal', () => {
  expect(hashOfBankFile([LEK, NICHA])).not.toBe(hashOfBankFile([NICHA, LEK]));
  expect(fingerprintOfBankRun(LEK.withdrawal, [NICHA])).not.toBe(fingerprintOfBankRun(RUN, [NICHA]));
  expect(fingerprintOfBankRun(RUN, [{ ...NICHA, withdrawal: RUN }])).not.toBe(fingerprintOfBankRun(RUN, [NICHA]));
});

it('takes the payments from the lines that are shown', () => {
  const { withdrawal: id, reference: order_number, ...line } = NICHA;
  expect(bankPaymentsOf([{ ...line, withdrawal: { id, order_number } }])).toEqual([NICHA]);
});

test.each([
  ['Nicha Phromsiri', '"Nicha Phromsiri"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['-1+1|cmd', '"\'-1+1|cmd"'],
  ['+66', '"\'+66"'],
  ['@SUM(1)', '"\'@SUM(1)"'],
  ['\t=1', '"\' =1"'],
  ['＝1', '"\'＝1"'],
  ['a\r\n=1', '"a  =1"'],
])('the cell %j is written as %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});
