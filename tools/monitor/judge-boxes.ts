import { readBoxTerms, type SignedText, type verifyBox } from '@sathorn/proof';
import { type Finding, findingOf, spellDuration } from './finding.ts';
import { type LogMemory, recordsOf, TOLERANCE_MS, textOf } from './follow-log.ts';

export interface ShownBox {
  readonly id: string;
  readonly signed: SignedText;
  readonly published_at: string;
}

/** Each box was logged, as it is, before it opened. */
export function judgeBoxes(log: Pick<LogMemory, 'kept' | 'newestMs'>, shown: readonly ShownBox[]): Finding[] {
  const entries = recordsOf(log, 'box');
  return shown.flatMap(({ id, signed, published_at }) => {
    const findings: Finding[] = [];
    const find = (says: string, ...more: readonly string[]): void => {
      findings.push(findingOf('box', id, says, JSON.stringify(signed), ...more));
    };
    const [entry, second] = entries.filter(({ record }) => record.subject === id);
    if (entry === undefined) {
      if (log.newestMs - Date.parse(published_at) > TOLERANCE_MS) find(`The log lacks the box ${id}.`);
      return findings;
    }
    if (second !== undefined) find(`The log names the box ${id} twice.`, entry.text, second.text);
    if (textOf(entry.record.said, 'hash') !== signed.hash)
      find(`The platform shows another box ${id} than the log names.`, entry.text);
    const opensMs = readBoxTerms(signed.body)?.opensMs;
    if (opensMs === undefined) find(`The box ${id} is not a box.`);
    else if (!entry.isHistory && entry.tMs - opensMs > TOLERANCE_MS)
      find(`The box ${id} opened ${spellDuration(entry.tMs - opensMs)} before it was logged.`, entry.text);
    return findings;
  });
}

/** What the verifier of a box's public file refuses. */
export function judgeBoxFile(
  id: string,
  { faults, chanceLog10 }: Pick<Awaited<ReturnType<typeof verifyBox>>, 'faults' | 'chanceLog10'>,
): Finding[] {
  return faults.map(({ i, fault }) => {
    const what = i === 0 ? `The box ${id}` : `Draw ${i} of the box ${id}`;
    const odds = fault === 'not_plausible' ? ` (once in 10^${Math.floor(-chanceLog10)} such boxes)` : '';
    return findingOf('box', id, `${what} is refused: ${fault}${odds}.`);
  });
}
