import { describe, expect, it } from 'vitest';
import { sha256, toHex, utf8Bytes } from './hash.ts';
import {
  faultOfPromise,
  NO_LINK_HASH,
  type PromiseLink,
  promisePath,
  promisesRoot,
  readPromiseLink,
  writePromiseLink,
} from './promise-chain.ts';
import { hashOfBody } from './signature.ts';

const headsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => toHex(sha256(utf8Bytes(`head ${from + n}`))));

/** Links of these sizes, a second apart. */
function chainOf(sizes: readonly number[]) {
  let previous = NO_LINK_HASH;
  return sizes.map((size, nth) => {
    const heads = headsOf(size, nth * 1_000);
    const link: PromiseLink = {
      sequence: BigInt(nth + 1),
      at: 1_000 * (nth + 1),
      previous,
      root: promisesRoot(heads),
      size,
    };
    const body = writePromiseLink(link);
    previous = hashOfBody(body);
    return { heads, link, body, hash: previous };
  });
}

describe('a chain of promises', () => {
  const chain = chainOf([1, 7, 64, 3]);
  const bodies = chain.map(({ body }) => body);

  it('proves each head up to each later link', () => {
    for (const [nth, { heads }] of chain.entries()) {
      for (const [index, head] of heads.entries()) {
        for (let to = nth; to < chain.length; to += 1) {
          const proof = { index: String(index), path: promisePath(heads, index), links: bodies.slice(nth, to + 1) };
          expect(faultOfPromise(head, proof, chain[to]?.hash ?? '')).toBeNull();
        }
      }
    }
  });

  it('refuses another head, another place, another link and a link that is left out', () => {
    const [, second] = chain;
    if (second === undefined) throw new Error('no second link');
    const head = second.heads[2] ?? '';
    const proof = { index: '2', path: promisePath(second.heads, 2), links: bodies.slice(1) };
    const named = chain[3]?.hash ?? '';
    expect(faultOfPromise(head, proof, named)).toBeNull();
    expect(faultOfPromise(second.heads[3] ?? '', proof, named)).toBe('promise_path_wrong');
    expect(faultOfPromise(head, { ...proof, index: '3' }, named)).toBe('promise_path_wrong');
    expect(faultOfPromise(head, { ...proof, path: proof.path.slice(1) }, named)).toBe('promise_path_wrong');
    expect(faultOfPromise(head, { ...proof, links: [bodies[1] ?? '', bodies[3] ?? ''] }, named)).toBe(
      'promise_link_wrong',
    );
    expect(faultOfPromise(head, proof, chain[2]?.hash ?? '')).toBe('promise_not_named');
    expect(faultOfPromise(head, { ...proof, links: [] }, named)).toBe('promise_malformed');
    expect(faultOfPromise(head, { ...proof, index: '02' }, named)).toBe('promise_malformed');
  });

  it('reads only what it writes', () => {
    const [body = ''] = bodies;
    expect(readPromiseLink(body)).toEqual(chain[0]?.link);
    for (const other of [
      body.replace('"seq":"1"', '"seq":"01"'),
      body.replace('"seq":"1"', '"seq":"2"'),
      body.replace('"size":"1"', '"size":"0"'),
      body.replace('"size":"1"', '"size":"4097"'),
      body.replace('"v":', '"u":"1","v":'),
      body.replace('promises/1', 'promises/2'),
      ` ${body}`,
    ])
      expect(readPromiseLink(other), other).toBeUndefined();
  });
});
