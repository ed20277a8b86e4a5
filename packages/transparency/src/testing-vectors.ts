import { fromBase64, toBase64 } from './base64.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { judgeCheckpoint } from './judge-checkpoint.ts';
import {
  isLogContradiction,
  type LogContradiction,
  verifyLogContradiction,
  writeBeginning,
} from './log-contradiction.ts';
import { signerKey, writeVerifierKey } from './note-key.ts';
import { cosign, type SignedNote, signNote, writeNote } from './signed-note.ts';
import { LOG_KEY, seedOf, TestingLog } from './testing-log.ts';
import { readWitnessPolicy } from './witness-policy.ts';

/** A case as any reader of section 24 of `docs/verification.md` judges it. */
export interface CheckpointVector {
  readonly name: string;
  readonly note: string;
  readonly policy: string;
  /** The text of the remembered checkpoint. */
  readonly previous: string | null;
  readonly proof: readonly string[] | null;
  readonly recent: readonly [from: number, to: number] | null;
}

/** The verdict of this package: null if the checkpoint is accepted, `policy` if the policy is refused. */
export async function refusalOfVector({ note, policy, previous, proof, recent }: CheckpointVector) {
  const read = readWitnessPolicy(policy);
  if ('fault' in read) return 'policy';
  const found = await judgeCheckpoint({
    note,
    policy: read,
    previous: previous === null ? null : (readCheckpoint(previous) ?? null),
    proof: proof?.map((hash) => fromBase64(hash) ?? new Uint8Array()) ?? null,
    ...(recent !== null && { recent: { from: recent[0], to: recent[1] } }),
  });
  return found.isAccepted ? null : found.refusal;
}

const NOW = 1_790_000_000;
const WITNESSES = ['a', 'b', 'c'].map((name, n) => signerKey(`witness.example/${name}`, 'cosignature', seedOf(10 + n)));
const LINES = WITNESSES.map((key, n) => `witness ${'ABC'[n]} ${writeVerifierKey(key)}\n`).join('');
const POLICY = `log ${writeVerifierKey(LOG_KEY)}\n${LINES}group G 2 A B C\nquorum G\n`;

/** Checkpoints that are accepted and refused, of logs of many sizes. */
export function makeCheckpointVectors(): CheckpointVector[] {
  const log = new TestingLog(40);
  const fork = log.fork(9);
  const cosigned = (note: SignedNote, by: readonly number[] = [0, 1]): SignedNote => ({
    ...note,
    signatures: [
      ...note.signatures,
      ...by.flatMap((n) => WITNESSES.slice(n, n + 1)).map((key) => cosign(note.text, NOW, key)),
    ],
  });
  const vectorOf = (name: string, of: TestingLog, before: number, size: number): CheckpointVector => ({
    name,
    note: writeNote(cosigned(of.note(size))),
    policy: POLICY,
    previous: writeCheckpoint(log.checkpoint(before)),
    proof: of.proof(before, size).map(toBase64),
    recent: null,
  });
  const good = vectorOf('accepted', log, 7, 12);
  const vectors = [good];
  for (const [before, size] of [
    [0, 1],
    [1, 2],
    [1, 40],
    [3, 40],
    [8, 9],
    [8, 40],
    [16, 17],
    [31, 33],
    [32, 33],
    [39, 40],
    [40, 40],
  ] as const)
    vectors.push(vectorOf(`from ${before} to ${size}`, log, before, size));
  for (const before of [10, 16, 20]) vectors.push(vectorOf(`another history after ${before}`, fork, before, 40));
  const add = (name: string, more: Partial<CheckpointVector>): void => void vectors.push({ ...good, name, ...more });
  const noteOf = (size: number, by: readonly number[]): string => writeNote(cosigned(log.note(size), by));
  const withText = (text: string): string => writeNote(cosigned({ text, signatures: [signNote(text, LOG_KEY)] }));
  add('first visit', { previous: null, proof: null });
  add('no proof', { proof: null });
  add('proof of another size', { proof: log.proof(6, 12).map(toBase64) });
  add('smaller than before', { note: noteOf(6, [0, 1]) });
  const known = writeCheckpoint(log.checkpoint(12));
  add('forked', { note: writeNote(cosigned(fork.note(12))), previous: known, proof: null });
  add('one witness', { note: noteOf(12, [2]) });
  add('one witness twice', { note: noteOf(12, [2, 2]) });
  add('all witnesses', { note: noteOf(12, [2, 1, 0]) });
  add('recent', { recent: [NOW, NOW] });
  add('stale', { recent: [NOW + 1, NOW + 9] });
  add('in the future', { recent: [NOW - 9, NOW - 1] });
  add('other log before', { previous: good.previous?.replace('log.example/a', 'log.example/b') ?? null });
  add('a further line', { note: withText(`${log.note(12).text}more\n`) });
  add('empty log', { note: withText(log.note(0).text), previous: null, proof: null });
  add('empty log with a root', { note: withText(log.note(12).text.replace('\n12\n', '\n0\n')), previous: null });
  add('size with a zero in front', { note: withText(log.note(12).text.replace('\n12\n', '\n012\n')) });
  add('unsigned text', { note: good.note.replace('\n12\n', '\n13\n') });
  add('no signatures', { note: log.note(12).text });
  add('only cosigned', { note: good.note.replace(/— log\.example.*\n/, '') });
  add('carriage returns', { note: good.note.replaceAll('\n', '\r\n') });
  add('unknown lines', { note: `${good.note}— somebody.else AAAAAAAA\n` });
  add('line without its padding', { note: good.note.replace('=\n', '\n') });
  const [hash, ...rest] = log.proof(7, 12);
  add('a hash of 33 bytes', { proof: [...(hash ? [new Uint8Array([...hash, 0])] : []), ...rest].map(toBase64) });
  add('another origin', { note: withText(log.note(12).text.replace('log.example/a', 'log.example/b')) });
  add('no quorum asked for', { note: writeNote(log.note(12)), policy: POLICY.replace('quorum G', 'quorum none') });
  add('groups of groups', { policy: POLICY.replace('group G 2 A B C', 'group H any B C\ngroup G all A H') });
  for (const [name, from, to] of [
    ['a member twice', 'group G 2 A B C', 'group G 2 A A C'],
    ['an unknown member', 'group G 2 A B C', 'group G 2 A B D'],
    ['more than there are', 'group G 2 A B C', 'group G 4 A B C'],
    ['no quorum', 'quorum G\n', ''],
    ['two quorums', 'quorum G\n', 'quorum G\nquorum A\n'],
    ['an unknown line', 'quorum G\n', 'quorum G\nwitnesses\n'],
    ['a key of another id', 'witness.example/a+', 'witness.example/x+'],
  ] as const)
    add(`policy: ${name}`, { policy: POLICY.replace(from, to) });
  return vectors;
}

