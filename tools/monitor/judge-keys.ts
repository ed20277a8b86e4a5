import type { PublishedKey } from '@sathorn/proof';
import { type Finding, findingOf } from './finding.ts';
import { type LogMemory, type ReadRecord, recordsOf, TOLERANCE_MS, textOf } from './follow-log.ts';

export interface KeysCase {
  readonly log: Pick<LogMemory, 'kept' | 'newestMs'>;
  readonly published: readonly (PublishedKey & { readonly from: string })[];
}

const nameOf = ({ use, id }: { readonly use: string; readonly id: string }): string => `${use}/${id}`;

/** Every published key is in the log as it is, and every key of the log is published. */
export function judgeKeys({ log, published }: KeysCase): Finding[] {
  const findings: Finding[] = [];
  const logged = new Map<string, ReadRecord>();
  for (const each of recordsOf(log, 'key')) {
    const { subject } = each.record;
    const first = logged.get(subject);
    if (first === undefined) logged.set(subject, each);
    else if (first.text !== each.text)
      findings.push(findingOf('key', subject, `The log names the key ${subject} twice.`, first.text, each.text));
  }
  for (const key of published) {
    const name = nameOf(key);
    const entry = logged.get(name);
    if (entry === undefined) {
      // The log names what is older than its newest entry; a key of the last minutes may still be on its way.
      if (log.newestMs - Date.parse(key.from) > TOLERANCE_MS)
        findings.push(findingOf('key', name, `The platform publishes the key ${name}, and the log lacks it.`));
      continue;
    }
    const { said } = entry.record;
    const isSame =
      textOf(said, 'public_key') === key.public_key && (textOf(said, 'record') ?? null) === (key.record?.body ?? null);
    if (!isSame)
      findings.push(
        findingOf(
          'key',
          name,
          `The platform publishes another key ${name} than the log names.`,
          entry.text,
          JSON.stringify(key),
        ),
      );
  }
  const names = new Set(published.map(nameOf));
  for (const [name, { text }] of logged)
    if (!names.has(name))
      findings.push(
        findingOf('key', name, `The log names the key ${name}, and the platform no longer publishes it.`, text),
      );
  return findings;
}
