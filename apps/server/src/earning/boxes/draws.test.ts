import { randomBytes } from 'node:crypto';
import { keyIdOf, type ProofKey, verifyBox } from '@sathorn/proof';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUSE_OWNER } from '../../ledger/index.ts';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { FieldsReader } from '../../staff/offer/index.ts';
import { openRewardsTest, type RewardsTest } from '../testing-rewards.ts';
import { boxOfferKind } from './index.ts';

const [ALICE, BOB] = [101n, 102n];
const publicKey = ed25519Signer(Buffer.alloc(32, 5)).publicKeyHex;
const KEYS: ProofKey[] = [{ use: 'receipt', id: keyIdOf(publicKey), public_key: publicKey }];

let room: RewardsTest;
beforeAll(async () => {
  room = await openRewardsTest();
  await room.give(ALICE, 100_000n);
  await room.give(BOB, 100_000n);
});
afterAll(async () => {
  // The last test writes two versions that no operator approved, and the checker reports nothing else.
  expect(await room.violations()).toMatchObject([{ invariant: 'OF1', subjects: ['box/1/1', 'box/2/1'] }]);
  expect(room.faults).toEqual([]);
  await room.close();
});

const draw = (box: string, customer = ALICE) => room.boxes.draw({ customer, box }, room.intent(), 'en');
const fileOf = async (box: string) => {
  const decision = await room.boxes.file(box, room.clock.now());
  if (!decision.ok) throw new Error(decision.refusal);
  return decision.effect;
};

it('I7 the last prize is given once: 200 draws at once of a box that can pay three', async () => {
  const box = await room.publish({
    table: [{ prize: 'usdt', amount: 1_000_000n, weight: 1 }],
    budget: { USDT: 3_000_000n, POINTS: 0n },
  });
  const before = await room.units(ALICE, 'spot', 'POINTS');
  const decisions = await Promise.all(Array.from({ length: 200 }, () => draw(box)));
  const won = decisions.flatMap((decision) => (decision.ok ? [decision.effect] : []));
  expect(won.map(({ i }) => i).sort()).toEqual([1, 2, 3]);
  expect(new Set(decisions.flatMap((decision) => (decision.ok ? [] : decision.refusal)))).toEqual(
    new Set(['box_sold_out']),
  );
  expect(await room.units(ALICE, 'spot', 'POINTS')).toBe(before - 30n);
  for (const { id } of won)
    await room.boxes.seed(ALICE, { id, seed: randomBytes(32).toString('hex') }, 'en', room.clock.now());
  expect((await draw(box)).ok).toBe(false);
  expect(await verifyBox(await fileOf(box), KEYS)).toMatchObject({ verified: true, resolved: 3, given: [3] });
});

it('pays each draw its own prize, and not the largest', async () => {
  const box = await room.publish({
    table: [
      { prize: 'usdt', amount: 1_000_000n, weight: 1 },
      { prize: 'usdt', amount: 5_000_000n, weight: 1 },
    ],
    budget: { USDT: 60_000_000n, POINTS: 0n },
  });
  const before = await room.units(ALICE, 'spot', 'USDT');
  for (let n = 0; n < 12; n += 1) {
    const decision = await draw(box);
    if (!decision.ok) throw new Error(decision.refusal);
    await room.boxes.seed(
      ALICE,
      { id: decision.effect.id, seed: randomBytes(32).toString('hex') },
      'en',
      room.clock.now(),
    );
  }
  const { given } = await verifyBox(await fileOf(box), KEYS);
  const [small = 0, large = 0] = given ?? [];
  expect(small + large).toBe(12);
  expect((await room.units(ALICE, 'spot', 'USDT')) - before).toBe(BigInt(small + 5 * large) * 1_000_000n);
});

it('numbers have no gaps when two customers draw at once, and a retry gets the first answer', async () => {
  const box = await room.publish();
  const intent = room.intent();
  const decisions = await Promise.all([
    ...Array.from({ length: 20 }, () => draw(box)),
    ...Array.from({ length: 20 }, () => draw(box, BOB)),
    ...Array.from({ length: 5 }, () => room.boxes.draw({ customer: BOB, box }, intent, 'en')),
  ]);
  const ids = new Map(decisions.map((decision) => (decision.ok ? [decision.effect.id, decision.effect.i] : ['', 0])));
  expect([...ids.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, n) => n + 1));
});

