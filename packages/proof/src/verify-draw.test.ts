import { createHmac, hash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { describe, expect, it } from 'vitest';
import { BEACONS, type BeaconChain, firstRoundFrom, readBeacon, roundTimeMs } from './beacon.ts';
import { drawNumber, readBoxTerms, seedOfOrder, weightSumOf, writeBoxTerms } from './box-draw.ts';
import { hmacSha256, portableSha256, setSha256, sha256, toHex, utf8Bytes } from './hash.ts';
import {
  CHEATING_DRAWS,
  drawOrderIdOf,
  drawSeedOf,
  FOREIGN_SEED,
  QUICKNET_1000,
  rewriteDraw,
  shownDrawOf,
  TEST_BOX,
  TEST_BOX_OPENS_MS,
  TEST_DRAW,
  TEST_PRIZES,
  testBox,
  testDraw,
  testFile,
} from './testing-boxes.ts';
import { TEST_KEYS } from './testing-receipts.ts';
import { type BoxFile, type DrawReceipt, type KeptDraw, verifyBox, verifyDraw } from './verify-draw.ts';

const faultsOf = async (draw: DrawReceipt, kept: KeptDraw = {}) => {
  const { steps, verified } = await verifyDraw(draw, TEST_KEYS, { kept });
  const found = Object.values(steps).filter((fault) => fault !== null);
  expect(verified).toBe(found.length === 0);
  return found;
};

describe('a draw', () => {
  it('verifies, with the customer’s seed and without one', async () => {
    expect(await faultsOf(TEST_DRAW)).toEqual([]);
    expect(await faultsOf(testDraw(TEST_BOX, 4, { clientSeed: null }))).toEqual([]);
    expect(seedOfOrder(drawOrderIdOf(4))).toMatch(/^[0-9a-f]{64}$/);
    for (const drawsMax of [1, 2, 7]) expect(await faultsOf(testDraw(testBox({ drawsMax }), drawsMax))).toEqual([]);
  });

  it.each(CHEATING_DRAWS)('is caught: %s', async (_what, fault, draw, kept) => {
    expect(await faultsOf(draw, kept)).toContain(fault);
  });
});

describe('public randomness', () => {
  const quicknet = BEACONS.quicknet as BeaconChain;
  it('is exactly what the chain signed', async () => {
    expect(await readBeacon(quicknet, 1000, QUICKNET_1000)).toBe(
      'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
    );
    expect(await readBeacon(quicknet, 1001, QUICKNET_1000)).toBeUndefined();
    expect(await readBeacon(quicknet, 1000, `a${QUICKNET_1000.slice(1)}`)).toBeUndefined();
    expect(await readBeacon(quicknet, 1000, '00'.repeat(48))).toBeUndefined();
    expect(roundTimeMs(quicknet, firstRoundFrom(quicknet, 1_767_225_600_001))).toBeGreaterThanOrEqual(
      1_767_225_600_001,
    );
  });

  it('decides a draw of its box, and a chosen or forged round is refused', async () => {
    const secret = bls12_381.utils.randomSecretKey(new Uint8Array(48).fill(7));
    const { shortSignatures } = bls12_381;
    const chain: BeaconChain = {
      hash: 'test',
      publicKey: shortSignatures.getPublicKey(secret).toHex(),
      genesisMs: TEST_BOX_OPENS_MS - 3_000_000,
      periodMs: 3_000,
    };
    const beacons = { test: chain };
    const roundOf = (round: number): string => {
      const message = new Uint8Array(8);
      new DataView(message.buffer).setBigUint64(0, BigInt(round));
      const point = shortSignatures.hash(sha256(message), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
      return toHex(shortSignatures.Signature.toBytes(shortSignatures.sign(point, secret)));
    };
    const box = testBox({ beacon: 'test' });
    const round = firstRoundFrom(chain, TEST_BOX_OPENS_MS + 2_000 + 6_000);
    const draw = testDraw(box, 2, { chain, beacon: roundOf(round) });
    const verdict = await verifyDraw(draw, TEST_KEYS, { beacons });
    expect(verdict).toMatchObject({ verified: true });
    const judged = async (changed: DrawReceipt) =>
      Object.values((await verifyDraw(changed, TEST_KEYS, { beacons })).steps);
    expect(await judged({ ...draw, beacon: roundOf(round + 1) })).toContain('beacon_not_signed');
    expect(await judged({ ...draw, beacon: null })).toContain('beacon_missing');
    expect(await judged(rewriteDraw(draw, { round: String(round - 1) }))).toContain('round_not_ahead');
    expect(Object.values((await verifyDraw(draw, TEST_KEYS)).steps)).toContain('beacon_unknown');
  });
});

describe('a whole box', () => {
  const draws = [1, 2, 3, 4, 5].map((i) => shownDrawOf(testDraw(TEST_BOX, i)));
  const judged = async (file: BoxFile) => {
    const { verified, faults } = await verifyBox(file, TEST_KEYS);
    expect(verified).toBe(faults.length === 0);
    return faults.map(({ fault }) => fault);
  };
  const open = { reservation: testDraw(TEST_BOX, 6, { reservedMs: TEST_BOX_OPENS_MS + 590_000 }).reservation };

  it('verifies while its last draws are open', async () => {
    const verdict = await verifyBox(testFile(TEST_BOX, [...draws, open]), TEST_KEYS);
    expect(verdict).toMatchObject({ verified: true, resolved: 5, open: 1 });
    expect(verdict.given.reduce((a, b) => a + b)).toBe(5);
  });

  const poor = testBox({ budget: { USDT: 100_000_000n, POINTS: 20n } });
  const poorDraws = [1, 2, 3, 4, 5].map((i) => shownDrawOf(testDraw(poor, i)));
  const cheats: readonly [what: string, fault: string, file: BoxFile][] = [
    ['a draw that was skipped', 'draw_skipped', testFile(TEST_BOX, [draws[0], draws[1], draws[3]] as never)],
    ['draws that were reordered', 'draw_out_of_order', testFile(TEST_BOX, [draws[1], draws[0]] as never)],
    ['a number drawn twice', 'draw_out_of_order', testFile(TEST_BOX, [draws[0], draws[0]] as never)],
    [
      'a draw that was left open because it would have won',
      'draw_unresolved',
      testFile(TEST_BOX, [...draws.slice(0, 4), { reservation: testDraw(TEST_BOX, 5).reservation }]),
    ],
    [
      'hashes that are not those of the sale',
      'commitments_not_in_root',
      { ...testFile(TEST_BOX, draws), commitments: [...TEST_BOX.commitments].reverse() },
    ],
    ['prizes beyond the budget', 'budget_exceeded', testFile(poor, poorDraws)],
    ['another prize', 'prize_differs', testFile(TEST_BOX, [{ ...draws[0], prize: '0' } as never])],
    [
      'another seed',
      'seed_not_committed',
      testFile(TEST_BOX, [shownDrawOf(testDraw(TEST_BOX, 1, { seed: FOREIGN_SEED }))]),
    ],
  ];
  it.each(cheats)('is caught: %s', async (_what, fault, file) => {
    expect(await judged(file)).toContain(fault);
  });
});

describe('the number of a draw', () => {
  it('I6 is equally likely for each weight: a million draws against the odds', () => {
    setSha256((parts) => hash('sha256', Buffer.concat(parts), 'buffer'));
    const weights = TEST_PRIZES.map(({ weight }) => weight);
    const sum = weightSumOf(TEST_PRIZES);
    const given = weights.map(() => 0);
    const seed = drawSeedOf(1);
    const bounds = weights.map((_, row) => weights.slice(0, row + 1).reduce((a, b) => a + b, 0));
    for (let i = 1; i <= 1_000_000; i += 1) {
      const number = drawNumber({ box: 'b', i, seed, clientSeed: 'c', round: 0, randomness: '' }, sum);
      const row = bounds.findIndex((bound) => number < bound);
      given[row] = (given[row] ?? 0) + 1;
    }
    setSha256(portableSha256);
    const due = weights.map((weight) => (1_000_000 * weight) / sum);
    const chi = due.reduce((total, wanted, row) => total + ((given[row] ?? 0) - wanted) ** 2 / wanted, 0);
    console.log(
      `10^6 draws: given ${given.join(', ')}, due ${due.join(', ')}; chi-square ${chi.toFixed(2)} with ${weights.length - 1} degrees of freedom; p = 0.001 is at 16.27`,
    );
    expect(chi).toBeLessThan(16.27);
  }, 600_000);

  it('is keyed as in RFC 2104', () => {
    for (const size of [0, 31, 32, 64])
      expect(toHex(hmacSha256(new Uint8Array(size).fill(9), utf8Bytes('x')))).toBe(
        createHmac('sha256', new Uint8Array(size).fill(9)).update('x').digest('hex'),
      );
  });

  it('rejects words that would favour the first numbers', () => {
    // Two thirds of all words are below the largest multiple, so rejection happens in most draws.
    const sum = Math.floor(2 ** 31 - 1);
    const numbers = Array.from({ length: 2_000 }, (_, i) =>
      drawNumber({ box: 'b', i, seed: drawSeedOf(2), clientSeed: 'c', round: 0, randomness: '' }, sum),
    );
    expect(Math.max(...numbers)).toBeLessThan(sum);
    const below = numbers.filter((number) => number < sum / 2).length;
    expect(Math.abs(below - 1_000)).toBeLessThan(120);
    expect(() =>
      drawNumber({ box: 'b', i: 1, seed: drawSeedOf(2), clientSeed: 'c', round: 0, randomness: '' }, 0),
    ).toThrow();
  });

  it('comes from terms with only one spelling', () => {
    expect(writeBoxTerms(readBoxTerms(TEST_BOX.signed.body) as never)).toBe(TEST_BOX.signed.body);
    for (const body of [
      '{}',
      TEST_BOX.signed.body.replace('"100"', '"0100"'),
      TEST_BOX.signed.body.replace('usdt', 'gold'),
    ])
      expect(readBoxTerms(body)).toBeUndefined();
  });
});
