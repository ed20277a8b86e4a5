import { fromHex, utf8Bytes } from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import {
  type ReadAddCheckpoint,
  readAddCheckpoint,
  refusalOfHistory,
  refusalOfSignature,
  writeAddCheckpoint,
} from './add-checkpoint.ts';
import { toBase64 } from './base64.ts';
import type { Checkpoint } from './checkpoint.ts';
import { readVerifierKey, signerKey } from './note-key.ts';
import { LOG_KEY, seedOf, TestingLog } from './testing-log.ts';

const log = new TestingLog(20);
const bodyOf = (before: number, size: number): string =>
  writeAddCheckpoint({ oldSize: before, proof: log.proof(before, size), note: log.note(size) });
const readText = (text: string): ReadAddCheckpoint => {
  const request = readAddCheckpoint(utf8Bytes(text));
  if (request === undefined) throw new Error('not read');
  return request;
};

describe('a request to a witness', () => {
  it('is read as it was written', () => {
    const request = readText(bodyOf(5, 20));
    expect(request).toMatchObject({ oldSize: 5, proof: log.proof(5), checkpoint: log.checkpoint(20) });
    expect(writeAddCheckpoint(request)).toBe(bodyOf(5, 20));
    expect(readText(bodyOf(0, 20)).proof).toEqual([]);
  });

  it('has the shape of the specification’s example', () => {
    const text = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`;
    const request = readText(text);
    expect(request).toMatchObject({ oldSize: 20_852_014, checkpoint: { size: 20_852_163 } });
    expect([request.proof.length, request.note.signatures.length]).toEqual([4, 2]);
  });

  it('of another implementation is accepted, one after the other', async () => {
    // A log of the tests of transparency-dev's witness.
    const key = readVerifierKey('monkeys+db4d9f7e+AULaJMvTtDLHPUcUrjdDad9vDlh/PTfC2VV60JUtCfWT');
    if (key === undefined) throw new Error('no key');
    const first = readText(`old 0

monkeys
5
41smjBUiAU70EtKlT6lIOIYtRTYxYXsDB+XHfcvu/BE=

— monkeys 202fftzGl3LVoqjXfwCFZZXs8I+5G22+Ek2K0AOyBuSJ/8/CZawNF+6fNlTKOCd622pbzJNkkJFWuw9DbicZCkEx9AY=
`);
    const hashes = [
      'b9e1d62618f7fee8034e4c5010f727ab24d8e4705cb296c374bf2025a87a10d2',
      'aac66cd7a79ce4012d80762fe8eec3a77f22d1ca4145c3f4cee022e7efcd599d',
      '89d0f753f66a290c483b39cd5e9eafb12021293395fad3d4a2ad053cfbcfdc9e',
      '29e40bb79c966f4c6fe96aff6f30acfce5f3e8d84c02215175d6e018a5dee833',
    ].map((hex) => fromHex(hex, 32) ?? new Uint8Array());
    const next = readText(`old 5
${hashes.map(toBase64).join('\n')}

monkeys
8
V8K9aklZ4EPB+RMOk1/8VsJUdFZR77GDtZUQq84vSbo=

— monkeys 202ffoUEboiQYpHzICeaFmoy3RNviHTpAxYrq/eO4QQVQMvu9UebKBMX2MJC76NLthZaKsnKbCA8GxrjePZhvDCH7Ag=
`);
    for (const request of [first, next]) expect(await refusalOfSignature(request, [key])).toBeNull();
    expect(refusalOfHistory(first, null)).toBeNull();
    expect(refusalOfHistory(next, first.checkpoint)).toBeNull();
    expect(refusalOfHistory({ ...next, proof: hashes.slice(1) }, first.checkpoint)).toMatchObject({ status: 422 });
  });

  const good = bodyOf(5, 20);
  const [hash = ''] = good.split('\n').slice(1);
  it.each([
    ['nothing', ''],
    ['no empty line', good.replace('\n\n', '\n')],
    ['no old size', good.replace('old 5\n', '')],
    ['another word', good.replace('old 5', 'new 5')],
    ['two blanks', good.replace('old 5', 'old  5')],
    ['a size with a zero in front', good.replace('old 5', 'old 05')],
    ['a negative size', good.replace('old 5', 'old -5')],
    ['a size that no number here holds', good.replace('old 5', 'old 9007199254740993')],
    ['a hash that is too short', good.replace(hash, hash.slice(4))],
    ['a hash with a blank', good.replace(hash, `${hash} `)],
    ['64 hashes', good.replace(`${hash}\n`, `${hash}\n`.repeat(61))],
    ['carriage returns', good.replaceAll('\n', '\r\n')],
    ['no signature', good.slice(0, good.lastIndexOf('—'))],
    ['a note that is no checkpoint', good.replace('log.example/a\n20\n', 'log.example/a\n20\n\n')],
    ['something behind it', `${good}more`],
  ])('with %s is malformed', (_, text) => expect(readAddCheckpoint(utf8Bytes(text))).toBeUndefined());

  it('that is not UTF-8 is malformed', () => {
    expect(readAddCheckpoint(new Uint8Array([...utf8Bytes(good), 0xff, 10]))).toBeUndefined();
  });
});

describe('a witness refuses', () => {
  const other = signerKey('log.example/other', 'note', seedOf(4));
  const renewed = signerKey(LOG_KEY.name, 'note', seedOf(5));

  it('what no key of the log signed', async () => {
    const request = readText(bodyOf(5, 20));
    expect(await refusalOfSignature(request, [LOG_KEY])).toBeNull();
    expect(await refusalOfSignature(request, [renewed, LOG_KEY])).toBeNull();
    expect(await refusalOfSignature(request, [other])).toEqual({ status: 404, why: 'log_unknown' });
    expect(await refusalOfSignature(request, [renewed])).toEqual({ status: 403, why: 'signature_missing' });
    const altered = { ...request, note: { ...request.note, text: request.note.text.replace('\n20\n', '\n21\n') } };
    expect(await refusalOfSignature(altered, [LOG_KEY])).toEqual({ status: 403, why: 'signature_wrong' });
  });

  const fork = log.fork(8);
  const at = (size: number): Checkpoint => log.checkpoint(size);
  const request = (before: number, size: number, more: Partial<ReadAddCheckpoint> = {}): ReadAddCheckpoint => ({
    ...readText(bodyOf(before, size)),
    ...more,
  });
  const wrongRoot = { ...at(0), root: at(1).root };
  const rows: readonly (readonly [string, ReadAddCheckpoint, Checkpoint | null, object | null])[] = [
    ['nothing of a first checkpoint', request(0, 20), null, null],
    ['nothing of an empty log', request(0, 0), null, null],
    ['nothing of a log that was empty', request(0, 3), at(0), null],
    ['nothing of a longer log', request(5, 20), at(5), null],
    ['nothing of the same log', request(20, 20), at(20), null],
    [
      'an old size above the new one',
      request(5, 20, { oldSize: 21 }),
      at(21),
      { status: 400, why: 'old_size_above_size' },
    ],
    ['an older old size', request(5, 20), at(6), { status: 409, why: 'old_size_differs', size: 6 }],
    ['a newer old size', request(5, 20), at(4), { status: 409, why: 'old_size_differs', size: 4 }],
    ['an old size of a log that it never saw', request(5, 20), null, { status: 409, why: 'old_size_differs', size: 0 }],
    ['a beginning of a log that it knows', request(0, 20), at(5), { status: 409, why: 'old_size_differs', size: 5 }],
    ['an older checkpoint', request(3, 4), at(5), { status: 409, why: 'old_size_differs', size: 5 }],
    [
      'an empty log with a root',
      request(0, 0, { checkpoint: wrongRoot }),
      null,
      { status: 422, why: 'empty_root_wrong' },
    ],
    ['a proof from nothing', request(0, 20, { proof: log.proof(5) }), null, { status: 422, why: 'proof_wrong' }],
    [
      'a proof that lacks a hash',
      request(5, 20, { proof: log.proof(5).slice(1) }),
      at(5),
      { status: 422, why: 'proof_wrong' },
    ],
    ['a proof to the same size', request(20, 20, { proof: log.proof(5) }), at(20), { status: 422, why: 'proof_wrong' }],
    ['another root at the same size', request(20, 20), fork.checkpoint(20), { status: 422, why: 'root_differs' }],
    ['another history', request(10, 20), fork.checkpoint(10), { status: 422, why: 'proof_wrong' }],
  ];
  it.each(rows)('%s', (_, each, latest, refusal) => expect(refusalOfHistory(each, latest)).toEqual(refusal));
});