it('gives the draws of one batch different numbers itself, before the database checks them', async () => {
  const box = await room.publish();
  await Promise.all([draw(box), draw(box), draw(box, BOB)]);
  // If numbers collided, the database would reject the batch and each draw would be posted in its own transaction.
  const { rows } = await room.owner.query(
    'SELECT array_agg(i ORDER BY i) AS numbers FROM boxes.draw WHERE box = $1 GROUP BY xmin::text',
    [box],
  );
  expect(rows).toEqual([{ numbers: [1, 2, 3] }]);
});

it('a draw without the customer’s seed is resolved within a minute, also by a new process', async () => {
  const box = await room.publish();
  const decision = await draw(box);
  if (!decision.ok) throw new Error(decision.refusal);
  const { id } = decision.effect;
  room.clock.advance(29_000);
  expect(await room.boxes.resolveDue(room.clock.now())).toBeGreaterThan(0);
  room.clock.advance(3_000);
  const late = await room.boxes.seed(ALICE, { id, seed: 'a'.repeat(64) }, 'en', room.clock.now());
  expect(late).toMatchObject({ ok: false, refusal: 'seed_too_late' });
  // Two processes that resolve the same draw at once pay its prize once.
  const others = [room.open(), room.open()];
  await Promise.all(others.map((other) => other.resolveDue(room.clock.now())));
  const own = await room.boxes.draws(ALICE, { id, page: null }, 'en');
  expect(own.ok && own.effect.items[0]).toMatchObject({ state: 'resolved', client_seed: null });
  expect(await room.boxes.resolveDue(room.clock.now())).toBe(0);
  expect(await verifyBox(await fileOf(box), KEYS)).toMatchObject({ verified: true, open: 0 });
});

it('a seed is accepted once, from its customer only', async () => {
  const box = await room.publish();
  const decision = await draw(box);
  if (!decision.ok) throw new Error(decision.refusal);
  const { id } = decision.effect;
  const now = room.clock.now();
  expect(await room.boxes.seed(BOB, { id, seed: 'b'.repeat(64) }, 'en', now)).toMatchObject({
    refusal: 'draw_unknown',
  });
  expect(await room.boxes.draws(BOB, { id, page: null }, 'en')).toMatchObject({ refusal: 'draw_unknown' });
  const both = await Promise.all(
    ['c', 'd'].map((seed) => room.boxes.seed(ALICE, { id, seed: seed.repeat(64) }, 'en', now)),
  );
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
});

it('refuses a frozen customer, missing points, a box before and after its sale, and an unknown one', async () => {
  const now = room.clock.now();
  const box = await room.publish({ closes: new Date(now.getTime() + 60_000) });
  room.frozen.add(BOB);
  expect(await draw(box, BOB)).toMatchObject({ refusal: 'account_frozen' });
  room.frozen.delete(BOB);
  expect(await draw(box, 103n)).toMatchObject({ refusal: 'points_missing' });
  expect(await draw('6f0d3f6e-8a51-4c0e-9d55-0b1f6f1f2a77')).toMatchObject({ refusal: 'box_unknown' });
  const rewards = await room.units(HOUSE_OWNER, 'rewards', 'USDT');
  room.clock.advance(61_000);
  expect(await draw(box)).toMatchObject({ refusal: 'box_closed' });
  await room.boxes.resolveDue(room.clock.now());
  // The unused budget of the box returned to the rewards account.
  expect(await room.units(HOUSE_OWNER, 'rewards', 'USDT')).toBe(rewards + 100_000_000n);
});

it('at its end returns what it has not paid, in points and in USDT', async () => {
  for (const [asset, prize] of [
    ['POINTS', 'points'],
    ['USDT', 'usdt'],
  ] as const) {
    const box = await room.publish({
      price: 1n,
      table: [{ prize, amount: 7n, weight: 1 }],
      budget: { USDT: 0n, POINTS: 0n, [asset]: 100n },
      closes: new Date(room.clock.now().getTime() + 120_000),
    });
    // Both draws pay the only prize of the table.
    for (let n = 0; n < 2; n += 1) expect(await draw(box)).toMatchObject({ ok: true });
    room.clock.advance(60_000);
    await room.boxes.resolveDue(room.clock.now());
    const before = await room.units(HOUSE_OWNER, 'rewards', asset);
    room.clock.advance(61_000);
    await room.boxes.resolveDue(room.clock.now());
    expect((await room.units(HOUSE_OWNER, 'rewards', asset)) - before).toBe(100n - 14n);
  }
});

