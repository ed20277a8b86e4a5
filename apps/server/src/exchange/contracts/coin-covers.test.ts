import { randomUUID } from 'node:crypto';
import { placeContract } from '@sathorn/api';
import { accept, coverLeft, decideCover } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { type BeginningsDependencies, guardBeginnings } from '../../process/eligibility.ts';
import { openCoinCovers } from '../../service/books/index.ts';
import { type ContractsTest, openContractsTest } from './testing-contracts.ts';

const ANAN = 100n;
const DAY_MS = 86_400_000;
/** Units of BTC that customers own. */
const OWED = 1_000_000_000n;
const [KORN, FAH, TAN] = [1n, 2n, 3n];
let room: ContractsTest;
let owner: pg.Client;

const declare = (mode: 'demo' | 'live') =>
  owner.query(
    `ALTER TABLE ledger.deployment DISABLE TRIGGER ALL; DELETE FROM ledger.deployment; INSERT INTO ledger.deployment (mode) VALUES ('${mode}'); ALTER TABLE ledger.deployment ENABLE TRIGGER ALL`,
  );

beforeAll(async () => {
  room = await openContractsTest();
  owner = new pg.Client(room.test.owner);
  await owner.connect();
  await room.fund(ANAN, 'BTC', '10');
  await declare('live');
});
afterAll(async () => {
  await owner.end();
  await room.close();
});
beforeEach(async () => {
  await owner.query(
    'ALTER TABLE books.attestation DISABLE TRIGGER ALL; TRUNCATE books.attestation; ALTER TABLE books.attestation ENABLE TRIGGER ALL; ALTER TABLE books.attestation DISABLE TRIGGER check_signed_attestation',
  );
});

const NOW = new Date();
async function sign(operator: bigint, counted: bigint, daysAgo = 1, asset = 'BTC'): Promise<void> {
  await owner.query(
    `INSERT INTO books.attestation (id, asset, counted, booked, as_of, statement, operator, at, is_from_before) VALUES ($1, $2, $3, 0, $4, 'cold wallet 1', $5, $6, true)`,
    [randomUUID(), asset, String(counted), new Date(NOW.getTime() - daysAgo * DAY_MS), String(operator), NOW],
  );
}
const coverOf = () =>
  openCoinCovers({ database: room.test.database, ledger: room.ledger, mode: 'live' })('BTC', new Date());
const breaches = async () =>
  (await findViolations(room.test.checker, 'platform'))
    .filter(({ invariant }) => invariant === 'CV1')
    .flatMap(({ subjects }) => subjects);

describe('a coin with real money', () => {
  it.each([
    ['nobody has counted', [], 'coin_not_counted'],
    ['one person has counted', [[KORN, OWED, 1]], 'coin_not_counted'],
    [
      'the same person signed twice',
      [
        [KORN, OWED, 1],
        [KORN, OWED, 1],
      ],
      'coin_not_counted',
    ],
    [
      'two people saw different figures',
      [
        [KORN, OWED, 1],
        [FAH, OWED + 1n, 1],
      ],
      'coin_not_counted',
    ],
    [
      'two people saw it on different days',
      [
        [KORN, OWED, 1],
        [FAH, OWED, 2],
      ],
      'coin_not_counted',
    ],
    [
      'two people counted nine days ago',
      [
        [KORN, OWED, 9],
        [FAH, OWED, 9],
      ],
      'coin_not_counted',
    ],
    [
      'two people counted a unit less than customers own',
      [
        [KORN, OWED - 1n, 1],
        [FAH, OWED - 1n, 1],
      ],
      'coin_not_covered',
    ],
    [
      'one person saw less since then',
      [
        [KORN, OWED, 2],
        [FAH, OWED, 2],
        [TAN, OWED - 1n, 1],
      ],
      'coin_not_covered',
    ],
  ] as const)('can be sold only while %s, and the checker says so', async (_says, signed, refusal) => {
    for (const [operator, counted, daysAgo] of signed) await sign(operator, counted, daysAgo);
    const cover = await coverOf();
    expect(cover.owed).toBe(OWED);
    expect(decideCover('buy', cover)).toMatchObject({ ok: false, refusal });
    expect(decideCover('sell', cover).ok).toBe(true);
    expect(coverLeft(cover)).toBe(0n);
    expect(await breaches()).toEqual([`BTC ${OWED - (refusal === 'coin_not_covered' ? OWED - 1n : 0n)}`]);
  });

  it.each([
    [
      'two people counted it',
      [
        [KORN, OWED + 5n, 1],
        [FAH, OWED + 5n, 1],
      ],
    ],
    [
      'two people counted less long ago, and enough since',
      [
        [KORN, 1n, 5],
        [FAH, 1n, 5],
        [FAH, OWED + 5n, 1],
        [TAN, OWED + 5n, 1],
      ],
    ],
    [
      'one person saw more since then, which counts for nothing',
      [
        [KORN, OWED + 5n, 2],
        [FAH, OWED + 5n, 2],
        [TAN, OWED * 2n, 1],
      ],
    ],
  ] as const)('can be bought when %s', async (_says, signed) => {
    for (const [operator, counted, daysAgo] of signed) await sign(operator, counted, daysAgo);
    const cover = await coverOf();
    expect(decideCover('buy', cover).ok).toBe(true);
    expect(coverLeft(cover)).toBe(5n);
    expect(await breaches()).toEqual([]);
  });

  it('is not covered by the counted reserve of another coin', async () => {
    for (const operator of [KORN, FAH]) await sign(operator, OWED, 1, 'ETH');
    expect(decideCover('buy', await coverOf())).toMatchObject({ refusal: 'coin_not_counted' });
  });
});

it('a demonstration’s coins are test money, for which the checker requires no reserve', async () => {
  await declare('demo');
  expect(await breaches()).toEqual([]);
  const demo = openCoinCovers({ database: room.test.database, ledger: room.ledger, mode: 'demo' });
  expect(decideCover('buy', await demo('BTC', NOW)).ok).toBe(true);
  await declare('live');
});

describe('an order to buy', () => {
  const send = async (side: 'buy' | 'sell', isPosted = false) => {
    const dependencies = {
      pauses: { reasonOf: async () => null },
      consents: { mayOrder: async () => true },
      isOffered: () => true,
      coverOf,
      isPosted: async () => isPosted,
    } as unknown as BeginningsDependencies;
    const handler = { call: placeContract, run: async () => accept('placed') };
    const [gate] = guardBeginnings({ api: null, handlers: [handler as never] }, dependencies).handlers;
    const context = {
      request: { code: 'BTC', side },
      customer: { id: ANAN },
      language: 'en',
      now: NOW,
      intent: { id: '' },
    };
    return gate?.run(context as never);
  };

  it('is refused without cover by its field; a sale and a repeated accepted request are not', async () => {
    expect(await send('buy')).toEqual({ ok: false, refusal: 'coin_not_counted', field: 'code' });
    expect(await send('sell')).toMatchObject({ ok: true });
    expect(await send('buy', true)).toMatchObject({ ok: true });
    for (const operator of [KORN, FAH]) await sign(operator, OWED);
    expect(await send('buy')).toMatchObject({ ok: true });
  });
});
