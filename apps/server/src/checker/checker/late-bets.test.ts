import { randomUUID } from 'node:crypto';
import { OPTION_TERMS_TYPE, writeTreeHead } from '@sathorn/proof';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OptionsTest, openOptionsTest, usdt } from '../../exchange/options/testing.ts';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { findViolations } from './find-violations.ts';
import type { PublicKey } from './known-keys.ts';

const CUSTOMER = 1_000_000_001n;
const ZEROS = '00'.repeat(64);

/** Manipulations that the database's owner could make without a signing key, bypassing every trigger. */
const RIGGINGS: readonly [what: string, invariant: string, ...statements: string[]][] = [
  [
    'an order whose stake was held six minutes after its acceptance',
    'I7',
    `UPDATE ledger.transfer SET at = at + interval '6 minutes' WHERE sequence = (SELECT stake_hold FROM options.orders WHERE status = 'holding')`,
  ],
  [
    'an order that was settled before its end',
    'I7',
    `UPDATE ledger.transfer SET at = at - interval '20 seconds' WHERE resolves = (SELECT promised_hold FROM options.orders WHERE status = 'won')`,
  ],
  [
    'an order that is older than its customer’s account',
    'K3',
    `UPDATE customers.customer SET created_at = created_at + interval '1 hour'`,
  ],
  ['an order whose customer never signed up', 'K3', `UPDATE customers.customer SET id = id + 5`],
  ['terms that are signed with a word', 'S2', `UPDATE options.terms_tree SET signature = 'this'`],
  ['terms that are signed with zeros', 'S2', `UPDATE options.terms_tree SET signature = '${ZEROS}'`],
  [
    'terms that were written anew with their order, beside the old signature',
    'S2',
    `UPDATE options.orders SET direction = 'down' WHERE status = 'holding'`,
    `UPDATE options.terms_tree SET bodies = replace(bodies, '"dir":"up"', '"dir":"down"') WHERE id = (SELECT terms_tree FROM options.orders WHERE status = 'holding')`,
  ],
  [
    'an old tick whose signature is zeros',
    'S1',
    `UPDATE market.tick SET signature = decode('${ZEROS}', 'hex') WHERE sequence = 3`,
  ],
  ['a tick of a key that nobody knows', 'S1', `UPDATE market.tick SET key = '0123456789abcdef' WHERE sequence = 3`],
];
const TABLES = ['ledger.transfer', 'options.orders', 'options.terms_tree', 'customers.customer', 'market.tick'];

