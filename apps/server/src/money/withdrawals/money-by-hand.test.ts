import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { declareHouseAddresses, openChainReader, transferCallData } from '../chain/index.ts';

const usdt = (whole: number): bigint => BigInt(Math.round(whole * 1e6));
const STRANGER = `0x${'5e'.repeat(20)}`;
const COLD = `0x${'c0'.repeat(20)}`;

describe('money that somebody moved with the house’s key, over HTTP', () => {
  let platform: TestPlatform;
  let [customer, target, hot, safe, token, url] = ['', '', '', '', '', ''];
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-by-hand-'));
  const staff: Record<string, string> = {};
  beforeAll(async () => {
    platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100', DATA_DIR: dataDir });
    customer = await platform.signIn(DEMO_CUSTOMER);
    for (const name of ['korn', 'fah', 'ploy', 'mai']) staff[name] = (await signInDemoOperator(platform, name)).token;
    const { wallets } = (await get('GET /users/bank', customer)) as unknown as { wallets: { id: string }[] };
    target = wallets[0]?.id ?? '';
    const { port } = JSON.parse(readFileSync(path.join(dataDir, 'chain', 'running.json'), 'utf8')) as { port: number };
    url = `http://127.0.0.1:${port}`;
    const houses = await rows<{ address: string; role: string }>('SELECT address, role FROM chain.house_address');
    hot = houses.find(({ role }) => role === 'wallet')?.address ?? '';
    token = houses.find(({ role }) => role === 'token')?.address ?? '';
    safe = (await rows<{ address: string }>('SELECT address FROM treasury.safe'))[0]?.address ?? '';
    await declareHouseAddresses(platform.test.owner, [{ chain: 'testnet', address: COLD, role: 'named' }]);
    // Makes a first payout, after which the signer knows which nonce is next.
    const first = await withdraw(15);
    await until(
      () => info(first),
      ({ step }) => step === 'done',
    );
  });
  afterAll(async () => {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const rows = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    platform.test.database.query<Row>({ name: '', text }, values);
  /** Sends the same call again, because a busy machine may answer that it is unavailable. */
  const ask = (route: string, by: string, fields: TestForm = {}, key: string = randomUUID()): Promise<Envelope> =>
    until(
      () => proposed(platform, route, fields, { token: by, 'idempotency-key': key }),
      ({ data }) => data?.code !== 'unavailable',
    );
  const get = async (route: string, by: string, fields: TestForm = {}): Promise<Envelope['data']> => {
    const answer = await ask(route, by, fields);
    if (answer.ret !== 1) throw new Error(`${route}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  const as = (name: string): string => staff[name] ?? '';
  const until = async <Seen>(read: () => Promise<Seen>, isDone: (seen: Seen) => boolean): Promise<Seen> => {
    for (let n = 0; n < 1_200; n += 1) {
      const seen = await read();
      if (isDone(seen)) return seen;
      await pause(100);
    }
    throw new Error(`it never happened: ${JSON.stringify(await read())}; ${platform.faults.map(String).join('; ')}`);
  };
  const code = ({ data }: Envelope): string | undefined => data?.code;

  const rpc = async <Result>(method: string, ...params: unknown[]): Promise<Result> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } };
    if (error) throw new Error(error.message);
    return result;
  };
  const byHand = async (from: string, to: string, data: string): Promise<string> => {
    await rpc('anvil_setBalance', from, '0xde0b6b3a7640000');
    await rpc('anvil_impersonateAccount', from);
    return rpc<string>('eth_sendTransaction', { from, to, data, gas: '0x30d40' });
  };
  const sendUsdt = (to: string, units: bigint, from = hot): Promise<string> =>
    byHand(from, token, transferCallData(to, units));
  /** Repeats until the transaction is deep enough; before that, its hash is as unknown as any other. */
  const name = (by: string, hash: string, more: TestForm = {}): Promise<Envelope> =>
    until(
      () => ask('POST /admin/withdrawals/foreign', as(by), { hash, ...more }),
      (answer) => code(answer) !== 'hash_unknown',
    );
  const waiting = async (hash: string): Promise<{ id: string; fingerprint: string; content: unknown }> => {
    const [row] = await rows<{ id: string; fingerprint: string; content: string }>(
      `SELECT id, encode(fingerprint, 'hex') AS fingerprint, content FROM operators.approval WHERE subject = $1 AND status = 'waiting'`,
      [hash],
    );
    if (!row) throw new Error('nothing waits');
    return { ...row, content: JSON.parse(row.content) };
  };
  const approve = async (by: string, { id, fingerprint }: { id: string; fingerprint: string }): Promise<Envelope> => {
    const step_up = await insertConfirmedStepUp(platform, as(by), { op: 'approval.approve', id, fingerprint });
    return ask('POST /admin/approvals/approve', as(by), { id, fingerprint, step_up });
  };
  const halted = async (): Promise<string | null> =>
    (await rows<{ halted: string | null }>('SELECT halted FROM ledger.head'))[0]?.halted ?? null;
  const booked = async (): Promise<Record<string, bigint>> =>
    Object.fromEntries(
      (
        await rows<{ code: number; units: string }>(
          `SELECT code, (debits_posted - credits_posted)::text AS units FROM ledger.account WHERE owner = 0 AND asset = 'USDT' AND code IN (110, 111, 200)`,
        )
      ).map((row) => [String(row.code), BigInt(row.units)]),
    );
  /** What hot wallet and treasury hold together. */
  const onChain = async (): Promise<bigint> =>
    (await openChainReader({ token }, url).balances([hot, safe])).reduce((sum, units) => sum + units, 0n);
  const isBooked = (hash: string) =>
    until(
      () =>
        rows<{ is: boolean }>('SELECT journal IS NOT NULL AS is FROM withdrawals.foreign_transfer WHERE hash = $1', [
          hash,
        ]),
      (found) => found.length > 0 && found.every((one) => one.is),
    );
  const withdraw = async (amount: number): Promise<string> => {
    const order = { channel: 'testnet', target, amount: String(amount), paypass: DEMO_CUSTOMER.paypass };
    // The edge may learn later than the ledger that money is resumed.
    const asked = await until(
      () => ask('POST /users/extract', customer, order),
      (answer) => code(answer) !== 'money_halted',
    );
    if (asked.ret !== 1) throw new Error(asked.msg);
    return String(asked.data.id);
  };
  interface Case {
    readonly step: string;
    readonly version: number;
    readonly waits: { readonly for: string } | null;
    readonly decision: { readonly approval: string; readonly fingerprint: string; readonly what: string } | null;
  }
  const info = async (id: string): Promise<Case> =>
    (await get('GET /admin/withdrawals/info', as('korn'), { id })) as unknown as Case;

  it('halts money until two people have accounted for it; then the books equal the chain, to the unit', async () => {
    expect(await onChain()).toBe((await booked())['110']);
    const before = await booked();
    const hash = await sendUsdt(STRANGER, 7_500_001n);
    await until(halted, (why) => why?.startsWith('CU3') === true && why.includes(hash));

    // Checks the permissions and refusals.
    expect((await ask('POST /admin/withdrawals/foreign', customer, { hash })).ret).not.toBe(1);
    expect((await ask('POST /admin/withdrawals/foreign', as('mai'), { hash })).ret).not.toBe(1);
    expect(code(await ask('POST /admin/withdrawals/foreign', as('korn'), { hash: `0x${'9'.repeat(64)}` }))).toBe(
      'hash_unknown',
    );
    const other = await byHand(STRANGER, STRANGER, '0x');
    expect(code(await name('korn', other))).toBe('hash_not_of_wallet');
    expect(code(await name('korn', hash, { withdrawal: randomUUID() }))).toBe('hash_not_of_withdrawal');
    expect(code(await name('korn', hash, { customer: '7' }))).toBe('hash_not_of_customer');

    expect(await ask('POST /admin/withdrawals/foreign', as('korn'), { hash })).toMatchObject({
      ret: 1,
      data: { hash },
    });
    expect(
      code(await ask('POST /admin/withdrawals/foreign', as('korn'), { hash: hash.toUpperCase().replace('X', 'x') })),
    ).toBe('already_waiting');
    const open = await waiting(hash);
    expect(open.content).toMatchObject({
      withdrawal: null,
      transfers: [{ to: STRANGER, units: '7500001', purpose: 'expense' }],
    });
    expect(code(await approve('korn', open))).toBe('maker_cannot_check');
    expect(await halted()).not.toBe(null);

    expect(await approve('ploy', open)).toMatchObject({ ret: 1 });
    expect(code(await approve('ploy', open))).toBe('already_voted');
    expect(code(await approve('fah', open))).toBe('already_decided');
    await until(halted, (why) => why === null);
    await isBooked(hash);
    const after = await booked();
    expect(after['110']).toBe((before['110'] ?? 0n) - 7_500_001n);
    expect(after['200']).toBe((before['200'] ?? 0n) + 7_500_001n);
    expect(await onChain()).toBe(after['110']);
    expect(code(await name('korn', hash))).toBe('hash_explained');
  });

  it('books what moved between the house’s own addresses as moved, and back', async () => {
    const before = await booked();
    const out = await sendUsdt(COLD, usdt(40));
    await name('fah', out);
    expect((await waiting(out)).content).toMatchObject({ transfers: [{ purpose: 'house' }] });
    expect(await approve('korn', await waiting(out))).toMatchObject({ ret: 1 });
    await isBooked(out);
    expect(await booked()).toEqual({
      ...before,
      110: (before['110'] ?? 0n) - usdt(40),
      111: (before['111'] ?? 0n) + usdt(40),
    });
    await sendUsdt(hot, usdt(40), COLD);
    await until(booked, (now) => now['110'] === before['110']);
    expect(await booked()).toEqual({ ...before, 111: 0n });
    await until(halted, (why) => why === null);
  });

  it('completes the withdrawal that it paid, once, and two people return another one', async () => {
    const before = await booked();
    // It moves no token, so money is not halted, but the signer's next nonce is used.
    const first = await byHand(hot, STRANGER, '0x');
    const [paid, given] = [await withdraw(21), await withdraw(22)];
    for (const id of [paid, given])
      await until(
        () => info(id),
        ({ waits }) => waits?.for === 'foreign_transaction',
      );
    expect(code(await name('korn', first, { withdrawal: paid }))).toBe('hash_not_of_withdrawal');

    // Returning a payout: the permissions, the wrong state, and one vote per person.
    const back = async (by: string, id: string, more: TestForm = {}, key: string = randomUUID()): Promise<Envelope> =>
      ask(
        'POST /admin/withdrawals/give_back',
        as(by),
        { id, version: String((await info(given)).version), ...more },
        key,
      );
    expect((await back('mai', given)).ret).not.toBe(1);
    expect(code(await back('korn', randomUUID()))).toBe('withdrawal_unknown');
    expect(code(await back('korn', given, { version: '999' }))).toBe('version_stale');
    const fields = { id: given, version: String((await info(given)).version) };
    expect(await ask('POST /admin/withdrawals/give_back', as('korn'), fields)).toMatchObject({
      ret: 1,
      data: { decision: { what: 'payout_return' } },
    });
    expect(code(await back('fah', given))).toBe('withdrawal_decided');
    const decide = async (by: string): Promise<Envelope> => {
      const { version, decision } = await info(given);
      const { approval = '', fingerprint = '' } = decision ?? {};
      const step_up = await insertConfirmedStepUp(platform, as(by), {
        op: 'approval.approve',
        id: approval,
        fingerprint,
      });
      const vote = { id: given, version: String(version), fingerprint, step_up };
      return ask('POST /admin/withdrawals/approve', as(by), vote);
    };
    expect(code(await decide('korn'))).toBe('maker_cannot_check');
    await runAsOwner(
      platform.test.owner,
      `UPDATE operators.operator SET customer = (SELECT customer_id FROM withdrawals.withdrawal WHERE id = '${given}') WHERE work_name = 'fah'`,
    );
    expect(code(await decide('fah'))).toBe('conflict_of_interest');
    expect(await decide('ploy')).toMatchObject({ ret: 1, data: { step: 'returned' } });
    expect(code(await back('korn', given))).toBe('withdrawal_decided');

    // The second transaction paid the withdrawal. The two can be accounted for in either order; both must be.
    const [{ address, net } = { address: '', net: '0' }] = await rows<{ address: string; net: string }>(
      'SELECT address, (amount - fee)::text AS net FROM withdrawals.withdrawal WHERE id = $1',
      [paid],
    );
    const second = await sendUsdt(address, BigInt(net));
    expect(await name('korn', second)).toMatchObject({ ret: 1 });
    expect(code(await approve('fah', await waiting(second)))).toBe('conflict_of_interest');
    expect(await approve('ploy', await waiting(second))).toMatchObject({ ret: 1 });
    await until(
      () => info(paid),
      ({ step }) => step === 'done',
    );
    expect(await name('korn', first)).toMatchObject({ ret: 1 });
    expect(await approve('ploy', await waiting(first))).toMatchObject({ ret: 1 });
    await until(halted, (why) => why === null);
    const sent = await rows('SELECT hash FROM withdrawals.withdrawal WHERE id = $1', [paid]);
    expect([...sent]).toEqual([{ hash: second }]);
    expect((await rows('SELECT 1 AS x FROM withdrawals.payout WHERE withdrawal_id = $1', [paid])).length).toBe(0);
    expect((await booked())['110']).toBe((before['110'] ?? 0n) - BigInt(net));
    expect(await onChain()).toBe((await booked())['110']);
  });

  it('includes what a contract took from the wallet with its allowance, although another address sent it', async () => {
    const before = await booked();
    const word = (of: string): string => of.replace('0x', '').padStart(64, '0');
    const allowance = await byHand(hot, token, `0x095ea7b3${word(STRANGER)}${word(usdt(3).toString(16))}`);
    expect(await name('korn', allowance)).toMatchObject({ ret: 1 });
    expect(await approve('ploy', await waiting(allowance))).toMatchObject({ ret: 1 });
    const taken = await byHand(STRANGER, token, `0x23b872dd${word(hot)}${word(STRANGER)}${word(usdt(3).toString(16))}`);
    expect(await name('korn', taken)).toMatchObject({ ret: 1, data: { nonce: null } });
    expect(await approve('ploy', await waiting(taken))).toMatchObject({ ret: 1 });
    await isBooked(taken);
    await until(halted, (why) => why === null);
    expect((await booked())['110']).toBe((before['110'] ?? 0n) - usdt(3));
    expect(await onChain()).toBe((await booked())['110']);
  });
});
