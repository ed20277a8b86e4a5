import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '../../database/testing.ts';
import { HOT, openWithdrawalsTest, type WithdrawalsTest } from '../testing-withdrawals.ts';

const CUSTOMER = 431n;

describe('a transaction that somebody sent with the house’s key', () => {
  let room: WithdrawalsTest;
  let count = 0;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.fund(CUSTOMER, 900);
  });
  afterAll(() => room.close());

  const ask = async (): Promise<string> => {
    count += 1;
    const target = room.wallet(`0x${(count + 0xd000).toString(16).repeat(10)}`);
    const order = { channel: 'testnet', target, amount: 20, paypass: '830274' };
    return (await room.call('extract', CUSTOMER, order)).effect.id;
  };
  const sendByHand = async (): Promise<string> => {
    await room.chain.rpc('anvil_impersonateAccount', HOT);
    const hash = await room.chain.rpc<string>('eth_sendTransaction', {
      from: HOT,
      to: `0x${'88'.repeat(20)}`,
      value: '0x1',
    });
    await room.chain.mine(3);
    return hash;
  };
  /** Writes what two people's decision in the console would write. */
  const agree = async (hash: string, nonce: number): Promise<string> => {
    const id = randomUUID();
    const content = JSON.stringify({ chain: 'testnet', hash, nonce: String(nonce) });
    await asOwner(
      room.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
       INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at)
         VALUES ('${id}', 'payout_foreign', '${hash}', '${content}', sha256('{}'), 1, '{finance,compliance}', 91, 'approved', now());
       INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ('${id}', 92, '${randomUUID()}', 'approve', sha256('{}'), 'compliance')`,
    );
    return id;
  };
  const keep = (hash: string, nonce: number, approval: string): Promise<unknown> =>
    room.test.database.query(
      {
        name: '',
        text: `INSERT INTO withdrawals.foreign_transaction (chain, wallet, nonce, hash, approval) VALUES ('testnet', '${HOT}', $1, $2, $3)`,
      },
      [nonce, hash, approval],
    );

  it('stops payouts, says so before the next one waits, and two people’s word about it lets them go on', async () => {
    expect(await room.follow(CUSTOMER, await ask())).toMatchObject({ step: 'done' });
    const [first, second] = [await sendByHand(), await sendByHand()];
    const signer = room.signer();
    await signer.round();
    expect(room.stop).toBe('foreign_transaction');
    const id = await ask();
    await signer.round();
    expect(room.waits).toEqual([{ id, waitsFor: 'foreign_transaction' }]);
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'approved' });

    // Nobody alone, and none is left out.
    await expect(keep(first, 1, randomUUID())).rejects.toThrow('nobody has accounted for');
    await keep(second, 2, await agree(second, 2));
    await signer.round();
    expect(room.stop).toBe('foreign_transaction');
    await keep(first, 1, await agree(first, 1));
    expect(await room.follow(CUSTOMER, id, signer)).toMatchObject({ step: 'done' });
    expect([room.stop, room.waits]).toEqual([null, []]);
    const found = (await room.violations()) as { invariant: string }[];
    expect(found.filter(({ invariant }) => /^(CU|DW|WW)/.test(invariant))).toEqual([]);
  });

  it('is not taken on the word of a table: the signer looks for it on the chain', async () => {
    await sendByHand();
    const [row] = await room.test.database.query<{ nonce: bigint }>({
      name: '',
      text: `SELECT withdrawals.last_nonce('testnet', '${HOT}') + 1 AS nonce`,
    });
    const invented = `0x${'ad'.repeat(32)}`;
    await keep(invented, Number(row?.nonce), await agree(invented, Number(row?.nonce)));
    const id = await ask();
    await room.signer().round();
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'approved' });
    expect(room.stop).toBe('foreign_transaction');
  });
});

describe('a wallet of which the database knows no nonce', () => {
  let room: WithdrawalsTest;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.fund(CUSTOMER, 900);
    await room.chain.rpc('anvil_impersonateAccount', HOT);
  });
  afterAll(() => room.close());

  it('pays nothing if the chain has seen it send, until two people have said what that was', async () => {
    const sent: string[] = [];
    for (let n = 0; n < 3; n += 1)
      sent.push(
        await room.chain.rpc<string>('eth_sendTransaction', { from: HOT, to: `0x${'88'.repeat(20)}`, value: '0x1' }),
      );
    await room.chain.mine(4);
    await room.watch();
    const target = room.wallet(`0x${'d5'.repeat(20)}`);
    const { id } = (await room.call('extract', CUSTOMER, { channel: 'testnet', target, amount: 20, paypass: '830274' }))
      .effect;
    await room.progress(id);
    const signer = room.signer();
    await signer.round();
    expect(room.stop).toBe('foreign_transaction');
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'approved' });
    await expect(
      room.signerDatabase.query({
        name: '',
        text: `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) VALUES ('${id}', 'testnet', '${HOT}', 3)`,
      }),
    ).rejects.toThrow('does not follow');

    // The newest stands for all before it: they are of a time before this platform had the wallet.
    const newest = sent.at(-1) ?? '';
    expect(await room.ask('POST /admin/withdrawals/foreign', { hash: newest })).toMatchObject({ ok: true });
    const opening = room.opened.at(-1);
    expect(opening?.fingerprintOf).toMatchObject({ nonce: '2', is_first: true, what: 'foreign' });
    const [approval, content] = [randomUUID(), JSON.stringify(opening?.fingerprintOf)];
    await asOwner(
      room.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
       INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at)
         VALUES ('${approval}', 'payout_foreign', '${newest}', '${content}', sha256('{}'), 1, '{finance,compliance}', 91, 'approved', now());
       INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ('${approval}', 92, '${randomUUID()}', 'approve', sha256('{}'), 'compliance')`,
    );
    await room.test.database.transaction((transaction) =>
      room.withdrawals.foreignKind.apply(transaction, { id: approval, content } as never, {} as never),
    );
    expect(await room.follow(CUSTOMER, id, signer)).toMatchObject({ step: 'done' });
  });

  it('begins with its own nonces: those of another wallet say nothing about it', async () => {
    const nonces = await room.test.database.query({
      name: '',
      text: `SELECT withdrawals.last_nonce('testnet', '${HOT}') AS own, withdrawals.last_nonce('testnet', '0x${'17'.repeat(20)}') AS other`,
    });
    expect(nonces).toEqual([{ own: 3n, other: -1n }]);
  });

  it('stands still while a transaction that nobody knows waits for a block', async () => {
    await room.chain.rpc('eth_sendTransaction', { from: HOT, to: `0x${'88'.repeat(20)}`, value: '0x1' });
    await room.signer().round();
    expect(room.stop).toBe('foreign_transaction');
  });
});