it('is never sold beyond what the reward account has', async () => {
  await expect(room.publish({ budget: { USDT: 10n ** 15n, POINTS: 1_000n } })).rejects.toThrow('not_funded');
});

it('I5 is not drawn with seeds other than those it was published with', async () => {
  const box = await room.publish();
  const decision = await draw(box);
  if (!decision.ok) throw new Error(decision.refusal);
  room.clock.advance(32_000);
  const stolen = room.open({ key: Buffer.alloc(32, 8) });
  await expect(stolen.resolveDue(room.clock.now())).rejects.toThrow('not the promised one');
  const own = await room.boxes.draws(ALICE, { id: decision.effect.id, page: null }, 'en');
  expect(own.ok && own.effect.items[0]).toMatchObject({ state: 'open', result: null });
  expect(await room.boxes.resolveDue(room.clock.now())).toBe(0);
});

it('is sold by a process without the seeds’ key, and resolved by the one that has it', async () => {
  const box = await room.publish();
  const edge = room.open({ key: null });
  const decision = await edge.draw({ customer: ALICE, box }, room.intent(), 'en');
  if (!decision.ok) throw new Error(decision.refusal);
  const { id } = decision.effect;
  const seeding = edge.seed(ALICE, { id, seed: 'e'.repeat(64) }, 'en', room.clock.now());
  await expect(edge.publish('edge', {} as never, null, room.clock.now())).rejects.toThrow('has not the key');
  expect(await edge.resolveDue(room.clock.now())).toBe(0);
  // Before the other process acts, nothing here reveals what the draw contains.
  const open = await edge.draws(ALICE, { id, page: null }, 'en');
  expect(open.ok && open.effect.items[0]).toMatchObject({ state: 'open', result: null });
  while ((await room.boxes.resolveDue(room.clock.now())) > 0);
  const seeded = await seeding;
  expect(seeded.ok && seeded.effect).toMatchObject({ state: 'resolved', client_seed: 'e'.repeat(64) });
  expect(await verifyBox(await fileOf(box), KEYS)).toMatchObject({ verified: true, resolved: 1 });
});

it('from an older version gets its commitments from the settler, and refuses forged ones', async () => {
  const box = await room.publish();
  const owner = (text: string) => room.owner.query(text);
  await owner(`ALTER TABLE boxes.promise DISABLE TRIGGER USER`);
  const { rows } = await owner(
    `DELETE FROM boxes.promise WHERE box = '${box}' RETURNING encode(commitments, 'hex') AS all`,
  );
  const edge = room.open({ key: null });
  await expect(edge.draw({ customer: ALICE, box }, room.intent(), 'en')).rejects.toThrow('waits until the settler');
  await owner(`INSERT INTO boxes.promise VALUES ('${box}', decode(repeat('ab', 32 * 500), 'hex'))`);
  await expect(edge.draw({ customer: ALICE, box }, room.intent(), 'en')).rejects.toThrow('not its own');
  await owner(`DELETE FROM boxes.promise WHERE box = '${box}'`);
  await room.boxes.storePromises();
  const { rows: stored } = await owner(
    `SELECT encode(commitments, 'hex') AS all FROM boxes.promise WHERE box = '${box}'`,
  );
  expect(stored).toEqual(rows);
  expect((await edge.draw({ customer: ALICE, box }, room.intent(), 'en')).ok).toBe(true);
  await owner(`ALTER TABLE boxes.promise ENABLE TRIGGER USER`);
});