describe('L5 a bet that was made after the event', () => {
  let room: OptionsTest;
  let owner: pg.Client;
  let keys: PublicKey[];
  const found = async (): Promise<string[]> =>
    (await findViolations(room.test.checker, 'platform', keys)).map(({ invariant }) => invariant);
  beforeAll(async () => {
    room = await openOptionsTest();
    keys = room.keys.map(({ use, public_key }) => ({ use: use as PublicKey['use'], publicKeyHex: public_key }));
    owner = new pg.Client(room.test.owner);
    await owner.connect();
    // Places an order half a minute ago by its own clock; its money moved by the database's clock.
    room.clock.ms = Date.now() - 40_000;
    await owner.query(
      `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
       VALUES ($1, 'alice', 'alice', 'alice@demo.example', now(), 'alice', 'USDT', 'en', 'ALICEXXX', now() - interval '1 minute')`,
      [CUSTOMER],
    );
    await room.fund(CUSTOMER, '100');
    const options = await room.open();
    await room.publish('BTC', (Math.ceil(room.clock.ms / 1_000) + 2) * 1_000, () => 64_000_000_000n);
    const bought = { customer: CUSTOMER, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 } as const;
    await options.buy(bought, room.intent());
    let price = 64_000_000_000n;
    await room.publish('BTC', room.clock.ms + 32_000, () => (price += 10_000n));
    expect(await options.settleDue()).toBe(1);
    room.clock.ms = Date.now();
    await room.publish('BTC', Math.ceil(room.clock.ms / 1_000) * 1_000, () => price);
    room.clock.ms = Date.now();
    await options.buy(bought, room.intent());
    await owner.query(`SET session_replication_role = replica;
      UPDATE ledger.transfer t SET at = timestamptz 'epoch' + accepted_ms * interval '1 millisecond' FROM options.orders o
        WHERE o.status = 'won' AND t.sequence IN (stake_hold, promised_hold);
      UPDATE market.guard SET virtual_clock = false; CREATE SCHEMA kept`);
    for (const table of TABLES) await owner.query(`CREATE TABLE kept.${table.replace('.', '_')} AS TABLE ${table}`);
  });
  afterAll(async () => {
    await owner.end();
    await room.close();
  });

  it('is distinguished from honest purchases', async () => {
    expect(await found()).toEqual([]);
  });

  it.each(RIGGINGS)('is reported: %s (%s)', async (_what, invariant, ...statements) => {
    for (const statement of statements) expect((await owner.query(statement)).rowCount).toBeGreaterThan(0);
    const violations = await found();
    for (const table of TABLES)
      await owner.query(`DELETE FROM ${table}; INSERT INTO ${table} TABLE kept.${table.replace('.', '_')}`);
    expect(violations).toContain(invariant);
    expect(await found()).toEqual([]);
  });

  const SALE = 'sell_band_bps|sell_closed|sell_spread_bps|sell_vol_bps';
  /** The stored texts without these members, under another type. */
  const olderTerms = (members: string, type: string): string =>
    `replace(regexp_replace(bodies, '"(${members})":"[^"]*",', '', 'g'), 'opt/5', '${type}')`;

  it.each([
    ['reads terms of opt/4', olderTerms(SALE, 'opt/4'), false],
    ['reads terms of opt/3', olderTerms(`${SALE}|latest`, 'opt/3'), false],
    ['reads terms of opt/2', olderTerms(`${SALE}|latest|hold`, 'opt/2'), false],
    ['reads terms of opt/1', olderTerms(`${SALE}|latest|hold|arrived|nonce`, 'opt/1'), false],
    ['reports terms of opt/5 without a hold', olderTerms('hold', 'opt/5'), true],
    [
      'reports terms of selling that the order has not',
      `replace(bodies, '"sell_vol_bps":""', '"sell_vol_bps":"5000"')`,
      true,
    ],
    ['reports the hold of another order', `regexp_replace(bodies, '"hold":"[0-9]+"', '"hold":"1999"', 'g')`, true],
  ])('%s (I7c)', async (_what, bodies, isReported) => {
    await owner.query(`UPDATE options.terms_tree SET bodies = ${bodies}`);
    const violations = await found();
    await owner.query('DELETE FROM options.terms_tree; INSERT INTO options.terms_tree TABLE kept.options_terms_tree');
    expect([violations.includes('I7c'), violations.includes('S2')]).toEqual([isReported, true]);
  });

  it('is reported if the terms are signed with a key that is published only in the database', async () => {
    const forger = ed25519Signer(Buffer.alloc(32, 9));
    const { rows } = await owner.query<{ id: string; bodies: string }>(
      `SELECT id, replace(bodies, '"dir":"up"', '"dir":"down"') AS bodies FROM options.terms_tree ORDER BY id`,
    );
    for (const { id, bodies } of rows) {
      const { body, hash, signature, key } = forger.sign(writeTreeHead(OPTION_TERMS_TYPE, bodies.split('\n')));
      await owner.query(
        'UPDATE options.terms_tree SET bodies = $2, head = $3, hash = $4, signature = $5, key = $6 WHERE id = $1',
        [id, bodies, body, hash, signature, key],
      );
    }
    await owner.query(`INSERT INTO proofs.key (id, use, public_key) VALUES ($1, 'receipt', decode($2, 'hex'))`, [
      forger.keyId,
      forger.publicKeyHex,
    ]);
    expect(await found()).toContain('S2');
    await owner.query('DELETE FROM options.terms_tree; INSERT INTO options.terms_tree TABLE kept.options_terms_tree');
  });

  it('is refused by the database if the application gives another time', async () => {
    const claim = (accepted: string): Promise<unknown> =>
      room.asApp(
        `INSERT INTO options.orders (id, customer_id, coin, direction, stake, payout_bps, fee_bps, promised, accepted_ms, duration_ms, ends_ms, origin,
           stake_hold, promised_hold, terms_tree, terms_index)
         SELECT $1, 1, 'ETH', 'up', 10000, 7500, 200, 7500, ms, 30000, ms + 30000, 'sim', 1, 2, $1, 0
         FROM (SELECT (extract(epoch FROM ${accepted}) * 1000)::bigint AS ms) moment`,
        [randomUUID()],
      );
    await expect(claim(`clock_timestamp() - interval '6 minutes'`)).rejects.toThrow('from the database');
    await expect(claim(`clock_timestamp() + interval '10 seconds'`)).rejects.toThrow('from the database');
  });
});
