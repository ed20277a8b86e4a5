import { utf8Bytes } from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { type CheckpointCase, judgeCheckpoint } from './judge-checkpoint.ts';
import { signerKey, writeVerifierKey } from './note-key.ts';
import { cosign, type SignedNote, signNote, writeNote } from './signed-note.ts';
import { LOG_KEY, seedOf, TestingLog } from './testing-log.ts';
import { isQuorum, readWitnessPolicy, type WitnessPolicy } from './witness-policy.ts';

const WITNESSES = ['a', 'b', 'c'].map((name, n) => signerKey(`witness.example/${name}`, 'cosignature', seedOf(10 + n)));
const lines = WITNESSES.map((key, n) => `witness ${'ABC'[n]} ${writeVerifierKey(key)}`);
const LOG_LINE = `log ${writeVerifierKey(LOG_KEY)} https://log.example/a`;

function policyOf(...text: string[]): WitnessPolicy {
  const policy = readWitnessPolicy(`${text.join('\n')}\n`);
  if ('fault' in policy) throw new Error(`${policy.fault} in line ${policy.line}`);
  return policy;
}
const TWO_OF_THREE = policyOf(LOG_LINE, ...lines, 'group G 2 A B C', 'quorum G');

const NOW = 1_790_000_000;
const log = new TestingLog(12);

/** A note with the cosignatures of some witnesses, by their places. */
function cosignedNote(note: SignedNote, by: readonly number[] = [0, 1], seconds = NOW): SignedNote {
  const cosignatures = by.flatMap((n) => {
    const key = WITNESSES[n];
    return key === undefined ? [] : [cosign(note.text, seconds, key)];
  });
  return { ...note, signatures: [...note.signatures, ...cosignatures] };
}

const caseOf = (note: SignedNote, more: Partial<CheckpointCase> = {}): CheckpointCase => ({
  note: writeNote(note),
  policy: TWO_OF_THREE,
  previous: log.checkpoint(7),
  proof: log.proof(7),
  ...more,
});
const signed = (checkpoint: Checkpoint): SignedNote => {
  const text = writeCheckpoint(checkpoint);
  return { text, signatures: [signNote(text, LOG_KEY)] };
};
const good = cosignedNote(log.note());

describe('a checkpoint', () => {
  it('is accepted with its log’s signature, a quorum and the way from the one before', async () => {
    const found = await judgeCheckpoint(caseOf(good));
    expect(found).toEqual({
      isAccepted: true,
      checkpoint: log.checkpoint(),
      cosigned: [
        { witness: 'A', seconds: NOW },
        { witness: 'B', seconds: NOW },
      ],
    });
    for (const more of [
      { previous: null, proof: null },
      { previous: log.checkpoint(0), proof: null },
      { previous: log.checkpoint(), proof: null },
      { note: utf8Bytes(writeNote(cosignedNote(log.note(), [2, 0, 1]))) },
      { recent: { from: NOW - 60, to: NOW + 60 } },
      { policy: policyOf(LOG_LINE, 'quorum none'), note: writeNote(log.note()) },
    ])
      expect([more, (await judgeCheckpoint(caseOf(good, more))).isAccepted]).toEqual([more, true]);
  });

  const fork = log.fork(9);
  const other = signerKey('log.example/other', 'note', seedOf(3));
  const renamed: Checkpoint = { ...log.checkpoint(), origin: other.name };
  const broken = { ...good, signatures: good.signatures.map((each) => ({ ...each, bytes: each.bytes.slice() })) };
  const last = broken.signatures.at(-1)?.bytes;
  if (last !== undefined) last[20] = (last[20] ?? 0) ^ 1;
  const rows: readonly (readonly [string, string, Partial<CheckpointCase>])[] = [
    ['has no signatures', 'signatures_missing', { note: log.note().text }],
    ['is no checkpoint', 'checkpoint_malformed', { note: writeNote({ ...good, text: 'log.example/a\n1\nAAAA\n' }) }],
    ['is of an unknown log', 'log_unknown', { note: writeNote(signed(renamed)) }],
    ['was signed by nobody known', 'log_signature_missing', { note: writeNote(log.note(12, other)) }],
    [
      'was only cosigned',
      'log_signature_missing',
      { note: writeNote({ ...good, signatures: good.signatures.slice(1) }) },
    ],
    ['has a wrong cosignature beside a quorum', 'signature_wrong', { note: writeNote(broken) }],
    [
      'has the root of something at size 0',
      'empty_root_wrong',
      { note: writeNote(cosignedNote(signed({ ...log.checkpoint(), size: 0 }))), previous: null, proof: null },
    ],
    ['has one cosignature of two', 'quorum_missing', { note: writeNote(cosignedNote(log.note(), [1])) }],
    ['has the same cosignature twice', 'quorum_missing', { note: writeNote(cosignedNote(log.note(), [1, 1])) }],
    ['was cosigned long ago', 'quorum_stale', { recent: { from: NOW + 1, to: NOW + 60 } }],
    ['was cosigned in the future', 'quorum_stale', { recent: { from: NOW - 60, to: NOW - 1 } }],
    ['is of another log than before', 'other_log', { previous: { ...log.checkpoint(7), origin: 'log.example/b' } }],
    ['is smaller than before', 'rolled_back', { note: writeNote(cosignedNote(log.note(6))) }],
    ['has another root at the same size', 'forked', { previous: fork.checkpoint(), proof: null }],
    ['came without a proof', 'proof_missing', { proof: null }],
    ['came with the proof from another size', 'proof_wrong', { proof: log.proof(6) }],
    ['came with a hash too many', 'proof_wrong', { proof: [...log.proof(7), log.checkpoint().root] }],
    [
      'does not begin with the one before',
      'proof_wrong',
      { note: writeNote(cosignedNote(fork.note())), previous: log.checkpoint(10), proof: fork.proof(10) },
    ],
  ];
  it.each(rows)('that %s is refused: %s', async (_, refusal, more) => {
    expect(await judgeCheckpoint(caseOf(good, more))).toMatchObject({ isAccepted: false, refusal });
  });

  it('shows two histories where the log and all witnesses sign both', async () => {
    const forked = await judgeCheckpoint(caseOf(cosignedNote(fork.note()), { previous: log.checkpoint(12) }));
    expect(forked).toMatchObject({ refusal: 'forked', checkpoint: fork.checkpoint(), cosigned: [{}, {}] });
  });
});