it('cannot be changed, reseeded or resolved again by the platform’s own database role', async () => {
  const { database } = room.test;
  const attempt = (text: string) => database.query({ name: `attack ${text.length} ${text.slice(0, 40)}`, text });
  for (const text of [
    `UPDATE boxes.box SET body = body`,
    `DELETE FROM boxes.draw`,
    `UPDATE boxes.draw SET body = body`,
    `UPDATE boxes.draw SET client_seed = repeat('e', 64) WHERE resolved_at IS NOT NULL`,
    `UPDATE boxes.draw SET number = 0, prize = 0 WHERE resolved_at IS NOT NULL`,
    `INSERT INTO boxes.decided (approval, fields) VALUES (gen_random_uuid(), '{}')`,
    `INSERT INTO rewards.ladder (version, effective_day, points, usdt) VALUES (9, 0, '{9,9,9,9,9,9,9}', '{0,0,0,0,0,0,0}')`,
    `UPDATE rewards.sign_in SET points = 9`,
  ])
    await expect(attempt(text), text).rejects.toThrow();
});

it('is published once when two people have approved it, and not at all if its budget is gone', async () => {
  const kind = boxOfferKind({ ledger: room.ledger, hasBeacon: () => false });
  const proposed = (usdt_budget: string) => ({
    names: [
      { language: 'en', name: 'New box' },
      { language: 'th', name: 'กล่องใหม่' },
    ],
    price: '10',
    draws_max: '100',
    days: '30',
    beacon: 'none',
    usdt_budget,
    points_budget: '0',
    table: [{ prize: 'usdt', amount: '0.5', weight: '1' }],
  });
  const decide = async (place: string, budget: string) => {
    const reader = new FieldsReader(proposed(budget));
    const after = kind.read(place, reader);
    expect(reader.fault).toBeNull();
    const approval = crypto.randomUUID();
    const { database } = room.test;
    const now = room.clock.now();
    await room.owner.query(
      `INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval) VALUES ('box', $1, 1, now(), $2, $3)`,
      [place, JSON.stringify(after), approval],
    );
    await database.transaction(async (transaction) =>
      kind.apply?.(
        transaction,
        { kind: 'box', subject: place, version: 1, before: null, after, effectiveFrom: now, approval },
        now,
      ),
    );
    return approval;
  };
  const approval = await decide('1', '20');
  // The application's role alone cannot use that approval to sell another box.
  const [sold] = await room.test.database.query<{ id: string }>({ name: '', text: 'SELECT id FROM boxes.box LIMIT 1' });
  await expect(
    room.test.database.query(
      {
        name: '',
        text: `INSERT INTO boxes.box (id, body, hash, signature, key, names, price, draws_max, opens_at, closes_at, usdt_max, points_max, usdt_budget,
                 points_budget, funded_journal, approval, published_at)
               SELECT gen_random_uuid(), body, 'another', signature, key, names, price, draws_max, opens_at, closes_at, usdt_max, points_max, usdt_budget,
                 points_budget, gen_random_uuid(), $2, published_at FROM boxes.box WHERE id = $1`,
      },
      [sold?.id, approval],
    ),
  ).rejects.toThrow('nobody approved');
  const published = await Promise.all([
    room.boxes.publishDecided(room.clock.now()),
    room.open().publishDecided(room.clock.now()),
  ]);
  expect(published.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
  const named = () =>
    room.boxes.list('th', room.clock.now()).then((all) => all.filter(({ name }) => name === 'กล่องใหม่'));
  expect(await named()).toMatchObject([{ state: 'upcoming', budget: { usdt: '20.000000' } }]);
  room.clock.advance(61_000);
  expect(await named()).toMatchObject([{ state: 'open' }]);

  await decide('2', '999999999');
  expect(await room.boxes.publishDecided(room.clock.now())).toBe(0);
  expect(await room.boxes.publishDecided(room.clock.now())).toBe(0);
  expect(await named()).toHaveLength(1);
  expect(String(room.faults.splice(0))).toContain('not funded');

  const faultOf = (change: object) => {
    const reader = new FieldsReader({ ...proposed('20'), ...change });
    kind.read('1', reader);
    return reader.fault;
  };
  expect([
    faultOf({ usdt_budget: '0.4' }),
    faultOf({ beacon: 'quicknet' }),
    faultOf({ table: [] }),
    faultOf({ price: '0' }),
    faultOf({ names: [{ language: 'en', name: '<b>' }] }),
    faultOf({ table: [{ prize: 'points', amount: '1.5', weight: '1' }] }),
  ]).toEqual(['usdt_budget', 'beacon', 'table', 'price', 'names', 'table.0.amount']);
});
