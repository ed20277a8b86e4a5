import { randomUUID } from 'node:crypto';
import { parseMoney } from '@sathorn/money';
import type { BankLine } from './bank-lines.ts';

const COLUMNS = ['bank_reference', 'at', 'amount', 'payer', 'reference'] as const;
const LINES_MAX = 5_000;

/**
 * Splits one CSV line into cells; a quoted cell may contain commas and doubled quotes. Null if a quote is not closed.
 */
function cellsOf(line: string): string[] | null {
  const cells: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(?:,|$)/.exec(rest);
    const plain = quoted ? null : /^([^",]*)(?:,|$)/.exec(rest);
    const found = quoted ?? plain;
    if (!found) return null;
    cells.push((found[1] ?? '').replaceAll('""', '"').trim());
    if (!found[0].endsWith(',')) return cells;
    rest = rest.slice(found[0].length);
  }
}

/** The lines of a bank statement. Null if any line is unreadable, so that a statement is never imported in part. */
export function readStatement(text: string): BankLine[] | null {
  const [head, ...lines] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const names = head === undefined ? null : cellsOf(head);
  if (!names || !COLUMNS.every((name) => names.includes(name)) || lines.length > LINES_MAX) return null;
  // Two columns with the same name are ambiguous.
  if (new Set(names).size < names.length) return null;
  const read: BankLine[] = [];
  for (const line of lines) {
    const cells = cellsOf(line);
    if (cells?.length !== names.length) return null;
    const cell = (name: (typeof COLUMNS)[number]): string => cells[names.indexOf(name)] ?? '';
    const amount = parseMoney('THB', cell('amount'));
    const at = new Date(cell('at'));
    const bankReference = cell('bank_reference');
    if (!amount || amount.units <= 0n || Number.isNaN(at.getTime()) || !/^[A-Za-z0-9/-]{1,64}$/.test(bankReference))
      return null;
    read.push({
      id: randomUUID(),
      bankReference,
      at,
      amount: amount.units,
      payer: cell('payer').slice(0, 120),
      reference: cell('reference').toUpperCase().slice(0, 40),
    });
  }
  return read;
}