describe('the text of a checkpoint', () => {
  /** From C2SP `tlog-checkpoint`. */
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
  it('is written as it is read, with further lines', () => {
    const sized = (size: string): string => text.replace('20852163', size);
    for (const each of [text, `${text}more\n`, sized('0'), sized('9007199254740991')]) {
      const read = readCheckpoint(each);
      expect(read && writeCheckpoint(read)).toBe(each);
    }
    expect(readCheckpoint(text)).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
  });
  it.each([
    ['no line feed', text.slice(0, -1)],
    ['no origin', text.slice(text.indexOf('\n'))],
    ['a size with a zero in front', text.replace('20852163', '020852163')],
    ['a size with a sign', text.replace('20852163', '+20852163')],
    ['a size that no number here holds', text.replace('20852163', '9007199254740992')],
    ['a root of 31 bytes', text.replace('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=', 'A'.repeat(40))],
    ['an empty line', `${text}\nmore\n`],
    ['two lines', text.split('\n').slice(0, 2).join('\n')],
  ])('with %s is refused', (_, each) => expect(readCheckpoint(each)).toBeUndefined());
});

describe('a policy', () => {
  const keys = lines.map((line) => line.split(' ')[2] ?? '');
  const rows: readonly (readonly [string, number, readonly string[]])[] = [
    ['quorum_missing', 0, [LOG_LINE]],
    ['quorum_twice', 2, ['quorum none', 'quorum none']],
    ['name_unknown', 1, ['quorum A', ...lines]],
    ['name_unknown', 2, [lines[0] ?? '', 'group G any A G', 'quorum G']],
    ['name_unknown', 1, ['group G any none', 'quorum G']],
    ['name_taken', 2, [lines[0] ?? '', `witness A ${keys[1]}`]],
    ['name_taken', 1, [`witness none ${keys[1]}`]],
    ['name_taken', 3, [...lines.slice(0, 2), 'group A any B']],
    ['key_twice', 2, [lines[0] ?? '', `witness X ${keys[0]}`]],
    ['key_twice', 2, [LOG_LINE, LOG_LINE]],
    ['key_malformed', 1, ['witness A abc']],
    // A witness's key must be one that cosigns, and a log's must not.
    ['key_malformed', 1, [`witness A ${writeVerifierKey(LOG_KEY)}`]],
    ['key_malformed', 1, [`log ${keys[0]}`]],
    ['member_twice', 4, [...lines, 'group G all A A B']],
    ['member_twice', 5, [...lines, 'group G all A B', 'group H any B C']],
    ['threshold_malformed', 4, [...lines, 'group G 4 A B C']],
    ['threshold_malformed', 4, [...lines, 'group G 0 A B C']],
    ['threshold_malformed', 4, [...lines, 'group G 02 A B C']],
    ['line_unknown', 1, ['logs x']],
    ['line_unknown', 4, [...lines, 'group G any']],
    ['line_unknown', 1, [`${LOG_LINE} more`]],
    ['character_refused', 0, ['quorum none\r']],
  ];
  it.each(rows)('is refused: %s in line %d of %o', (fault, line, text) => {
    expect(readWitnessPolicy(`${text.join('\n')}\n`)).toEqual({ fault, line });
  });

  it('counts groups of groups', () => {
    const policy = policyOf(
      '# Two of one house and one of another.',
      `\t log  ${writeVerifierKey(LOG_KEY)}`,
      '',
      ...lines.map((line) => `  ${line}\thttps://witness.example/`),
      'group first all A B',
      'group both 2 first C',
      'quorum both',
    );
    expect(policy.witnesses.map(({ name, url }) => [name, url])).toEqual(
      ['A', 'B', 'C'].map((name) => [name, 'https://witness.example/']),
    );
    const enough = (...names: string[]) => isQuorum(policy, new Set(names));
    expect([enough('A', 'B', 'C'), enough('A', 'C'), enough('A', 'B'), enough()]).toEqual([true, false, false, false]);
    const one = policyOf(...lines, 'quorum B');
    expect([isQuorum(one, new Set(['B'])), isQuorum(one, new Set(['A', 'C']))]).toEqual([true, false]);
    expect(isQuorum(policyOf('quorum none'), new Set())).toBe(true);
  });
});
