import { type Finding, findingOf } from './finding.ts';
import { type LogMemory, recordsOf, TOLERANCE_MS, textOf } from './follow-log.ts';

const UNITS = /^-?(0|[1-9][0-9]{0,18})$/;

/**
 * The statements of the house's banks by themselves: each adds up, has as many lines as it names, and opens with what
 * an earlier one closed with. The log hides accounts and amounts of lines.
 */
export function judgeBank(log: Pick<LogMemory, 'kept' | 'lines' | 'newestMs'>): Finding[] {
  /** Closing balances that no statement has continued yet. */
  const closings: string[] = [];
  const findings: Finding[] = [];
  const loose = log.lines[''] ?? 0;
  for (const { tMs, text, record, isHistory } of recordsOf(log, 'bank_statement')) {
    const { subject, said } = record;
    const find = (says: string): void => {
      findings.push(findingOf('bank', subject, says, text));
    };
    const [opening = '', received = '', paidOut = '', closing = '', lines = ''] = [
      'opening',
      'received',
      'paid_out',
      'closing',
      'lines',
    ].map((name) => textOf(said, name));
    if (![opening, received, paidOut, closing, lines].every((units) => UNITS.test(units))) {
      find(`The statement ${subject} has no known form.`);
      continue;
    }
    if (BigInt(opening) + BigInt(received) - BigInt(paidOut) !== BigInt(closing))
      find(`The statement ${subject} does not add up to its closing balance.`);
    const logged = log.lines[subject] ?? 0;
    // Lines from before there were statements join one later, and the log still names them without it.
    const isShort = logged + loose < Number(lines) && log.newestMs - tMs > TOLERANCE_MS;
    if (logged > Number(lines) || isShort)
      find(`The statement ${subject} has ${lines} lines, and the log names ${logged} of them.`);
    // A demonstration's bank has statements of single lines, which continue nothing.
    if (textOf(said, 'source') === 'demo') continue;
    const before = closings.indexOf(opening);
    if (before >= 0) closings.splice(before, 1);
    else if (closings.length > 0 && !isHistory)
      find(`The statement ${subject} opens with a balance that no earlier one closed with, or is of a new account.`);
    closings.push(closing);
  }
  return findings;
}
