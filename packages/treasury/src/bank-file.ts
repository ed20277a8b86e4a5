import { sha256, toHex, utf8Bytes } from '@sathorn/proof';

/** A payment of a bank's file, as the people who sign it see it. */
export interface BankPayment {
  /** The withdrawal's id. */
  readonly withdrawal: string;
  /** The withdrawal's order number. */
  readonly reference: string;
  readonly bank: string;
  readonly branch: string;
  readonly account: string;
  readonly name: string;
  /** THB with two decimals. */
  readonly amount: string;
}

/** A line of a run as the server shows it to people. */
interface ShownBankLine extends Omit<BankPayment, 'withdrawal' | 'reference'> {
  readonly withdrawal: { readonly id: string; readonly order_number: string };
}

/** The payments of exactly the lines that are shown. */
export const bankPaymentsOf = (lines: readonly ShownBankLine[]): BankPayment[] =>
  lines.map(({ withdrawal: { id, order_number: reference }, bank, branch, account, name, amount }) => ({
    withdrawal: id,
    reference,
    bank,
    branch,
    account,
    name,
    amount,
  }));

/** A cell of a file for a bank: one line, and marked as text if a spreadsheet would treat it as a formula. */
export function csvCell(text: string): string {
  const line = text.replaceAll(/[\r\n\t]/g, ' ');
  const inert = /^\s*[=+\-@＝＋－＠]/.test(line) ? `'${line}` : line;
  return `"${inert.replaceAll('"', '""')}"`;
}

const HEAD = ['reference', 'bank', 'branch', 'account', 'name', 'amount', 'currency'];
const rowOf = ({ reference, bank, branch, account, name, amount }: BankPayment): readonly string[] => [
  reference,
  bank,
  branch,
  account,
  name,
  amount,
  'THB',
];

/** The file for the bank (CSV, UTF-8). Its bytes depend on nothing but these payments and their order. */
export function writeBankFile(payments: readonly BankPayment[]): string {
  return [HEAD, ...payments.map(rowOf)].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** SHA-256 of a text in UTF-8, in hex. */
export const hashOfText = (text: string): string => toHex(sha256(utf8Bytes(text)));

/** SHA-256 of the file, in hex. */
export const hashOfBankFile = (payments: readonly BankPayment[]): string => hashOfText(writeBankFile(payments));

/**
 * The text that a person signs: the run, the file's hash, and what the file pays, in satang. It names the payments a
 * second time because the database, which can't write the file, writes this text from its rows (`bank_run_text`).
 */
export function writeBankRun(run: string, payments: readonly BankPayment[]): string {
  const lines = payments.map(
    ({ withdrawal, reference, amount }) => `${withdrawal} ${reference} ${BigInt(amount.replace('.', ''))}`,
  );
  return JSON.stringify([run, hashOfBankFile(payments), ...lines]);
}

/** What a confirmation of a signature under the run is bound to. */
export const fingerprintOfBankRun = (run: string, payments: readonly BankPayment[]): string =>
  hashOfText(writeBankRun(run, payments));