/** Two notes of a log as any reader of section 24 judges them: null if they prove two histories. */
export async function faultOfContradiction(file: unknown): Promise<string | null> {
  return isLogContradiction(file) ? verifyLogContradiction(file) : 'malformed';
}

/** Contradictions of a log, of one size and of two, and files that prove nothing. */
export function makeLogContradictions(): { readonly name: string; readonly file: unknown }[] {
  const log = new TestingLog(40);
  const fork = log.fork(5);
  const of = (first: number, second: number): LogContradiction => ({
    v: 'contradiction/1',
    kind: 'log',
    about: LOG_KEY.name,
    first: writeNote(log.note(first)),
    second: writeNote(fork.note(second)),
    keys: [writeVerifierKey(LOG_KEY)],
    proof:
      first === second ? [] : writeBeginning({ root: fork.checkpoint(first).root, proof: fork.proof(first, second) }),
  });
  const [same, two] = [of(12, 12), of(7, 12)];
  const swapped = { ...of(12, 12), first: same.second, second: same.first };
  const cosigned = { text: log.note(12).text, signatures: [...log.note(12).signatures] };
  for (const key of WITNESSES) cosigned.signatures.push(cosign(cosigned.text, NOW, key));
  const beginning = writeBeginning({ root: log.checkpoint(7).root, proof: log.proof(7, 12) });
  const other = signerKey(LOG_KEY.name, 'note', seedOf(2));
  const bytes = two.proof.map((hash) => fromBase64(hash) ?? new Uint8Array());
  const cut = new Uint8Array([...(bytes[0] ?? []), 0]);
  const left = fork.checkpoint(8).root;
  const halves = new Uint8Array([...left, ...(fork.proof(8, 16)[0] ?? [])]);
  return [
    { name: 'one size', file: same },
    { name: 'one size, the other way round', file: swapped },
    { name: 'one size, with cosignatures', file: { ...same, first: writeNote(cosigned) } },
    ...[
      [6, 7],
      [7, 12],
      [8, 12],
      [8, 16],
      [16, 17],
      [31, 40],
      [39, 40],
    ].map(([first = 0, second = 0]) => ({ name: `${first} and ${second} entries`, file: of(first, second) })),
    { name: 'a larger one that begins with the smaller', file: of(4, 12) },
    { name: 'one note twice', file: { ...same, second: same.first } },
    { name: 'one history', file: { ...two, second: writeNote(log.note(12)), proof: beginning } },
    { name: 'the beginning of the first history', file: { ...two, proof: beginning } },
    { name: 'no beginning', file: { ...two, proof: [] } },
    { name: 'a beginning without its proof', file: { ...two, proof: two.proof.slice(0, 1) } },
    { name: 'a hash more', file: { ...two, proof: [...two.proof, ...two.proof.slice(-1)] } },
    { name: 'a hash of 33 bytes', file: { ...two, proof: [toBase64(cut), ...two.proof.slice(1)] } },
    {
      name: 'a node that is cut at another byte',
      file: {
        ...of(8, 16),
        first: writeNote(fork.note(8)),
        proof: [halves.slice(0, 33), halves.slice(33)].map(toBase64),
      },
    },
    { name: 'a hash that is no base64', file: { ...two, proof: ['*', ...two.proof.slice(1)] } },
    { name: 'one size with a beginning', file: { ...same, proof: two.proof } },
    { name: 'the larger one first', file: { ...two, first: two.second, second: two.first } },
    { name: 'another origin', file: { ...same, about: 'log.example/b' } },
    { name: 'another key', file: { ...same, keys: [writeVerifierKey(other)] } },
    { name: 'the key of a witness', file: { ...same, keys: [writeVerifierKey(WITNESSES[0] ?? LOG_KEY)] } },
    { name: 'a key more', file: { ...same, keys: [...same.keys, writeVerifierKey(other)] } },
    { name: 'no key', file: { ...same, keys: [] } },
    { name: 'one that another key signed', file: { ...same, second: writeNote(fork.note(12, other)) } },
    { name: 'one that is only cosigned', file: { ...same, second: same.second.replace(/— log\.example.*\n/, '') } },
    { name: 'one that was altered', file: { ...same, second: same.second.replace('\n12\n', '\n13\n') } },
    { name: 'a text that is no note', file: { ...same, second: 'log.example/a' } },
    { name: 'a member more', file: { ...same, differs: ['root'] } },
    { name: 'a member left out', file: { ...same, proof: undefined } },
    { name: 'a key that is no text', file: { ...same, keys: [1] } },
    { name: 'another type', file: { ...same, v: 'contradiction/2' } },
  ];
}
