import { randomUUID } from 'node:crypto';
import {
  addDeviceKey,
  addPayee,
  buyOption,
  type Call,
  listDeviceKeys,
  listOptions,
  listOrdered,
  listOrderMarks,
  listUnreadMessages,
  type OrderedThing,
  placeContract,
  readQuote,
  removeDeviceKey,
  requestWithdrawal,
  type SignedOrder,
  subscribeEarning,
} from '@sathorn/api';
import { readOrdered, verifyOrdered } from '@sathorn/proof';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { createTestDevice } from '../people/customers/device-keys/testing-device.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

const BET = { code: 'BTC', direction: 'up', quantity: '10', duration: '300' };
const CARD = {
  type: 'card',
  real_name: 'Nicha Phromsiri',
  ifsc: '0123',
  bank: 'SCB',
  number: '0123456789',
  phone: '0812345678',
  email: 'bank@demo.example',
  paypass: DEMO_CUSTOMER.paypass,
};
const STRANGER = { username: 'anan', password: 'Rama8Bridge' };
const routeOf = ({ method, path }: Call): string => `${method} ${path}`;

describe('what a customer’s device signs', () => {
  let platform: TestPlatform;
  let sql: pg.Client;
  const phone = createTestDevice();
  const theirs = createTestDevice();
  let [token, stranger, payee] = ['', '', ''];

  type Answered = Record<string, unknown> & { readonly refusal: string | null | undefined };
  const ask = async (call: Call, fields: TestForm = {}, headers: TestForm = {}): Promise<Answered> => {
    const { answer } = await platform.send(call, fields, { token, ...headers });
    const data: Record<string, unknown> = answer.data;
    return { ...data, refusal: answer.ret === 1 ? null : answer.data.code };
  };
  const get = async (call: Call, fields: TestForm = {}) => {
    const { refusal, ...data } = await ask(call, fields);
    if (refusal !== null) throw new Error(`${call.path}: ${refusal}`);
    return data;
  };
  /** Sends a call as the app does: with a key of its own and a signature over what is sent. */
  const order = (
    call: Call,
    fields: TestForm,
    over: Parameters<typeof phone.order>[1] = {},
    device = phone,
    intent: string = randomUUID(),
  ) =>
    ask(call, fields, {
      'idempotency-key': intent,
      ordered: device.order({ call: routeOf(call), intent, fields }, over),
    });
  const signedOf = async (id: unknown): Promise<SignedOrder | null> => {
    const { items } = (await get(listOrderMarks, { ids: String(id) })) as unknown as { items: OrderedThing[] };
    return items[0]?.signed ?? null;
  };
  const countOptions = async () => ((await get(listOptions, { status: 'holding' })).items as unknown[]).length;

  beforeAll(async () => {
    platform = await openTestPlatform({ SIM_SEED: 'ordered', ROLES: 'edge,index,matcher,settler' });
    sql = new pg.Client(platform.test.owner);
    await sql.connect();
    token = await platform.signIn(DEMO_CUSTOMER, 'a phone');
    stranger = await platform.signIn(STRANGER);
    await get(addDeviceKey, { public_key: phone.publicKey });
    await ask(addDeviceKey, { public_key: theirs.publicKey }, { token: stranger });
  });
  afterAll(async () => {
    await sql?.end();
    await platform?.close();
  });

  it('is stored with the order, and anybody can verify it', async () => {
    const intent = randomUUID();
    const bought = await order(buyOption, BET, {}, phone, intent);
    expect(bought.refusal).toBeNull();
    const signed = await signedOf(bought.id);
    expect(signed).toMatchObject({ key: phone.id, public_key: phone.publicKey });
    expect(await verifyOrdered(signed as SignedOrder, phone.publicKey)).toBeNull();
    expect(readOrdered(signed?.body ?? '')).toMatchObject({ call: 'POST /coin/order/add', intent, fields: BET });
    // A retry with another signature is the same order, and the first signature stays.
    const again = await order(buyOption, BET, { atMs: 1 }, phone, intent);
    expect(again.id).toBe(bought.id);
    expect(await signedOf(bought.id)).toEqual(signed);
  });

  it('covers trades, subscriptions, withdrawals and payees', async () => {
    const price = Math.floor(Number((await get(readQuote, { code: 'BTC' })).price) * 0.9);
    const limit = { code: 'BTC', side: 'buy', type: 'limit', price: String(price), quantity: '0.001' };
    const placed = await order(placeContract, limit);
    const locked = await order(subscribeEarning, { type: 'regular', product: '30', amount: '100' });
    const moved = await order(subscribeEarning, { type: 'liquidity', amount: '20' });
    const added = await order(addPayee, CARD, { isHidden: true });
    payee = (added as unknown as { card: { id: string } }).card.id;
    const out = { channel: 'bank', target: payee, amount: '20', paypass: DEMO_CUSTOMER.paypass };
    const asked = await order(requestWithdrawal, out);
    for (const id of [placed.id, locked.id, moved.id, payee, asked.id])
      expect(await signedOf(id), String(id)).toMatchObject({ key: phone.id });

    const { since, items } = (await get(listOrdered)) as unknown as { since: string; items: OrderedThing[] };
    expect(Date.parse(since)).toBeLessThan(Date.now());
    const kinds = new Set(items.filter(({ signed }) => signed).map(({ about }) => about));
    expect([...kinds].sort()).toEqual(['liquidity', 'lockup', 'option', 'order', 'payee', 'withdrawal']);
    // Neither a password nor an account number can be guessed from what is stored.
    const { rows } = await sql.query<{ body: string }>('SELECT body FROM customers.ordered');
    const stored = JSON.stringify(rows);
    for (const secret of [DEMO_CUSTOMER.paypass, 'paypass', CARD.number, CARD.phone])
      expect(stored).not.toContain(secret);
    const hidden = (await signedOf(payee))?.body ?? '';
    expect(readOrdered(hidden)?.fields).toMatch(/^[0-9a-f]{64}$/);
  });

  const call = routeOf(buyOption);
  const more = { ...BET, quantity: '1000' };
  it.each<[string, string, (intent: string) => string]>([
    ['a stranger’s key', 'device_key_unknown', (intent) => theirs.order({ call, intent, fields: BET })],
    [
      'a key that nobody registered',
      'device_key_unknown',
      (intent) => createTestDevice().order({ call, intent, fields: BET }),
    ],
    [
      'a stranger’s signature under the customer’s key',
      'order_signature_wrong',
      (intent) => theirs.order({ call, intent, fields: BET }, { key: phone.id }),
    ],
    [
      'the text of another intent',
      'order_signature_wrong',
      () => phone.order({ call, intent: randomUUID(), fields: BET }),
    ],
    ['the text of other fields', 'order_signature_wrong', (intent) => phone.order({ call, intent, fields: more })],
    [
      'the text of another call',
      'order_signature_wrong',
      (intent) => phone.order({ call: routeOf(placeContract), intent, fields: BET }),
    ],
    [
      'a commitment where the fields are shown',
      'order_signature_wrong',
      (intent) => phone.order({ call, intent, fields: BET }, { isHidden: true }),
    ],
    ['no signature', 'order_signature_wrong', () => 'e30.00'],
    ['nothing', 'order_signature_wrong', () => ''],
  ])('refuses an order with %s, and nothing is bought', async (_what, refusal, headerOf) => {
    const before = await countOptions();
    const intent = randomUUID();
    const answer = await ask(buyOption, BET, { 'idempotency-key': intent, ordered: headerOf(intent) });
    expect(answer.refusal).toBe(refusal);
    expect(await countOptions()).toBe(before);
  });

  it('refuses a signature without an idempotency key, which it would not name', async () => {
    const header = phone.order({ call, intent: 'aaaaaaaa', fields: BET });
    expect((await ask(buyOption, BET, { ordered: header })).refusal).toBe('order_signature_wrong');
  });

  it('a stolen session without the key orders only what is marked as unsigned', async () => {
    const thief = await platform.signIn(DEMO_CUSTOMER, 'a thief');
    const own = createTestDevice();
    const add = (fields: TestForm) => ask(addDeviceKey, { public_key: own.publicKey, ...fields }, { token: thief });
    expect((await add({})).refusal).toBe('device_key_not_first');
    expect((await add({ paypass: '000000' })).refusal).toBe('paypass_wrong');

    const { unsigned } = (await get(listOrdered)) as unknown as { unsigned: number };
    const bought = await ask(buyOption, BET, { token: thief, 'idempotency-key': randomUUID() });
    expect(bought.refusal).toBeNull();
    expect(await signedOf(bought.id)).toBeNull();
    expect(await get(listOrdered)).toMatchObject({ unsigned: unsigned + 1 });
  });

  it('a second device signs after the payment password, is told in a notice, and can be removed', async () => {
    const laptop = createTestDevice();
    const other = await platform.signIn(DEMO_CUSTOMER, 'a laptop');
    const added = await ask(
      addDeviceKey,
      { public_key: laptop.publicKey, paypass: DEMO_CUSTOMER.paypass },
      { token: other },
    );
    expect(added).toMatchObject({ refusal: null, id: laptop.id });
    // A lost answer is asked for again.
    expect((await ask(addDeviceKey, { public_key: laptop.publicKey }, { token: other })).refusal).toBeNull();
    const listed = await get(listDeviceKeys);
    expect(listed).toMatchObject({
      items: [
        { id: phone.id, device: 'a phone' },
        { id: laptop.id, device: 'a laptop' },
      ],
    });
    expect(JSON.stringify(await get(listUnreadMessages))).toContain('a laptop');

    const bought = await order(buyOption, BET, {}, laptop);
    expect(await signedOf(bought.id)).toMatchObject({ key: laptop.id });
    expect((await ask(removeDeviceKey, { id: laptop.id }, { token: stranger })).refusal).toBe('device_key_unknown');
    await get(removeDeviceKey, { id: laptop.id });
    expect((await order(buyOption, BET, {}, laptop)).refusal).toBe('device_key_unknown');
    // What it signed before stays signed, and the key can't come back.
    expect(await signedOf(bought.id)).toMatchObject({ key: laptop.id });
    const back = { public_key: laptop.publicKey, paypass: DEMO_CUSTOMER.paypass };
    expect((await ask(addDeviceKey, back, { token: other })).refusal).toBe('device_key_unfit');
  });

  it('a signature of a refused order does not stand for another order under the same key', async () => {
    const intent = randomUUID();
    const out = { channel: 'bank', target: payee, amount: '25', paypass: '000000' };
    expect((await order(requestWithdrawal, out, {}, phone, intent)).refusal).toBe('paypass_wrong');
    const other = { ...out, amount: '30', paypass: DEMO_CUSTOMER.paypass };
    const asked = await ask(requestWithdrawal, other, { 'idempotency-key': intent });
    expect(asked.refusal).toBeNull();
    expect(await signedOf(asked.id)).toBeNull();
    // The digits are no part of an order, so the right ones after wrong ones need no other key.
    const again = randomUUID();
    await order(requestWithdrawal, out, {}, phone, again);
    const right = await order(requestWithdrawal, { ...out, paypass: DEMO_CUSTOMER.paypass }, {}, phone, again);
    expect(await signedOf(right.id)).toMatchObject({ key: phone.id });
  });

  it('registers no bytes that are no key', async () => {
    const added = await ask(addDeviceKey, { public_key: `04${'ab'.repeat(64)}`, paypass: DEMO_CUSTOMER.paypass });
    expect(added.refusal).toBe('device_key_unfit');
  });

  it('shows a stranger nobody’s signatures', async () => {
    const { id } = await order(buyOption, BET);
    const { items } = (await ask(listOrderMarks, { ids: String(id) }, { token: stranger })) as unknown as {
      items: OrderedThing[];
    };
    expect(items).toEqual([]);
  });

  describe('in the database', () => {
    const app = async (text: string, values: unknown[] = []) => {
      const client = new pg.Client(platform.test.app);
      await client.connect();
      try {
        return await client.query(text, values);
      } finally {
        await client.end();
      }
    };
    const INSERT = `INSERT INTO customers.device_key (id, customer, public_key, session, device, mac, created_at)
      SELECT $1, s.customer, decode($2, 'hex'), s.id, 'x', decode(repeat('00', 32), 'hex'), now() FROM customers.session s
      JOIN customers.device_key k ON k.session = s.id WHERE k.id = $3`;

    it('a session has one active key, which belongs to its customer', async () => {
      const second = createTestDevice();
      await expect(app(INSERT, [second.id, second.publicKey, phone.id])).rejects.toThrow('device_key_of_session');
      await expect(
        app(
          `INSERT INTO customers.device_key (id, customer, public_key, session, device, mac, created_at)
           SELECT $1, k.customer, decode($2, 'hex'), gen_random_uuid(), 'x', k.mac, now() FROM customers.device_key k WHERE k.id = $3`,
          [second.id, second.publicKey, phone.id],
        ),
      ).rejects.toThrow('begins in an open session');
    });

    it('a key that was written by hand, without its digest, signs nothing and is not shown', async () => {
      const tablet = await platform.signIn(DEMO_CUSTOMER, 'a tablet');
      const forged = createTestDevice();
      await app(
        `INSERT INTO customers.device_key (id, customer, public_key, session, device, mac, created_at)
         SELECT $1, s.customer, decode($2, 'hex'), s.id, 'x', decode(repeat('00', 32), 'hex'), now()
         FROM customers.session s WHERE s.device = 'a tablet' AND s.ended_at IS NULL`,
        [forged.id, forged.publicKey],
      );
      expect(JSON.stringify(await get(listDeviceKeys))).not.toContain(forged.id);
      const intent = randomUUID();
      const ordered = forged.order({ call, intent, fields: BET });
      const headers = { token: tablet, 'idempotency-key': intent, ordered };
      expect((await ask(buyOption, BET, headers)).refusal).toBe('device_key_unknown');
    });

    it.each([
      ['UPDATE customers.device_key SET revoked_at = NULL WHERE revoked_at IS NOT NULL', 'only revoked'],
      ['UPDATE customers.device_key SET customer = customer', 'permission denied'],
      ['DELETE FROM customers.device_key', 'permission denied'],
      ['UPDATE customers.ordered SET body = body', 'permission denied'],
      ['DELETE FROM customers.ordered', 'permission denied'],
      [
        `INSERT INTO customers.ordered (intent, digest, customer, key, body, signature, at)
         SELECT gen_random_uuid(), digest, 1234567890, key, body, signature, now() FROM customers.ordered LIMIT 1`,
        'does not sign for customer',
      ],
    ])('the application’s login can’t: %s', async (text, refused) => {
      await expect(app(text)).rejects.toThrow(refused);
    });

    it('the owner can’t change or delete what was signed, but past the triggers', async () => {
      await expect(sql.query(`UPDATE customers.ordered SET body = '{}'`)).rejects.toThrow('kept for ever');
      await expect(sql.query('DELETE FROM customers.device_key')).rejects.toThrow('kept for ever');
      await expect(sql.query(`UPDATE customers.device_key SET device = 'x'`)).rejects.toThrow('only revoked');
    });

    const SIGNED = '(SELECT intent FROM customers.ordered)';
    /** What was done, what finds it, the change, and how it is undone if not by itself. */
    const planted: readonly (readonly [string, string, string, string?])[] = [
      [
        'another text',
        'DK1',
        `UPDATE customers.ordered SET body = replace(body, '"direction":"up"', '"direction":"down"')`,
        `UPDATE customers.ordered SET body = replace(body, '"direction":"down"', '"direction":"up"')`,
      ],
      [
        'another signature',
        'DK1',
        'UPDATE customers.ordered SET signature = set_byte(signature, 5, 255 - get_byte(signature, 5))',
      ],
      [
        'the signature of another order',
        'DK1',
        `UPDATE customers.ordered SET intent = translate(intent::text, '0123456789abcdef', '1032547698badcfe')::uuid`,
      ],
      [
        'another customer’s signature',
        'DK2',
        'UPDATE customers.ordered SET customer = customer + 1',
        'UPDATE customers.ordered SET customer = customer - 1',
      ],
      [
        'a key that was revoked before',
        'DK2',
        `UPDATE customers.device_key SET revoked_at = created_at - interval '1 minute' WHERE revoked_at IS NULL`,
        'UPDATE customers.device_key SET revoked_at = NULL WHERE revoked_at < created_at',
      ],
      [
        'a bet the other way',
        'DK3',
        `UPDATE options.orders SET direction = 'down' WHERE id IN ${SIGNED}`,
        `UPDATE options.orders SET direction = 'up' WHERE id IN ${SIGNED}`,
      ],
      [
        'a sale in place of a purchase',
        'DK3',
        `UPDATE contracts.orders SET side = 'sell' WHERE journal IN ${SIGNED}`,
        `UPDATE contracts.orders SET side = 'buy' WHERE journal IN ${SIGNED}`,
      ],
      [
        'a larger subscription',
        'DK3',
        `UPDATE earning.movement SET units = units + 1 WHERE id IN ${SIGNED}`,
        `UPDATE earning.movement SET units = units - 1 WHERE id IN ${SIGNED}`,
      ],
      [
        'a withdrawal to another payee',
        'DK3',
        `UPDATE withdrawals.withdrawal SET payee_id = reverse(payee_id) WHERE id IN ${SIGNED}`,
      ],
    ];
    it.each(planted)('the checker finds %s', async (_what, invariant, change = '', undo = change) => {
      const pastTriggers = (text: string) =>
        sql.query(`BEGIN; SET LOCAL session_replication_role = replica; ${text}; COMMIT`);
      await pastTriggers(change);
      const found = await findViolations(platform.test.checker);
      await pastTriggers(undo);
      expect(found.map((violation) => violation.invariant)).toContain(invariant);
    });
  });
});
