import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { hexQuantityOf, openRpc, type Rpc, transferCallData } from '../money/chain/index.ts';
import { codeOfStep, codeStepAt } from '../platform/authenticator.ts';
import { runAsOwner } from '../platform/database/testing.ts';
import { decodeBase32 } from '../platform/testing-authenticator.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from './testing-operators.ts';
import {
  type Envelope,
  openTestPlatform,
  type TestForm,
  type TestPlatform,
  unseenByChecker,
} from './testing-platform.ts';

const FAUCET = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const NEW_WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
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
  let newWallet = '';
  let back = '';
  const staff: Record<string, string> = {};
  beforeAll(async () => {
    platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100', SWEEP_EVERY: '1' });
    const running = readFileSync(path.join(platform.dataDir, 'chain', 'running.json'), 'utf8');
    rpc = openRpc(`http://127.0.0.1:${(JSON.parse(running) as { port: number }).port}`);
    customer = await platform.signIn(DEMO_CUSTOMER);
    for (const name of ['korn', 'fah', 'ploy', 'tan', 'mai'])
      staff[name] = (await signInDemoOperator(platform, name)).token;
    const channels = (await get('GET /pay/lists', customer)) as unknown as { address: string }[];
    address = channels[0]?.address ?? '';
    const form = { type: 'wallet', name: 'Hardware', coin: 'USDT', chain: 'testnet', address: NEW_WALLET };
    const saved = (await get('GET /users/bank', customer)) as unknown as { wallets: { id: string; address: string }[] };
    wallet = saved.wallets[0]?.id ?? '';
    back = saved.wallets[0]?.address ?? '';
    const added = await get('POST /users/bank/add', customer, { ...form, paypass: DEMO_CUSTOMER.paypass });
    newWallet = String((added.wallet as { id: string }).id);
  });
  afterAll(() => platform.close());

  const ask = (route: string, token: string, fields: TestForm = {}): Promise<Envelope> =>
    proposed(platform, route, fields, { token, 'idempotency-key': randomUUID() });
  const get = async (route: string, token: string, fields: TestForm = {}): Promise<Envelope['data']> => {
    const answer = await ask(route, token, fields);
    if (answer.ret !== 1) throw new Error(`${route}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  const until = async <Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> => {
    for (let n = 0; n < 1_200; n += 1) {
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
  const agree = async (
    id: string,
    name: string,
    decision: 'approve' | 'reject' = 'approve',
    seen: Shown['plan'] | null = null,
  ): Promise<Envelope> => {
    const { approval = '', fingerprint = '' } = seen ?? (await info(id, name)).plan ?? {};
    const step_up = await insertConfirmedStepUp(platform, staff[name] ?? '', {
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
  const name = (id: string, more: TestForm = {}): Promise<Envelope> =>
    ask('POST /pay/recover', customer, { id, target: wallet, paypass: DEMO_CUSTOMER.paypass, ...more });
  const nameAsOwner = (id: string, to: string): Promise<void> =>
    runAsOwner(
      platform.test.owner,
      `UPDATE deposits.deposit SET return_to = lower('${to}'), return_payee = 'Hardware', version = version + 1 WHERE id = '${id}'`,
    );
  /** Simulates a change of credentials just now. */
  const CHANGE = `INSERT INTO customers.factor_change SELECT id, now() FROM customers.customer WHERE username = '${DEMO_CUSTOMER.username}'`;
  const LONG_AGO = 'DELETE FROM customers.factor_change';

  it('a coin of the chain is seen, waits for its owner’s wallet and for two people, and is returned', async () => {
    const before = BigInt(await rpc.call<string>('eth_getBalance', [back, 'latest']));
    await rpc.call('eth_sendTransaction', [{ from: FAUCET, to: address, value: hexQuantityOf(2n * COIN) }]);
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
    const notYet = await name(id, { target: newWallet, paypass: '111111' });
    expect(notYet).toMatchObject({ ret: 0, data: { code: 'payee_not_usable_yet' } });
    expect(await name(id, { target: randomUUID() })).toMatchObject({ ret: 0, data: { code: 'payee_unknown' } });
    expect(await name(randomUUID())).toMatchObject({ ret: 0, data: { code: 'deposit_unknown' } });
    // As with a withdrawal: nothing leaves for 24 hours after a change of credentials, or to a new wallet.
    await runAsOwner(platform.test.owner, CHANGE);
    expect(await name(id)).toMatchObject({ ret: 0, data: { code: 'return_delayed' } });
    await runAsOwner(platform.test.owner, LONG_AGO);
    for (const [to, code] of [
      [NEW_WALLET, 'return_delayed'],
      [FAUCET, 'recovery_wallet_missing'],
    ] as const) {
      await nameAsOwner(id, to);
      expect(await plan(id, 'return')).toMatchObject({ ret: 0, data: { code } });
    }
    expect(await name(id)).toMatchObject({ ret: 1 });
    await runAsOwner(platform.test.owner, CHANGE);
    expect(await plan(id, 'return')).toMatchObject({ ret: 0, data: { code: 'return_delayed' } });
    await runAsOwner(platform.test.owner, LONG_AGO);
    expect(await plan(id, 'return')).toMatchObject({
      ret: 1,
      data: { plan: { plan: 'return', to: back.toLowerCase() } },
    });
    expect(await plan(id, 'return')).toMatchObject({ ret: 0, data: { code: 'already_waiting' } });
    await expect(nameAsOwner(id, `0x${'4'.repeat(40)}`)).rejects.toThrow('is decided');
    // The maker and the wrong role cannot decide; one rejection stops it.
    expect((await info(id, 'korn')).plan?.refusal).not.toBeNull();
    expect((await info(id, 'fah')).plan?.refusal).toBe('role_missing');
    expect(await agree(id, 'ploy', 'reject')).toMatchObject({ ret: 1 });
    expect(await info(id)).toMatchObject({ step: 'recovery', plan: null });
    // A plan that nobody decided lapses, and is proposed again.
    await plan(id, 'return');
    const lapsing = 'SELECT extract(epoch FROM expires_at - made_at) / 3600 AS hours FROM operators.approval';
    const [{ hours } = { hours: 0 }] = await platform.test.database.query<{ hours: number }>({
      name: '',
      text: `${lapsing} WHERE status = 'waiting' AND subject = '${id}'`,
    });
    expect(Math.round(Number(hours))).toBe(72);
    await runAsOwner(
      platform.test.owner,
      `SET session_replication_role = replica; UPDATE operators.approval SET expires_at = made_at WHERE status = 'waiting' AND subject = '${id}'`,
    );
    expect((await agree(id, 'ploy')).ret).toBe(0);
    expect(await plan(id, 'return')).toMatchObject({ ret: 1 });
    await runAsOwner(platform.test.owner, CHANGE);
    expect(await agree(id, 'ploy')).toMatchObject({ ret: 0, data: { code: 'subject_changed' } });
    await runAsOwner(platform.test.owner, LONG_AGO);
    // The credentials may change after the decision, too: the signer waits for this lock, and then checks again.
    const owner = new pg.Client(platform.test.owner);
    await owner.connect();
    await owner.query('BEGIN; LOCK TABLE withdrawals.sending IN EXCLUSIVE MODE');
    expect(await agree(id, 'ploy')).toMatchObject({ ret: 1 });
    await runAsOwner(platform.test.owner, CHANGE);
    await owner.query('COMMIT');
    const isReturnable = { name: '', text: `SELECT FROM withdrawals.returnable WHERE deposit = '${id}'` };
    await pause(1_500);
    expect(await platform.test.database.query(isReturnable)).toEqual([]);
    expect(await info(id)).toMatchObject({ step: 'recovering', recovery: { hash: null } });
    // After a takeover the owner removes the wallet: the return is cancelled and needs another plan.
    const removed = async (at: string) => {
      // Restores the wallet by hand, because a removed payee stays removed.
      await owner.query('SET session_replication_role = replica');
      await owner.query(`UPDATE payees.payee SET removed_at = ${at} WHERE id = $1`, [wallet]);
    };
    await removed('now()');
    await until(
      () => info(id),
      ({ step }) => step === 'recovery',
    );
    await runAsOwner(platform.test.owner, LONG_AGO);
    expect(await plan(id, 'return')).toMatchObject({ ret: 0, data: { code: 'recovery_wallet_missing' } });
    await removed('NULL');
    await owner.end();
    await plan(id, 'return');
    expect(await agree(id, 'ploy')).toMatchObject({ ret: 1 });
    const done = await until(
      () => info(id),
      ({ step }) => step === 'returned',
    );
    expect(done.recovery?.hash).toMatch(/^0x/);
    const got = BigInt(await rpc.call<string>('eth_getBalance', [back, 'latest'])) - before;
    expect(got).toBeGreaterThan((2n * COIN * 99n) / 100n);
    expect(got).toBeLessThan(2n * COIN);
  });

  it('another token is returned in full, with gas from the house', async () => {
    const bytecode = (
      JSON.parse(readFileSync(new URL('../money/chain/contracts/test-usdt.json', import.meta.url), 'utf8')) as {
        bytecode: string;
      }
    ).bytecode;
    const made = await rpc.call<string>('eth_sendTransaction', [
      { from: FAUCET, data: bytecode, gas: hexQuantityOf(3_000_000) },
    ]);
    const receipt = await until(
      () => rpc.call<{ contractAddress: string } | null>('eth_getTransactionReceipt', [made]),
      (one) => one !== null,
    );
    const token = receipt?.contractAddress ?? '';
    const mint = `0x40c10f19${transferCallData(FAUCET, 10n ** 9n).slice(10)}`;
    await rpc.call('eth_sendTransaction', [{ from: FAUCET, to: token, data: mint }]);
    await pause(400);
    const hash = await rpc.call<string>('eth_sendTransaction', [
      { from: FAUCET, to: token, data: transferCallData(address, 777n) },
    ]);
    // The server does not look up another token until its owner submits the hash.
    await until(
      () => ask('POST /pay/submit', customer, { channel: 'testnet', hash }),
      ({ data }) => (data as { code?: string }).code === 'hash_other_token',
    );
    const { id } = await kept('other_token');
    expect(await name(id)).toMatchObject({ ret: 1 });
    await plan(id, 'return');
    expect(await agree(id, 'tan')).toMatchObject({ ret: 1 });
    await until(
      () => info(id),
      ({ step }) => step === 'returned',
    );
    const held = await rpc.call<string>('eth_call', [
      { to: token, data: `0x70a08231${back.slice(2).toLowerCase().padStart(64, '0')}` },
      'latest',
    ]);
    expect(BigInt(held)).toBe(777n);
  });

  it('an amount below the minimum is credited by two people, less the published fee', async () => {
    await rpc.call('eth_sendTransaction', [
      { from: FAUCET, to: '0x5fbdb2315678afecb367f032d93f642f64180aa3', data: transferCallData(address, 700_000n) },
    ]);
    const { id } = await kept('below_minimum');
    expect(await name(id)).toMatchObject({ ret: 0 });
    await plan(id, 'credit');
    // Exactly what was approved is credited: neither another amount nor another fee.
    const { plan: seen } = await info(id);
    const owner = new pg.Client(platform.test.owner);
    await owner.connect();
    await owner.query(
      `SET session_replication_role = replica; UPDATE deposits.deposit SET amount = amount + 1 WHERE id = '${id}'`,
    );
    expect(await info(id)).toMatchObject({ plan: null });
    expect(await agree(id, 'ploy', 'approve', seen)).toMatchObject({ ret: 0, data: { code: 'subject_changed' } });
    // Finance plans again for the current state, without waiting until the first plan lapses.
    expect(await plan(id, 'credit')).toMatchObject({ ret: 1, data: { plan: { plan: 'credit' } } });
    await owner.query(`UPDATE deposits.deposit SET amount = amount - 1 WHERE id = '${id}'`);
    expect(await plan(id, 'credit')).toMatchObject({ ret: 1 });
    // Delays the credit by rule, which would come within a second.
    await owner.query('RESET session_replication_role; BEGIN; LOCK TABLE ledger.transfer IN EXCLUSIVE MODE');
    expect(await agree(id, 'ploy')).toMatchObject({ ret: 1 });
    for (const fee of [0, 199_999, 200_001]) {
      await owner.query('SAVEPOINT other_fee');
      const credited = owner.query('SELECT deposits.credit_recovered($1, $2, gen_random_uuid(), now())', [id, fee]);
      await expect(credited).rejects.toThrow('nobody decided');
      await owner.query('ROLLBACK TO other_fee');
    }
    await owner.query('COMMIT');
    await owner.end();
    expect(
      await until(
        () => info(id),
        ({ step }) => step === 'credited',
      ),
    ).toMatchObject({ amount: '0.700000', recovery: { fee: '0.200000' } });
  });

  it('a wallet is named only with the second factor, proved for exactly this transfer and this wallet', async () => {
    await rpc.call('eth_sendTransaction', [{ from: FAUCET, to: address, value: hexQuantityOf(COIN) }]);
    const { id } = await kept('native_coin');
    const asReplica = (text: string) =>
      runAsOwner(platform.test.owner, `SET session_replication_role = replica; ${text}; ${LONG_AGO}`);
    const { key } = await get('POST /users/second/start', customer, { paypass: DEMO_CUSTOMER.paypass });
    // A code works once, and this avoids waiting for the next one.
    const code = async (): Promise<string> => {
      await asReplica('UPDATE customers.second_factor SET used_step = 0');
      return codeOfStep(decodeBase32(String(key)), codeStepAt(new Date()));
    };
    await get('POST /users/second/confirm', customer, { otp: await code() });
    await asReplica('SELECT 1');
    const proof = async (subject: string): Promise<string> => {
      const begun = await get('POST /users/second/step/start', customer, { operation: 'return', subject });
      const answer = { id: String(begun.id), otp: await code() };
      return String((await get('POST /users/second/step/finish', customer, answer)).proof);
    };
    expect(await name(id)).toMatchObject({ ret: 0, data: { code: 'second_factor_required' } });
    for (const subject of [`${id} ${newWallet}`, `${randomUUID()} ${wallet}`])
      expect(await name(id, { otp: await proof(subject) })).toMatchObject({
        ret: 0,
        data: { code: 'second_factor_wrong' },
      });
    expect(await name(id, { otp: await proof(`${id} ${wallet}`) })).toMatchObject({ ret: 1 });
    await asReplica('DELETE FROM customers.recovery_code; DELETE FROM customers.second_factor');
  });

  it('a withdrawal of a frozen customer is not approved, and a new request is refused', async () => {
    await runAsOwner(
      platform.test.owner,
      'INSERT INTO withdrawals.threshold (one_person_from, two_people_from) VALUES (100000000, 500000000)',
    );
    await get('POST /demo/fund', customer, { asset: 'USDT', amount: '2000' });
    const order = { channel: 'testnet', target: newWallet, amount: '150', paypass: DEMO_CUSTOMER.paypass };
    const id = await unseenByChecker(async () => {
      const asked = await get('POST /users/extract', customer, order);
      await runAsOwner(
        platform.test.owner,
        `UPDATE withdrawals.withdrawal SET delayed_until = now() - interval '1 minute' WHERE step = 'delayed';
         UPDATE payees.payee SET stored_at = stored_at - interval '25 hours'`,
      );
      return String(asked.id);
    });
    const read = async () =>
      (await get('GET /admin/withdrawals/info', staff.korn ?? '', { id })) as unknown as {
        step: string;
        version: number;
        decision: { approval: string; fingerprint: string } | null;
      };
    const seen = await until(read, ({ step, decision }) => step === 'first_check' && decision !== null);
    await runAsOwner(
      platform.test.owner,
      `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, until)
       SELECT gen_random_uuid(), customer_id, '{withdrawals}', 'takeover_suspected', 1, 'ploy', now() + interval '1 hour' FROM withdrawals.withdrawal WHERE id = '${id}'`,
    );
    const { approval = '', fingerprint = '' } = seen.decision ?? {};
    const step_up = await insertConfirmedStepUp(platform, staff.korn ?? '', {
      op: 'approval.approve',
      id: approval,
      fingerprint,
    });
    const decision = { id, version: String(seen.version), fingerprint, step_up };
    expect(await ask('POST /admin/withdrawals/approve', staff.korn ?? '', decision)).toMatchObject({
      ret: 0,
      data: { code: 'customer_frozen' },
    });
    expect(await ask('POST /users/extract', customer, order)).toMatchObject({
      ret: 0,
      data: { code: 'account_frozen' },
    });
  });

  describe('on a network that the platform does not read', () => {
    const TRON = 'A1'.repeat(32);
    const BACK_THERE = 'b2'.repeat(32);
    interface Proposed {
      readonly id: string;
      readonly version: number;
      readonly decision: { readonly approval: string; readonly fingerprint: string };
    }
    const opened = (by: string, more: TestForm = {}): Promise<Envelope> =>
      ask('POST /admin/deposits/open_case', staff[by] ?? '', {
        customer: customerId,
        network: 'tron',
        token: 'usdt',
        amount: '150.5',
        hash: TRON,
        words: 'You sent it over Tron. We are looking into it.',
        ...more,
      });
    const end = async (id: string, more: TestForm): Promise<Envelope> => {
      const { version } = await info(id, 'korn');
      return ask('POST /admin/deposits/recover', staff.korn ?? '', { id, version: String(version), ...more });
    };
    const own = async (id: string) => {
      const { items } = (await get('GET /users/account/lists', customer, { setup: 'recharge' })) as unknown as {
        items: { deposit: Record<string, unknown> }[];
      };
      return items.find(({ deposit }) => deposit?.id === id)?.deposit;
    };
    const correct = (by: string, deposit: string, amount?: string, more: TestForm = {}): Promise<Envelope> =>
      ask('POST /admin/corrections/make', staff[by] ?? '', {
        kind: 'refund',
        customer: customerId,
        deposit,
        reason: 'deposit_lost',
        words: 'It arrived on Tron, and we hold the key.',
        case_kind: 'deposit',
        case_id: deposit,
        ...(amount !== undefined && { amount }),
        ...more,
      });
    const approveCorrection = async (by: string, { id, version, decision: { approval, fingerprint } }: Proposed) => {
      const step_up = await insertConfirmedStepUp(platform, staff[by] ?? '', {
        op: 'approval.approve',
        id: approval,
        fingerprint,
      });
      const fields = { id: String(id), version: String(version), fingerprint, step_up };
      return ask('POST /admin/corrections/approve', staff[by] ?? '', fields);
    };
    let customerId = '';
    beforeAll(async () => {
      const { items } = (await get('GET /admin/customers/lists', staff.korn ?? '', {
        q: DEMO_CUSTOMER.username,
      })) as unknown as {
        items: { id: string }[];
      };
      customerId = items[0]?.id ?? '';
    });

    it('a case is a statement: opened once, by permitted roles, and it changes no balance', async () => {
      const before = await get('POST /coin/user/amount', customer, { code: 'BTC' });
      expect((await ask('POST /admin/deposits/open_case', customer)).ret).toBe(-1);
      const asked = await opened('mai');
      expect(asked).toMatchObject({
        ret: 1,
        data: {
          step: 'recovery',
          reason: 'other_network',
          amount: '150.500000',
          opened_by: { work_name: 'mai' },
          elsewhere: { network: 'tron', token: 'USDT', amount: '150.5', hash: TRON.toLowerCase(), ending: null },
        },
      });
      const id = String(asked.data.id);
      expect(await own(id)).toMatchObject({ status: 'failed', step: 'recovery', chain: null, recovery: null });
      expect(await get('POST /coin/user/amount', customer, { code: 'BTC' })).toEqual(before);
      for (const hash of [TRON, `0x${TRON.toLowerCase()}`])
        expect(await opened('korn', { hash })).toMatchObject({ ret: 0, data: { code: 'network_case_exists' } });
      const other = { hash: 'c3'.repeat(32) };
      expect(await opened('mai', { ...other, customer: '999' })).toMatchObject({ data: { code: 'customer_unknown' } });
      expect(await opened('mai', { ...other, amount: '0.0000001' })).toMatchObject({ ret: 0 });
      expect(await opened('mai', { ...other, amount: '0' })).toMatchObject({ ret: 0 });
      expect(await name(id)).toMatchObject({ ret: 0 });
      // It has only its own steps, and none of a transfer that was read from the chain.
      expect(await end(id, { plan: 'credit' })).toMatchObject({ data: { code: 'recovery_by_correction' } });
      expect(await end(id, { plan: 'return' })).toMatchObject({ data: { code: 'recovery_hash_missing' } });
    });

    it('is returned there, with the hash, as two people decided', async () => {
      const id = String((await opened('mai', { hash: 'd4'.repeat(32) })).data.id);
      expect(await end(id, { plan: 'return', hash: BACK_THERE })).toMatchObject({ ret: 1 });
      expect((await info(id, 'korn')).plan?.refusal).not.toBeNull();
      expect(await agree(id, 'ploy')).toMatchObject({ ret: 1 });
      expect(await own(id)).toMatchObject({
        status: 'failed',
        step: 'closed',
        elsewhere: { ending: 'returned', returned_in: BACK_THERE },
      });
      expect(await correct('korn', id)).toMatchObject({ ret: 0, data: { code: 'deposit_not_lost' } });
      expect(await end(id, { plan: 'unrecoverable' })).toMatchObject({ data: { code: 'deposit_not_in_recovery' } });
    });

    it('is not recoverable, as two people decided, for any token', async () => {
      const token = { network: 'ethereum', token: 'SHIB', amount: '12345678.25', hash: `0x${'E5'.repeat(32)}` };
      const id = String((await opened('mai', token)).data.id);
      expect(await correct('fah', id)).toMatchObject({ ret: 0 });
      expect(await end(id, { plan: 'unrecoverable' })).toMatchObject({ ret: 1 });
      expect(await agree(id, 'ploy')).toMatchObject({ ret: 1 });
      expect(await own(id)).toMatchObject({ step: 'closed', elsewhere: { ending: 'unrecoverable', token: 'SHIB' } });
    });

    it('one transaction on another network is paid once, whichever customer claims it', async () => {
      const hash = 'a7'.repeat(32);
      const { items } = (await get('GET /admin/customers/lists', staff.korn ?? '', { q: 'anan' })) as unknown as {
        items: { id: string }[];
      };
      const mine = String((await opened('mai', { hash })).data.id);
      const customerOf = { customer: items[0]?.id ?? '' };
      const theirs = String((await opened('mai', { hash, ...customerOf })).data.id);
      const proposed = await correct('korn', mine, '1');
      expect(proposed).toMatchObject({ ret: 1 });
      const second = () => correct('korn', theirs, '1', customerOf);
      expect(await second()).toMatchObject({ ret: 0, data: { code: 'already_corrected' } });
      expect(await approveCorrection('ploy', proposed.data as unknown as Proposed)).toMatchObject({ ret: 1 });
      expect(await second()).toMatchObject({ ret: 0, data: { code: 'already_corrected' } });
    });

    it('is credited by a correction of two who did not open it, at most the stated amount', async () => {
      const id = String((await opened('fah', { hash: 'f6'.repeat(32) })).data.id);
      expect(await correct('fah', id)).toMatchObject({ ret: 0, data: { code: 'conflict_of_interest' } });
      expect(await correct('korn', id, '150.500001')).toMatchObject({ ret: 0, data: { code: 'already_corrected' } });
      const proposed = await correct('korn', id);
      expect(proposed).toMatchObject({ ret: 1, data: { amount: '150.500000' } });
      // While a correction may still pay it, the case can't end in another way.
      expect(await end(id, { plan: 'unrecoverable' })).toMatchObject({ data: { code: 'case_in_correction' } });
      const found = proposed.data as unknown as Proposed;
      expect(await approveCorrection('fah', found)).toMatchObject({ ret: 0, data: { code: 'conflict_of_interest' } });
      const before = Number((await get('POST /coin/user/amount', customer, { code: 'BTC' })).usdt_available);
      expect(await approveCorrection('ploy', found)).toMatchObject({ ret: 1, data: { step: 'done' } });
      expect(await own(id)).toMatchObject({
        status: 'completed',
        step: 'closed',
        elsewhere: { ending: 'credited', corrected: '150.500000' },
      });
      expect(Number((await get('POST /coin/user/amount', customer, { code: 'BTC' })).usdt_available)).toBeCloseTo(
        before + 150.5,
        6,
      );
      expect(await correct('korn', id, '1')).toMatchObject({ ret: 0, data: { code: 'already_corrected' } });
      // The case no longer offers a correction to anybody.
      const wanted = {
        kind: 'refund',
        customer: customerId,
        deposit: id,
        reason: 'deposit_lost',
        case_kind: 'deposit',
      };
      expect(await ask('GET /admin/corrections/preview', staff.korn ?? '', { ...wanted, case_id: id })).toMatchObject({
        ret: 0,
        data: { code: 'already_corrected' },
      });
      await expect(
        runAsOwner(platform.test.owner, `UPDATE deposits.deposit SET corrected = 1 WHERE id = '${id}'`),
      ).rejects.toThrow('was not paid so');
      expect(await findViolations(platform.test.checker)).toEqual([]);
    });
  });
});
