import { type Finding, findingOf } from './finding.ts';
import { type LogMemory, recordsOf, TOLERANCE_MS, textOf } from './follow-log.ts';

const UNITS = /^-?(0|[1-9][0-9]{0,18})$/;

/**
 * The statements of the house's banks by themselves: each adds up, has as many lines as it names, and opens with what
 * the one before it closed with. The log hides accounts and amounts of lines.
 */
export function judgeBank(log: Pick<LogMemory, 'kept' | 'lines' | 'newestMs'>): Finding[] {
  /** Closing balances by statement, of those that no statement has continued yet. */
  const closings = new Map<string, string>();
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
    const previous = textOf(said, 'previous');
    // The first one of an account continues nothing, and history may begin between two.
    if (previous !== undefined && !(isHistory && !closings.has(previous))) {
      if (closings.get(previous) !== opening)
        find(`The statement ${subject} does not open with what ${previous} closed with, or another one did.`);
      closings.delete(previous);
    }
    closings.set(subject, closing);
  }
  return findings;
}
