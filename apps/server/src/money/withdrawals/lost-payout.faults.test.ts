import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAsOwner } from '../../platform/database/testing.ts';
import { openWithdrawalsTest, usdt, type WithdrawalsTest } from './testing-withdrawals.ts';

const CUSTOMER = 701n;

describe('a payout that is in no block', () => {
  let room: WithdrawalsTest;
  let count = 0;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.fund(CUSTOMER, 5_000);
    await room.chain.mine(5);
    await room.watch();
  });
  afterAll(() => room.close());

  const sent = async (): Promise<{ id: string; address: string; raw: string }> => {
    count += 1;
    const address = `0x${(count + 0xb000).toString(16).repeat(10)}`;
    const order = { channel: 'testnet', target: room.wallet(address), amount: 20, paypass: '830274' };
    const { id } = (await room.call('extract', CUSTOMER, order)).effect;
    await room.signer().round();
    const [{ raw = '', hash = '' } = {}] = await room.test.database.query<{ raw: string; hash: string }>(
      { name: '', text: 'SELECT raw, hash FROM withdrawals.outbox WHERE withdrawal_id = $1' },
      [id],
    );
    await room.chain.rpc('anvil_dropTransaction', hash);
    // Ten minutes pass without a block that contains it.
    await runAsOwner(room.test.owner, `UPDATE withdrawals.withdrawal SET step = 'sent_unknown' WHERE id = '${id}'`);
    return { id, address, raw };
  };
  /** Writes the decision of two people as the console would. */
  const callLost = (id: string): Promise<void> =>
    runAsOwner(
      room.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
       WITH a AS (INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at)
         VALUES (gen_random_uuid(), 'withdrawal_lost', '${id}', '{}', sha256('{}'), 1, '{finance,compliance}', 91, 'approved', now()) RETURNING id)
       INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) SELECT id, 92, '${randomUUID()}', 'approve', sha256('{}'), 'compliance' FROM a`,
    );
  const left = async (): Promise<bigint> => room.available(CUSTOMER);
  const rounds = async (n: number): Promise<void> => {
    for (let at = 0; at < n; at += 1) {
      await room.signer().round();
      await room.chain.mine();
      await room.watch();
    }
  };
  const custodyIssues = async (): Promise<unknown[]> =>
    ((await room.violations()) as { invariant: string }[]).filter(({ invariant }) => /^(CU|WW|DW)/.test(invariant));

  it('can’t be returned before two people call it lost, whoever writes the table', async () => {
    const { id, address } = await sent();
    await expect(
      room.test.database.query(
        {
          name: '',
          text: `UPDATE withdrawals.withdrawal SET step = 'returned', reason = 'chain_lost', finished_at = now(), journal = gen_random_uuid() WHERE id = $1`,
        },
        [id],
      ),
    ).rejects.toThrow('nobody has shown');
    await expect(
      room.test.database.query(
        {
          name: '',
          text: 'INSERT INTO withdrawals.lost (withdrawal_id, approval, height) VALUES ($1, gen_random_uuid(), 1)',
        },
        [id],
      ),
    ).rejects.toThrow('is not lost');
    await rounds(5);
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'done' });
    expect(await room.paidTo(address)).toBe(usdt(18.98));
  });

  it('goes back once an empty transaction has used its nonce, and the old one can never be paid', async () => {
    const before = await left();
    const { id, address, raw } = await sent();
    await callLost(id);
    await room.signer().round();
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'sent_unknown' });
    await room.chain.mine();
    await room.watch();
    // The empty transaction is in a block but not final, so nothing goes back yet.
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'sent_unknown' });
    await rounds(4);
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'returned', reason: 'chain_lost' });
    expect(await left()).toBe(before);
    await room.chain.rpc('eth_sendRawTransaction', raw).catch(() => undefined);
    await rounds(3);
    expect(await room.paidTo(address)).toBe(0n);
    expect(await custodyIssues()).toEqual([]);
  });

  it('is paid instead of returned if a block includes it after all', async () => {
    const before = await left();
    const { id, address, raw } = await sent();
    await callLost(id);
    await room.chain.rpc('eth_sendRawTransaction', raw);
    await room.chain.mine();
    await rounds(6);
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'done' });
    expect(await room.paidTo(address)).toBe(usdt(18.98));
    expect(await left()).toBe(before - usdt(20));
    expect(await custodyIssues()).toEqual([]);
  });

  it('goes back once an unknown transaction of the wallet with its nonce is final', async () => {
    const before = await left();
    const { id, address } = await sent();
    await callLost(id);
    const { hot } = room.chain.config;
    const used = BigInt(await room.chain.rpc<string>('eth_getTransactionCount', hot, 'latest')) + 1n;
    await room.chain.rpc('anvil_setNonce', hot, `0x${used.toString(16)}`);
    await room.chain.mine();
    await rounds(6);
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'returned', reason: 'chain_lost' });
    expect(await left()).toBe(before);
    expect(await room.paidTo(address)).toBe(0n);
  });
});
