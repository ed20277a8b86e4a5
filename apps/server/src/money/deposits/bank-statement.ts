import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { add, formatMoney, type Money, money, parseMoney, subtract, zero } from '@sathorn/money';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { dayOfText, type LocalDays, localDays } from '../../platform/local-day.ts';
import type { BankLine, BankStatement } from './bank-lines.ts';

const COLUMNS = ['bank_reference', 'at', 'amount', 'payer', 'reference'] as const;
const HEAD = ['account', 'from', 'to', 'opening', 'closing'] as const;
const LINES_MAX = 5_000;
/** An export may end in the minute in which it was made, and clocks differ a little. */
const AHEAD_MS = 5 * 60_000;
/** Nobody imports statements from years ago, so such a date was written in another order or calendar. */
const PAST_MS = 366 * 86_400_000;

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

type StatementRefusal =
  | 'file_unreadable'
  | 'statement_not_utf8'
  | 'statement_line_wrong'
  | 'statement_head_missing'
  | 'statement_sum_differs';

/** Parses an amount with its sign; null if the text is no amount. */
function bahtOf(text: string): Money<'THB'> | null {
  const parsed = parseMoney('THB', text.replace(/^-/, '')) ?? null;
  return parsed && text.startsWith('-') ? money('THB', -parsed.units) : parsed;
}
/**
 * Parses two formats: ISO 8601 with its zone, and year, month, day and time on the brand's clock. `05/11/2026` is
 * refused, because only the bank knows which number is the month.
 */
function timeOf(text: string, days: LocalDays): Date | null {
  const [, date = '', hour = '', minute = '', second = '00', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const day = dayOfText(date);
  if (day === undefined || hour > '23' || minute > '59' || second > '59') return null;
  if (zone === '') {
    const local = days.momentOf(day, Number(hour) * 60 + Number(minute));
    return new Date(local.getTime() + Number(second) * 1_000 + Math.floor(Number(`0${fraction}`) * 1_000));
  }
  const at = new Date(`${date}T${hour}:${minute}:${second}${fraction}${zone}`);
  return Number.isNaN(at.getTime()) ? null : at;
}
/** The first line with control codes or invalid UTF-8, or that an earlier program has already damaged. */
function damagedLine(bytes: Buffer): number | null {
  for (let line = 1, from = 0; from <= bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    const row = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (!isUtf8(row) || /[\p{Cc}\ufffd]/u.test(row.toString('utf8').replace(/[\r\t]/g, ''))) return line;
    if (end < 0) break;
    from = end + 1;
  }
  return null;
}
/** Cuts a text to this many letters, never between the halves of one, because the database stores no half letter. */
const cut = (text: string, letters: number): string => [...text].slice(0, letters).join('');
const same = (one: BankLine, other: BankLine): boolean =>
  one.amount.units === other.amount.units &&
  one.at.getTime() === other.at.getTime() &&
  one.payer === other.payer &&
  one.reference === other.reference;

/**
 * Reads a statement: first `account`, `from`, `to`, `opening` and `closing`, each with its value in its own row, then
 * the column names and one row per line. Outgoing amounts have a minus sign. One wrong row refuses the whole file.
 */
export function readBankStatement(
  bytes: Buffer,
  now: Date,
  timeZone: string,
): Decision<BankStatement, StatementRefusal> {
  const days = localDays(timeZone);
  const damaged = damagedLine(bytes);
  if (damaged !== null) return refuse('statement_not_utf8', { field: 'image', params: { line: String(damaged) } });
  const rows = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((row, n) => ({ row, line: String(n + 1) }))
    .filter(({ row }) => row.trim() !== '');
  const field = 'image';
  const wrong = (line: string, column: string) => refuse('statement_line_wrong', { field, params: { line, column } });
  const head = new Map<string, { text: string; line: string }>();
  let at = 0;
  for (; at < HEAD.length + 1; at += 1) {
    const found = rows[at];
    const cells = found && cellsOf(found.row);
    const [name, value, ...rest] = cells ?? [];
    if (!found || name === undefined || !(HEAD as readonly string[]).includes(name)) break;
    if (head.has(name) || value === undefined || rest.some((cell) => cell !== '')) return wrong(found.line, name);
    head.set(name, { text: value, line: found.line });
  }
  const [columns, ...lines] = rows.slice(at);
  const names = columns ? cellsOf(columns.row) : null;
  if (!columns || !names || lines.length > LINES_MAX) return refuse('file_unreadable', { field });
  const missing = HEAD.find((name) => !head.has(name)) ?? COLUMNS.find((name) => !names.includes(name));
  if (missing !== undefined) return refuse('statement_head_missing', { field, params: { column: missing } });
  // Two columns with the same name are ambiguous.
  if (new Set(names).size < names.length) return refuse('file_unreadable', { field });
  const headOf = (name: (typeof HEAD)[number]) => head.get(name) ?? { text: '', line: '' };
  const account = headOf('account').text;
  if (!/^[0-9-]{8,20}$/.test(account)) return wrong(headOf('account').line, 'account');
  const [from, to] = [timeOf(headOf('from').text, days), timeOf(headOf('to').text, days)];
  if (from === null || from.getTime() < now.getTime() - PAST_MS) return wrong(headOf('from').line, 'from');
  if (to === null || to <= from || to.getTime() > now.getTime() + AHEAD_MS) return wrong(headOf('to').line, 'to');
  const [opening, closing] = [bahtOf(headOf('opening').text), bahtOf(headOf('closing').text)];
  if (opening === null) return wrong(headOf('opening').line, 'opening');
  if (closing === null) return wrong(headOf('closing').line, 'closing');

  const read = new Map<string, BankLine[]>();
  let repeated = 0;
  let paidOut = zero('THB');
  for (const { row, line } of lines) {
    const cells = cellsOf(row);
    if (cells?.length !== names.length) return wrong(line, names[Math.min(cells?.length ?? 0, names.length - 1)] ?? '');
    const cell = (name: (typeof COLUMNS)[number]): string => cells[names.indexOf(name)] ?? '';
    const amount = bahtOf(cell('amount'));
    const when = timeOf(cell('at'), days);
    const bankReference = cell('bank_reference');
    if (!/^[A-Za-z0-9/-]{1,64}$/.test(bankReference)) return wrong(line, 'bank_reference');
    if (when === null || when < from || when > to) return wrong(line, 'at');
    if (amount === null || amount.units === 0n) return wrong(line, 'amount');
    const found: BankLine = {
      id: randomUUID(),
      row: line,
      bankReference,
      at: when,
      amount,
      payer: cut(cell('payer'), 120),
      reference: cut(cell('reference').toUpperCase(), 40),
    };
    const before = read.get(bankReference) ?? [];
    if (before.some((one) => same(one, found))) repeated += 1;
    else {
      if (amount.units < 0n) paidOut = subtract(paidOut, amount);
      read.set(bankReference, [...before, found]);
    }
  }
  const received = [...read.values()].flat().filter(({ amount }) => amount.units > 0n);
  const sum = received.reduce((baht, { amount }) => add(baht, amount), subtract(opening, paidOut));
  if (sum.units !== closing.units)
    return refuse('statement_sum_differs', {
      field,
      params: { sum: formatMoney(sum), closing: formatMoney(closing) },
    });
  return accept({ account, from, to, opening, closing, paidOut, lines: received, repeated });
}
