import { describe, expect, it } from 'vitest';
import { judgeLogStart, type LogStartCase } from './judge-log-start.ts';
import { signerKey, writeVerifierKey } from './note-key.ts';
import { cosign, type SignedNote, writeNote, writeSignatureLine } from './signed-note.ts';
import { LOG_KEY, seedOf, TestingLog } from './testing-log.ts';
import { readWitnessWord } from './witness-answer.ts';
import { readWitnessPolicy, type WitnessPolicy } from './witness-policy.ts';

const WITNESSES = ['a', 'b', 'c'].map((name, n) => signerKey(`witness.example/${name}`, 'cosignature', seedOf(20 + n)));
const NOW = 1_790_000_000;
const log = new TestingLog(12);
/** The log before its storage was restored from an older copy and went on differently. */
const fork = log.fork(9);

function policyOf(rule: string): WitnessPolicy {
  const lines = WITNESSES.map((key, n) => `witness ${'ABC'[n]} ${writeVerifierKey(key)}`);
  const policy = readWitnessPolicy([...lines, rule].join('\n'));
  if ('fault' in policy) throw new Error(policy.fault);
  return policy;
}
const TWO_OF_THREE = policyOf('group G 2 A B C\nquorum G');

const ALL = policyOf('group G all A B C\nquorum G');

const by = (note: SignedNote, n: number): string => {
  const key = WITNESSES[n];
  if (key === undefined) throw new Error('no witness');
  return writeNote({ ...note, signatures: [...note.signatures, cosign(note.text, NOW, key)] });
};
const heardOf = (...notes: (string | null | undefined)[]): ReadonlyMap<string, string | null> =>
  new Map(notes.flatMap((note, n) => (note === undefined ? [] : [['ABC'[n] ?? '', note] as const])));

const caseOf = (more: Partial<LogStartCase>): LogStartCase => ({
  log: LOG_KEY,
  size: 12,
  rootOf: async (size) => log.checkpoint(size).root,
  ownNote: writeNote(log.note(12)),
  heard: heardOf(by(log.note(12), 0), by(log.note(11), 1), null),
  policy: TWO_OF_THREE,
  ...more,
});

describe('a log that starts', () => {
  const invented = signerKey(LOG_KEY.name, 'note', seedOf(9));
  const alone = caseOf({ ownNote: null, heard: heardOf() });
  const rows: readonly (readonly [string, LogStartCase, object])[] = [
    ['signs when all remember its beginning', caseOf({}), { canSign: true }],
    ['signs what it had stored and not signed yet', caseOf({ ownNote: writeNote(log.note(11)) }), { canSign: true }],
    [
      'signs when one witness is away',
      caseOf({ heard: heardOf(by(log.note(12), 0), by(log.note(11), 1)) }),
      { canSign: true },
    ],
    ['signs for the first time', caseOf({ ownNote: null, heard: heardOf(null, null, null) }), { canSign: true }],
    [
      'does not sign with fewer entries than a witness cosigned',
      caseOf({ size: 10, ownNote: writeNote(log.note(10)) }),
      { canSign: false, refusal: 'behind', by: 'A', size: 12 },
    ],
    [
      'does not sign with fewer entries than it signed itself, though no witness has seen them',
      caseOf({ size: 10, heard: heardOf(null, by(log.note(9), 1), null) }),
      { canSign: false, refusal: 'behind', by: null, size: 12 },
    ],
    [
      'does not sign another tree of the same size',
      caseOf({ ownNote: null, rootOf: async (size) => fork.checkpoint(size).root }),
      { canSign: false, refusal: 'other_tree', by: 'A', size: 12 },
    ],
    [
      'does not sign a larger tree that begins differently',
      caseOf({
        ownNote: null,
        rootOf: async (size) => fork.checkpoint(size).root,
        heard: heardOf(null, by(log.note(10), 1), null),
      }),
      { canSign: false, refusal: 'other_tree', by: 'B', size: 10 },
    ],
    [
      'waits while those who are silent may be a quorum',
      caseOf({ heard: heardOf(by(log.note(12), 0)) }),
      { canSign: false, refusal: 'too_few_heard', by: null, size: null },
    ],
    [
      'waits for all where one cosignature is enough',
      { ...alone, policy: policyOf('group G any A B C\nquorum G'), heard: heardOf(null, null) },
      { canSign: false, refusal: 'too_few_heard' },
    ],
    ['waits for one where all are needed', { ...alone, policy: ALL }, { canSign: false, refusal: 'too_few_heard' }],
    ['signs with one where all are needed', { ...alone, policy: ALL, heard: heardOf(null) }, { canSign: true }],
    ['signs without a quorum', { ...alone, policy: policyOf('quorum none') }, { canSign: true }],
    [
      'is not stopped by a witness’s invention, which counts as silence',
      caseOf({ heard: heardOf(by(new TestingLog(99).note(99, invented), 0), by(log.note(11), 1), null) }),
      { canSign: true },
    ],
    [
      'is not stopped by a note that its witness did not sign',
      caseOf({ size: 11, ownNote: null, heard: heardOf(writeNote(log.note(12)), by(log.note(11), 1), null) }),
      { canSign: true },
    ],
  ];
  it.each(rows)('%s', async (_, each, expected) => expect(await judgeLogStart(each)).toMatchObject(expected));

  it('stops where its own memory can’t be read', async () => {
    await expect(judgeLogStart(caseOf({ ownNote: 'nothing' }))).rejects.toThrow('can’t be verified');
    await expect(judgeLogStart(caseOf({ ownNote: writeNote(log.note(12, invented)) }))).rejects.toThrow();
  });
});

describe('a witness’s answer', () => {
  const [witness, other] = WITNESSES;
  if (witness === undefined || other === undefined) throw new Error('no witnesses');
  const { text } = log.note();
  const line = writeSignatureLine(cosign(text, NOW, witness));
  const read = (status: number, body: string) => readWitnessWord({ status, body }, text, witness);

  it('is a cosignature, beside lines of others too', async () => {
    const lines = `${writeSignatureLine(cosign(text, NOW, other))}${line}`;
    for (const body of [line, lines])
      expect(await read(200, body)).toMatchObject({ kind: 'cosigned', seconds: NOW, signature: { id: witness.id } });
  });
  it.each([
    [409, '17\n', { kind: 'is_at', size: 17 }],
    [409, '17', { kind: 'nothing' }],
    [409, '017\n', { kind: 'nothing' }],
    [409, '<html>', { kind: 'nothing' }],
    [422, 'proof_wrong\n', { kind: 'refused', status: 422 }],
    [404, '', { kind: 'refused', status: 404 }],
    [500, line, { kind: 'nothing' }],
    [200, '', { kind: 'nothing' }],
    [200, writeSignatureLine(cosign(text, NOW, other)), { kind: 'nothing' }],
    [200, writeSignatureLine(cosign(log.note(11).text, NOW, witness)), { kind: 'nothing' }],
    [200, `\n${line}`, { kind: 'nothing' }],
    [200, `more\n\n${line}`, { kind: 'nothing' }],
  ])('%d %j is read', async (status, body, expected) => expect(await read(status, body)).toEqual(expected));
});
