import { type SignedText, signText } from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import { emptyFindings, type FindingsFile, findingOf, newFindings, readFindings, signFindings } from './finding.ts';

const SEED = new Uint8Array(32).fill(5);
const END = { log: 'platform.example/log', size: 7, root: 'ab'.repeat(32) };
const sign = (file: FindingsFile, ...says: readonly string[]): FindingsFile =>
  signFindings(
    file,
    says.map((text) => findingOf('tick', 'BTC 7', text, 'shown')),
    { atMs: 5, log: END.log, end: END },
    SEED,
  );

describe('findings', () => {
  const file = sign(sign(emptyFindings(SEED), 'One.'), 'Two.', 'Three.');

  it('are a chain that their key signed, and the newest visit names its end', async () => {
    expect(await readFindings(JSON.stringify(file))).toEqual(file);
    const bodies = file.findings.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ n, prev }) => [n, prev])).toEqual([
      ['1', '0'.repeat(64)],
      ['2', file.findings[0]?.hash],
      ['3', file.findings[1]?.hash],
    ]);
    expect(bodies[2]).toEqual({
      ...{ v: 'finding/1', n: '3', prev: file.findings[1]?.hash, at: '5', log: END.log },
      ...{ kind: 'tick', about: 'BTC 7', says: 'Three.', evidence: ['shown'] },
    });
    expect(JSON.parse(file.visit?.body ?? '')).toEqual({
      ...{ v: 'visit/1', at: '5', log: END.log, size: '7', root: END.root },
      ...{ findings: '3', last: file.findings[2]?.hash },
    });
  });

  const other = sign(emptyFindings(SEED), 'One.', 'Another.', 'Three.');
  it.each<[string, (file: FindingsFile) => unknown, string]>([
    [
      'one left out',
      ({ findings, ...rest }) => ({ ...rest, findings: findings.toSpliced(1, 1) }),
      'finding 2 does not follow',
    ],
    [
      'the last left out',
      ({ findings, ...rest }) => ({ ...rest, findings: findings.slice(0, -1) }),
      'its visit is of other findings',
    ],
    [
      'one exchanged',
      ({ findings, ...rest }) => ({ ...rest, findings: findings.with(1, other.findings[1] as SignedText) }),
      'finding 3 does not follow',
    ],
    [
      'one of another key',
      ({ findings, ...rest }) => ({
        ...rest,
        findings: findings.with(1, signText(findings[1]?.body ?? '', new Uint8Array(32).fill(6))),
      }),
      'finding 2 is not signed as it is',
    ],
    [
      'a visit of another key',
      ({ visit, ...rest }) => ({ ...rest, visit: signText(visit?.body ?? '', new Uint8Array(32).fill(6)) }),
      'its visit is not signed as it is',
    ],
    ['another form', ({ findings }) => ({ findings }), 'it has another form'],
    ['no JSON', () => undefined, 'it is no JSON'],
  ])('are refused with %s', async (_name, change, fault) => {
    expect(await readFindings(JSON.stringify(change(file)) ?? '')).toEqual({ fault });
  });

  it('are new if the file does not say them, each once', () => {
    const found = ['Two.', 'Four.', 'Four.'].map((says) => findingOf('tick', 'BTC 7', says, 'shown'));
    expect(newFindings(file, found).map(({ says }) => says)).toEqual(['Four.']);
    expect(newFindings(file, [findingOf('key', 'BTC 7', 'Two.', 'shown')])).toHaveLength(1);
    expect(newFindings(file, [findingOf('tick', 'BTC 7', 'Two.', 'another')])).toHaveLength(1);
  });

  it('can be signed whatever a server sent', () => {
    const half = findingOf('tick', '\ud800', 'x', '\udfff');
    expect(() => signFindings(file, [half], { atMs: 5, log: '', end: null }, SEED)).not.toThrow();
  });
});
