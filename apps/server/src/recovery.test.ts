import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexOf, openRpc, type Rpc, transferCall } from './chain/index.ts';
import { asOwner } from './database/testing.ts';
import { DEMO_CUSTOMER } from './demo/index.ts';
import { confirmed, enterAs } from './testing-operators.ts';
import { type Envelope, type Form, openTestPlatform, type TestPlatform } from './testing-platform.ts';

const FAUCET = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const BACK = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const COIN = 10n ** 18n;

interface Shown {
  readonly id: string;
  readonly step: string;
  readonly reason: string | null;
  readonly version: number;
  readonly recovery: {
    readonly units: string;
    readonly to: { readonly name: string } | null;
    readonly hash: string | null;
  } | null;
  readonly plan: { readonly approval: string; readonly fingerprint: string; readonly refusal: string | null } | null;
}

describe('transfers that can’t be credited by rule, over HTTP', () => {
  let platform: TestPlatform;
  let rpc: Rpc;
  let customer = '';
  let address = '';
  let wallet = '';
  const staff: Record<string, string> = {};
  beforeAll(async () => {
    platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100', SWEEP_EVERY: '1' });
    const running = readFileSync(path.join(platform.dataDir, 'chain', 'running.json'), 'utf8');
    rpc = openRpc(`http://127.0.0.1:${(JSON.parse(running) as { port: number }).port}`);
    customer = await platform.signIn(DEMO_CUSTOMER);
    for (const name of ['korn', 'fah', 'ploy', 'tan']) staff[name] = (await enterAs(platform, name)).token;
    const channels = (await get('GET /pay/lists', customer)) as unknown as { address: string }[];
    address = channels[0]?.address ?? '';
    const form = { type: 'wallet', name: 'Hardware', coin: 'USDT', chain: 'testnet', address: BACK };
    const added = await get('POST /users/bank/add', customer, { ...form, paypass: DEMO_CUSTOMER.paypass });
    wallet = String((added.wallet as { id: string }).id);
  });
  afterAll(() => platform.close());

  const ask = async (route: string, token: string, fields: Form = {}): Promise<Envelope> =>
    (await platform.send(route, fields, { token, 'idempotency-key': randomUUID() })).answer;
  const get = async (route: string, token: string, fields: Form = {}): Promise<Envelope['data']> => {
    const answer = await ask(route, token, fields);
    if (answer.ret !== 1) throw new Error(`${route}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  const until = async <Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> => {
    for (let n = 0; n < 400; n += 1) {
      const value = await read();
      if (isDone(value)) return value;
      await pause(100);
    }
    throw new Error(`it never happened: ${JSON.stringify(await read())}; ${platform.faults.map(String).join('; ')}`);
  };
  const kept = (reason: string): Promise<Shown> =>
    until(
      async () => {
        const { items } = (await get('GET /admin/deposits/lists', staff.korn ?? '', {
          tab: 'wrong_network',
        })) as unknown as { items: Shown[] };
        return items.find((one) => one.reason === reason && one.step === 'recovery');
      },
      (one) => one !== undefined,
    ) as Promise<Shown>;
  const info = async (id: string, name = 'ploy'): Promise<Shown> =>
    (await get('GET /admin/deposits/info', staff[name] ?? '', { id })) as unknown as Shown;
  const plan = async (id: string, what: 'credit' | 'return'): Promise<Envelope> => {
    const { version } = await info(id, 'korn');
    return ask('POST /admin/deposits/recover', staff.korn ?? '', { id, version: String(version), plan: what });
  };
  const agree = async (id: string, name: string, decision: 'approve' | 'reject' = 'approve'): Promise<Envelope> => {
    const { approval = '', fingerprint = '' } = (await info(id, name)).plan ?? {};
    const step_up = await confirmed(platform, staff[name] ?? '', {
      op: `approval.${decision}`,
      id: approval,
      fingerprint,
    });
    return ask(`POST /admin/approvals/${decision}`, staff[name] ?? '', {
      id: approval,
      fingerprint,
      step_up,
      ...(decision === 'reject' && { reason: 'another wallet' }),
    });
  };
  const name = (id: string, more: Form = {}): Promise<Envelope> =>
    ask('POST /pay/recover', customer, { id, target: wallet, paypass: DEMO_CUSTOMER.paypass, ...more });
  /** Naming a new wallet takes 24 hours, which tests can't shorten, so this writes it into the row. */
  const nameAsOwner = (id: string, to = BACK): Promise<void> =>
    asOwner(
      platform.test.owner,
      `UPDATE deposits.deposit SET return_to = lower('${to}'), return_payee = 'Hardware', version = version + 1 WHERE id = '${id}'`,
    );

  it('a coin of the chain is seen, waits for its owner’s wallet and for two people, and goes back', async () => {
    const before = BigInt(await rpc.call<string>('eth_getBalance', [BACK, 'latest']));
    await rpc.call('eth_sendTransaction', [{ from: FAUCET, to: address, value: hexOf(2n * COIN) }]);
    const { id, recovery } = await kept('native_coin');
    expect(recovery).toMatchObject({ units: String(2n * COIN), token: null, to: null, plan: null });
    const { items } = (await get('GET /users/account/lists', customer, { setup: 'recharge' })) as unknown as {
      items: { deposit: Shown }[];
    };
    expect(items.find(({ deposit }) => deposit?.id === id)?.deposit).toMatchObject({
      step: 'recovery',
      amount: '0.000000',
    });

    expect(await plan(id, 'credit')).toMatchObject({ ret: 0, data: { code: 'recovery_not_ours' } });
    expect(await plan(id, 'return')).toMatchObject({ ret: 0, data: { code: 'recovery_wallet_missing' } });
    expect(await name(id, { paypass: '111111' })).toMatchObject({ ret: 0, data: { code: 'payee_not_usable_yet' } });
    expect(await name(id, { target: randomUUID() })).toMatchObject({ ret: 0, data: { code: 'payee_unknown' } });
    expect(await name(randomUUID())).toMatchObject({ ret: 0, data: { code: 'deposit_unknown' } });
    await nameAsOwner(id);
    expect(await plan(id, 'return')).toMatchObject({
      ret: 1,
      data: { plan: { plan: 'return', to: BACK.toLowerCase() } },
    });
    expect(await plan(id, 'return')).toMatchObject({ ret: 0, data: { code: 'already_waiting' } });
    await expect(nameAsOwner(id, `0x${'4'.repeat(40)}`)).rejects.toThrow('is decided');
    // The maker, and the wrong role, decide nothing; one who says no stops it.
    expect((await info(id, 'korn')).plan?.refusal).not.toBeNull();
    expect((await info(id, 'fah')).plan?.refusal).toBe('role_missing');
    expect(await agree(id, 'ploy', 'reject')).toMatchObject({ ret: 1 });
    expect(await info(id)).toMatchObject({ step: 'recovery', plan: null });
    await plan(id, 'return');
    expect(await agree(id, 'ploy')).toMatchObject({ ret: 1 });
    const done = await until(
      () => info(id),
      ({ step }) => step === 'returned',
    );
    expect(done.recovery?.hash).toMatch(/^0x/);
    const got = BigInt(await rpc.call<string>('eth_getBalance', [BACK, 'latest'])) - before;
    expect(got).toBeGreaterThan((2n * COIN * 99n) / 100n);
    expect(got).toBeLessThan(2n * COIN);
  }, 90_000);

  it('another token goes back whole, with gas from the house', async () => {
    const bytecode = (
      JSON.parse(readFileSync(new URL('./chain/contracts/test-usdt.json', import.meta.url), 'utf8')) as {
        bytecode: string;
      }
    ).bytecode;
    const made = await rpc.call<string>('eth_sendTransaction', [
      { from: FAUCET, data: bytecode, gas: hexOf(3_000_000) },
    ]);
    const receipt = await until(
      () => rpc.call<{ contractAddress: string } | null>('eth_getTransactionReceipt', [made]),
      (one) => one !== null,
    );
    const token = receipt?.contractAddress ?? '';
    const mint = `0x40c10f19${transferCall(FAUCET, 10n ** 9n).slice(10)}`;
    await rpc.call('eth_sendTransaction', [{ from: FAUCET, to: token, data: mint }]);
    await pause(400);
    await rpc.call('eth_sendTransaction', [{ from: FAUCET, to: token, data: transferCall(address, 777n) }]);
    const { id } = await kept('other_token');
    await nameAsOwner(id);
    await plan(id, 'return');
    expect(await agree(id, 'tan')).toMatchObject({ ret: 1 });
    await until(
      () => info(id),
      ({ step }) => step === 'returned',
    );
    const held = await rpc.call<string>('eth_call', [
      { to: token, data: `0x70a08231${BACK.slice(2).toLowerCase().padStart(64, '0')}` },
      'latest',
    ]);
    expect(BigInt(held)).toBe(777n);
  }, 90_000);

  it('what is below the minimum is credited by two people, less the published fee', async () => {
    await rpc.call('eth_sendTransaction', [
      { from: FAUCET, to: '0x5fbdb2315678afecb367f032d93f642f64180aa3', data: transferCall(address, 700_000n) },
    ]);
    const { id } = await kept('below_minimum');
    expect(await name(id)).toMatchObject({ ret: 0 });
    await plan(id, 'credit');
    expect(await agree(id, 'ploy')).toMatchObject({ ret: 1 });
    expect(
      await until(
        () => info(id),
        ({ step }) => step === 'credited',
      ),
    ).toMatchObject({ amount: '0.700000', recovery: { fee: '0.200000' } });
  }, 60_000);

  it('a withdrawal of a frozen customer is not approved, and an asked-for one is refused', async () => {
    await asOwner(
      platform.test.owner,
      'INSERT INTO withdrawals.threshold (one_person_from, two_people_from) VALUES (100000000, 500000000)',
    );
    await get('POST /demo/fund', customer, { asset: 'USDT', amount: '2000' });
    const order = { channel: 'testnet', target: wallet, amount: '150', paypass: DEMO_CUSTOMER.paypass };
    const id = String((await get('POST /users/extract', customer, order)).id);
    await asOwner(
      platform.test.owner,
      "UPDATE withdrawals.withdrawal SET delayed_until = now() - interval '1 minute' WHERE step = 'delayed'",
    );
    const read = async () =>
      (await get('GET /admin/withdrawals/info', staff.korn ?? '', { id })) as unknown as {
        step: string;
        version: number;
        decision: { approval: string; fingerprint: string } | null;
      };
    const seen = await until(read, ({ step, decision }) => step === 'first_check' && decision !== null);
    await asOwner(
      platform.test.owner,
      `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, until)
       SELECT gen_random_uuid(), customer_id, '{withdrawals}', 'takeover_suspected', 1, 'ploy', now() + interval '1 hour' FROM withdrawals.withdrawal WHERE id = '${id}'`,
    );
    const { approval = '', fingerprint = '' } = seen.decision ?? {};
    const step_up = await confirmed(platform, staff.korn ?? '', { op: 'approval.approve', id: approval, fingerprint });
    const decision = { id, version: String(seen.version), fingerprint, step_up };
    expect(await ask('POST /admin/withdrawals/approve', staff.korn ?? '', decision)).toMatchObject({
      ret: 0,
      data: { code: 'customer_frozen' },
    });
    expect(await ask('POST /users/extract', customer, order)).toMatchObject({
      ret: 0,
      data: { code: 'account_frozen' },
    });
  }, 60_000);
});
