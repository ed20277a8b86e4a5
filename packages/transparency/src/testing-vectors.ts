import { fromBase64, toBase64 } from './base64.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { judgeCheckpoint } from './judge-checkpoint.ts';
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
