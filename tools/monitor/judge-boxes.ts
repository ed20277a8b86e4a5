import { type BoxFile, type ProofKey, readBoxTerms, type SignedText, verifyBox } from '@sathorn/proof';
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

/** The public file of a box, read after the box was shown, is of that box, has its draws, and is verified. */
export async function judgeBoxFile(
  { id, signed, drawn }: ShownBox & { readonly drawn: number },
  file: BoxFile,
  keys: readonly ProofKey[],
): Promise<Finding[]> {
  const { faults, chanceLog10 } = await verifyBox(file, keys);
  const findings = faults.map(({ i, fault }) => {
    const what = i === 0 ? `The box ${id}` : `Draw ${i} of the box ${id}`;
    const odds = fault === 'not_plausible' ? ` (once in 10^${Math.floor(-chanceLog10)} such boxes)` : '';
    return findingOf('box', id, `${what} is refused: ${fault}${odds}.`);
  });
  if (file.box.hash !== signed.hash)
    findings.push(findingOf('box', id, `The file of the box ${id} is of another box.`, JSON.stringify(file.box)));
  if (file.draws.length < drawn)
    findings.push(
      findingOf(
        'box',
        id,
        `The file of the box ${id} has ${file.draws.length} draws, and the platform counts ${drawn}.`,
      ),
    );
  return findings;
}
