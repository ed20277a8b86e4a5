import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDatabase, runAsOwner } from '../../platform/database/testing.ts';
import { hexQuantityOf, transferCallData } from '../chain/index.ts';
import { HOT_WALLET_ADDRESS, openWithdrawalsTest, usdt, type WithdrawalsTest } from './testing-withdrawals.ts';

const [PAID, SWEPT, SPENT, NEWER, LATER, CHECKED] = [901n, 902n, 903n, 904n, 905n, 906n];
const addressAt = (n: number): string => `0x${(n + 0xf000).toString(16).repeat(10)}`;

/**
 * The scenario: a copy from before the wallet's first payout, then payouts, a sweep, a sign-up with a deposit and a
 * transaction by hand. The chain contains all of that; the restored books contain none of it.
 */
describe('a restored platform', () => {
  let burnt: WithdrawalsTest;
  let room: WithdrawalsTest;
  let approved = '';
  let inReview = '';
  let forgotten = '';
  let byHand = '';
  const hashes = new Map<string, string>();

  const ask = async (of: WithdrawalsTest, customer: bigint, amount: number, address: string): Promise<string> => {
    const order = { channel: 'testnet', target: of.wallet(address), amount, paypass: '830274' };
    const answer = await of.call('extract', customer, order);
    expect(answer).toMatchObject({ ok: true });
    return answer.effect.id;
  };
  const deposit = async (of: WithdrawalsTest, customer: bigint, units: bigint): Promise<string> => {
    const address = (await of.addressOf(customer)) ?? '';
    await of.chain.send(address, units);
    await of.chain.mine(4);
    await of.watch();
    return address;
  };
  const sql = <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    room.test.database.query<Row>({ name: '', text }, values);
  const left = async (): Promise<{ hash: string; kind: string }[]> =>
    sql('SELECT hash, kind FROM withdrawals.unexplained ORDER BY block_height, hash');
  /** Writes the decision of two people as the console would, and applies it. */
  const agree = async (kind: 'foreignKind' | 'restorationKind'): Promise<boolean> => {
    const opening = room.opened.at(-1);
    if (!opening) throw new Error('nobody asked');
    const [id, content] = [randomUUID(), JSON.stringify(opening.fingerprintOf)];
    await runAsOwner(
      room.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
       INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at, is_from_before)
         VALUES ('${id}', '${opening.kind}', '${opening.subject}', '${content}', sha256('{}'), 1, '{finance,compliance}', 91, 'approved', now(), true);
       INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ('${id}', 92, '${randomUUID()}', 'approve', sha256('{}'), 'compliance')`,
    );
    const approval = { ...opening, id, content, about: opening.about?.[0] ?? null };
    return room.test.database.transaction((transaction) =>
      room.withdrawals[kind].apply(transaction, approval as never, {} as never),
    );
  };
  const name = (hash: string, more: object = {}) =>
    room.ask<{ nonce: string }>('POST /admin/withdrawals/foreign', { hash, ...more });
  const end = async () => {
    const [row] = await sql<{ id: string }>('SELECT restoration::text AS id FROM withdrawals.reconciliation');
    return room.ask('POST /admin/restoration/end', { id: row?.id ?? '' });
  };
  const custody = async (): Promise<string[]> =>
    ((await room.violations()) as { invariant: string; subjects: string[] }[])
      .filter(({ invariant }) => /^(CU|DW|WW)/.test(invariant))
      .flatMap(({ invariant, subjects }) => subjects.map((subject) => `${invariant} ${subject}`));

  beforeAll(async () => {
    burnt = await openWithdrawalsTest();
    for (const customer of [PAID, SWEPT, SPENT]) await burnt.fund(customer, 100);
    await burnt.chain.mine(5);
    await burnt.watch();
    approved = await ask(burnt, PAID, 20, addressAt(1));
    await burnt.progress(approved);
    await burnt.fund(CHECKED, 2_000);
    inReview = await ask(burnt, CHECKED, 1_000, addressAt(7));
    await burnt.progress(inReview);
    expect(await burnt.read(CHECKED, inReview)).toMatchObject({ step: 'first_check' });
    // This deposit is in a block but not credited yet.
    await burnt.chain.send((await burnt.addressOf(SWEPT)) ?? '', usdt(120));
    await burnt.chain.mine();
    await burnt.watch();
    // Wallets that were saved before the copy.
    for (const [customer, n] of [
      [PAID, 2],
      [SPENT, 3],
    ] as const)
      await burnt.save(customer, burnt.wallet(addressAt(n)));
    const copy = await copyDatabase(burnt.test);

    // The events that the copy lacks: three payouts, one of which exceeds the customer's balance in the copy, and a
    // sweep with its gas.
    await burnt.fund(SPENT, 200);
    const lost: [string, bigint, string][] = [[approved, PAID, addressAt(1)]];
    for (const [customer, amount, n] of [
      [PAID, 44, 2],
      [SPENT, 260, 3],
    ] as const) {
      const target = [...burnt.payees.values()].find(
        (payee) => payee.kind === 'wallet' && payee.address === addressAt(n),
      )?.id;
      const order = { channel: 'testnet', target, amount, paypass: '830274' };
      lost.push([(await burnt.call('extract', customer, order)).effect.id, customer, addressAt(n)]);
    }
    for (const [id, customer, address] of lost) {
      const { hash } = await burnt.follow(customer, id);
      hashes.set(address, hash ?? '');
    }
    const signer = burnt.signer();
    for (let n = 0; n < 8; n += 1) {
      await signer.round();
      await burnt.chain.mine();
      await burnt.watch();
    }
    forgotten = await deposit(burnt, NEWER, usdt(500));
    await burnt.chain.rpc('anvil_impersonateAccount', HOT_WALLET_ADDRESS);
    const sendByHand = (receiver: string, units: bigint): Promise<string> =>
      burnt.chain.rpc('eth_sendTransaction', {
        from: HOT_WALLET_ADDRESS,
        to: burnt.chain.config.token,
        data: transferCallData(receiver, units),
      });
    byHand = await sendByHand(`0x${'88'.repeat(20)}`, usdt(7));
    // Approved and paid in the lost time, as far as the chain shows.
    const [row] = await burnt.test.database.query<{ net: string }>(
      { name: '', text: 'SELECT (amount - fee)::text AS net FROM withdrawals.withdrawal WHERE id = $1' },
      [inReview],
    );
    hashes.set(addressAt(7), await sendByHand(addressAt(7), BigInt(row?.net ?? 0)));
    await burnt.chain.mine(4);
    await burnt.watch();

    room = await openWithdrawalsTest({}, async () => copy, burnt);
    // Inserts what `npm run restore` records.
    await runAsOwner(
      copy.owner,
      `INSERT INTO proofs.restoration (ends_at, known_at, transfers, known_transfers, ticks, known_ticks) VALUES (now(), now(), 1, 1, '{}', '{}')`,
    );
  });
  afterAll(async () => {
    await room.close();
    await burnt.close();
  });

  it('lets nothing leave and gives out no address, whoever asks the database', async () => {
    const signer = room.signer();
    for (let n = 0; n < 3; n += 1) await signer.round();
    expect(room.stop).toBe('restoration');
    expect(room.waits).toEqual([{ id: approved, waitsFor: 'restoration' }]);
    await room.chain.mine();
    expect(await room.paidTo(addressAt(1))).toBe(usdt(18.98));
    const asSigner = (text: string) => room.signerDatabase.query({ name: '', text });
    await expect(
      asSigner(
        `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) VALUES ('${approved}', 'testnet', '${HOT_WALLET_ADDRESS}', 0)`,
      ),
    ).rejects.toThrow('not yet reconciled');
    await expect(
      asSigner(
        `INSERT INTO withdrawals.sending (id, chain, kind, sender, receiver, nonce, units) VALUES (gen_random_uuid(), 'testnet', 'gas', '${HOT_WALLET_ADDRESS}', '${HOT_WALLET_ADDRESS}', 0, 1)`,
      ),
    ).rejects.toThrow('not yet reconciled');
    expect(await room.addressOf(LATER)).toBeNull();
    await expect(
      sql(
        `INSERT INTO chain.address (chain, customer_id, index, address, xpub_mark) VALUES ('testnet', 905, 500000, $1, 'x')`,
        [addressAt(9)],
      ),
    ).rejects.toThrow('not yet reconciled');
    expect(await room.addressOf(SWEPT)).not.toBeNull();
    // A request is accepted, waits, and states the reason.
    const waiting = await ask(room, PAID, 15, addressAt(4));
    await room.progress(waiting);
    expect(await room.read(PAID, waiting)).toMatchObject({ step: 'first_check', delay_reason: 'restoration' });
    await expect(sql(`UPDATE withdrawals.withdrawal SET step = 'approved' WHERE id = $1`, [waiting])).rejects.toThrow(
      'not yet reconciled',
    );
    await room.call('cancel', PAID, { id: waiting });
  });

  it('reads the chain first: what left waits for people, and moves within the house are explained', async () => {
    expect(await end()).toMatchObject({ ok: false, refusal: 'restoration_unexplained' });
    await room.watch();
    await room.watch();
    // First the swept deposit is credited, then its sweep is booked, then gas and sweep are explained.
    expect(await room.available(SWEPT)).toBe(usdt(220));
    expect((await left()).map(({ hash }) => hash).sort()).toEqual([...hashes.values(), byHand].sort());
    expect(room.faults.map(String).filter((fault) => /overdraft|disagree/.test(fault))).toEqual([]);
    expect(await end()).toMatchObject({ ok: false, refusal: 'restoration_unexplained' });
  });

  it('adopts the payout of an open withdrawal, which that transaction then completes', async () => {
    const hash = hashes.get(addressAt(1)) ?? '';
    expect(await name(hash)).toMatchObject({ ok: true });
    expect(room.opened.at(-1)?.fingerprintOf).toMatchObject({
      transfers: [{ purpose: 'payout', withdrawal: approved }],
    });
    expect(await agree('foreignKind')).toBe(true);
    await room.watch();
    expect(await room.read(PAID, approved)).toMatchObject({ step: 'done', hash });
  });

  it('adopts it also if the withdrawal is still in review in the copy: its hold is posted', async () => {
    const before = await room.available(CHECKED);
    expect(await name(hashes.get(addressAt(7)) ?? '')).toMatchObject({ ok: true });
    expect(room.opened.at(-1)?.fingerprintOf).toMatchObject({
      transfers: [{ purpose: 'payout', withdrawal: inReview }],
    });
    expect(await agree('foreignKind')).toBe(true);
    await room.watch();
    expect(await room.read(CHECKED, inReview)).toMatchObject({ step: 'done', hash: hashes.get(addressAt(7)) });
    expect(await room.available(CHECKED)).toBe(before);
  });

  it('debits the wallet’s owner for a payout without a row, and claims what the balance lacks', async () => {
    const before = await room.available(PAID);
    for (const [n, customer] of [
      [2, PAID],
      [3, SPENT],
    ] as const) {
      expect(await name(hashes.get(addressAt(n)) ?? '')).toMatchObject({ ok: true });
      expect(room.opened.at(-1)?.fingerprintOf).toMatchObject({
        transfers: [{ purpose: 'found', customer: String(customer) }],
      });
      expect(await agree('foreignKind')).toBe(true);
    }
    await room.watch();
    expect(await room.available(PAID)).toBe(before - (await room.paidTo(addressAt(2))));
    expect(await room.available(SPENT)).toBe(0n);
    const paid = await room.paidTo(addressAt(3));
    expect(await sql('SELECT customer_id, units::text FROM deposits.shortfall')).toEqual([
      { customer_id: SPENT, units: String(paid - usdt(100)) },
    ]);
    await room.fund(SPENT, 50);
    await room.settleByRule();
    expect(await room.available(SPENT)).toBe(0n);
    expect(await sql('SELECT units::text FROM deposits.shortfall')).toEqual([{ units: String(paid - usdt(150)) }]);
  });

  it('ends only when nothing is left, by two people', async () => {
    expect(await name(byHand)).toMatchObject({ ok: true });
    expect(room.opened.at(-1)?.fingerprintOf).toMatchObject({ transfers: [{ purpose: 'expense' }] });
    expect(await end()).toMatchObject({ ok: false, refusal: 'restoration_unexplained' });
    expect(await agree('foreignKind')).toBe(true);
    await room.watch();
    expect(await left()).toEqual([]);
    await expect(sql(`SELECT withdrawals.end_restoration(1, gen_random_uuid())`)).rejects.toThrow(
      'nobody has reconciled',
    );
    expect(await end()).toMatchObject({ ok: true });
    expect(await agree('restorationKind')).toBe(true);
    expect(await end()).toMatchObject({ ok: false, refusal: 'restoration_ended' });
  });

  it('then pays with the chain’s next nonce, and has paid nothing twice', async () => {
    const paid = await Promise.all([1, 2, 3].map((n) => room.paidTo(addressAt(n))));
    const later = await ask(room, PAID, 15, addressAt(5));
    expect(await room.follow(PAID, later)).toMatchObject({ step: 'done' });
    const count = await room.chain.rpc<string>('eth_getTransactionCount', HOT_WALLET_ADDRESS, 'latest');
    expect(await sql('SELECT nonce FROM withdrawals.payout WHERE withdrawal_id = $1', [later])).toEqual([
      { nonce: BigInt(count) - 1n },
    ]);
    expect(await Promise.all([1, 2, 3].map((n) => room.paidTo(addressAt(n))))).toEqual(paid);
    expect(paid[0]).toBe(usdt(18.98));
    expect(await custody()).toEqual([]);
  });

  it('gives nobody the address of a lost customer, and credits nobody with what arrives there', async () => {
    const address = await room.addressOf(LATER);
    expect(address).not.toBeNull();
    expect(address).not.toBe(forgotten);
    const before = await room.available(LATER);
    await room.chain.send(forgotten, usdt(250));
    await room.chain.mine(4);
    await room.watch();
    expect(await room.available(LATER)).toBe(before);
    expect(await sql('SELECT address, amount::text FROM deposits.forgotten ORDER BY amount')).toEqual([
      { address: forgotten, amount: String(usdt(250)) },
      { address: forgotten, amount: String(usdt(500)) },
    ]);
    expect(await sql('SELECT id FROM deposits.deposit WHERE address = $1', [forgotten])).toEqual([]);
  });

  it('never signs a payout whose receiver got exactly its amount in an unexplained transaction', async () => {
    const waiting = await ask(room, PAID, 12, addressAt(6));
    await room.progress(waiting);
    await room.chain.rpc('anvil_impersonateAccount', HOT_WALLET_ADDRESS);
    const nonce = await room.chain.rpc<string>('eth_getTransactionCount', HOT_WALLET_ADDRESS, 'latest');
    const hash = await room.chain.rpc<string>('eth_sendTransaction', {
      from: HOT_WALLET_ADDRESS,
      to: room.chain.config.token,
      data: transferCallData(addressAt(6), usdt(12 - 1 - 0.012)),
    });
    await room.chain.mine(4);
    await room.watch();
    // Even if the wallet's transaction count does not show it.
    await room.chain.rpc('anvil_setNonce', HOT_WALLET_ADDRESS, hexQuantityOf(Number(nonce)));
    await room.signer().round();
    expect(await room.read(PAID, waiting)).toMatchObject({ step: 'approved' });
    expect(await sql('SELECT id FROM withdrawals.payable WHERE id = $1', [waiting])).toEqual([]);
    expect((await left()).map((one) => one.hash)).toEqual([hash]);
  });
});
