import { describe, expect, it } from 'vitest';
import { type CountedOwner, proposeOwnerChanges } from './propose-owner-changes.ts';

const owner = (operator: string | null, more: Partial<CountedOwner> = {}): CountedOwner => ({
  address: `0x${operator}`,
  operator,
  isDemo: false,
  isColleague: operator !== null,
  isKeyRemoved: false,
  ...more,
});
const candidate = (operator: string, hasPasskey = true) => ({ operator, hasPasskey });
const three = [owner('a'), owner('b'), owner('c')];
const known = ['a', 'b', 'c'].map((one) => candidate(one));

describe('proposed changes of the treasury’s owners', () => {
  it.each([
    ['nothing while everybody counts who should', three, known, []],
    [
      'who joined is added',
      three,
      [...known, candidate('d')],
      [{ change: 'add', why: 'joined', leaving: null, coming: 'd' }],
    ],
    [
      'who left is replaced by who joined',
      [owner('a'), owner('b'), owner('c', { isColleague: false })],
      [candidate('a'), candidate('b'), candidate('d'), candidate('e')],
      [
        { change: 'swap', why: 'left', leaving: '0xc', coming: 'd' },
        { change: 'add', why: 'joined', leaving: null, coming: 'e' },
      ],
    ],
    [
      'two who left are removed while three remain',
      [...three, owner('d', { isColleague: false }), owner('e', { isColleague: false })],
      known,
      [
        { change: 'remove', why: 'left', leaving: '0xd', coming: null },
        { change: 'remove', why: 'left', leaving: '0xe', coming: null },
      ],
    ],
    [
      'nobody is removed below three',
      [owner('a'), owner('b'), owner('c', { isColleague: false })],
      known.slice(0, 2),
      [],
    ],
    [
      'a lost passkey is replaced by the same person’s newest',
      [owner('a'), owner('b'), owner('c', { isKeyRemoved: true })],
      known,
      [{ change: 'swap', why: 'key_lost', leaving: '0xc', coming: 'c' }],
    ],
    [
      'a demo’s key is replaced by the person’s own',
      [owner('a', { isDemo: true }), owner('b', { isDemo: true }), owner('c')],
      [candidate('a'), candidate('b', false), candidate('c')],
      [{ change: 'swap', why: 'own_key', leaving: '0xa', coming: 'a' }],
    ],
    [
      'a lost passkey beside a newer one that counts is removed',
      [...three, { ...owner('c', { isKeyRemoved: true }), address: '0xold' }],
      known,
      [{ change: 'remove', why: 'key_lost', leaving: '0xold', coming: null }],
    ],
    ['a cold owner stays', [...three, owner(null)], known, []],
  ])('%s', (_what, owners, candidates, expected) => {
    expect(proposeOwnerChanges(owners, candidates)).toEqual(expected);
  });
});
