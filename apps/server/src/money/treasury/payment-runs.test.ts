import { randomUUID } from 'node:crypto';
import type { ResultOf, readTreasurySetup } from '@sathorn/api';
import { type Hex, joinSignatures, type OwnerSignature, transactionOfRun, writeExecution } from '@sathorn/treasury';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { checksumAddressOf, hasLocalChain, transferCallData } from '../chain/index.ts';
import { usdt, WATCH_KEY } from '../withdrawals/testing-withdrawals.ts';
import { readSafe } from './read-safe.ts';
import { readTreasurySetupHandler } from './read-treasury-setup.ts';
import { demoOwnerNamed, openTreasuryTest, TREASURY_PEOPLE, type TreasuryTest } from './testing-treasury.ts';

const [korn, fah, ploy, tan, ek] = TREASURY_PEOPLE;

/** What the checker finds, but for the people and votes that these tests write by hand. */
const foundIn = async ({ room }: TreasuryTest): Promise<unknown[]> =>
  ((await room.violations()) as { invariant: string }[]).filter(({ invariant }) => !invariant.startsWith('OP'));

describe.skipIf(!hasLocalChain())('a payment run of the treasury', () => {
  let treasury: TreasuryTest;
  beforeAll(async () => {
    treasury = await openTreasuryTest();
  });
  afterAll(() => treasury.close());

  const stepOf = async ({ id, customer }: { id: string; customer: bigint }): Promise<string> =>
    (await treasury.room.read(customer, id)).step;
  const runStep = async (id: string): Promise<string | undefined> => {
    const { run, recent } = await treasury.read();
    return [...(run ? [run] : []), ...recent].find((one) => one.id === id)?.step;
  };

  const asApp = (text: string, values: readonly unknown[] = []) =>
    treasury.room.test.database.query<Record<string, unknown>>({ name: '', text }, values);
  const asOwner = (text: string) => runAsOwner(treasury.room.test.owner, text);
  const heldBy = async (address: string): Promise<bigint> => treasury.room.paidTo(address);

  it('pays withdrawals that one person examined and two others signed', async () => {
    const { room } = treasury;
    const asked = [await treasury.ask(2_000), await treasury.ask(12_000)];
    for (const { id } of asked) await treasury.examine(id);
    // The hot wallet's key pays none of them.
    await room.signer().round();
    expect(await Promise.all(asked.map(stepOf))).toEqual(['approved', 'approved']);
    const { waiting, treasury: shown } = await treasury.read();
    expect(shown).toMatchObject({ threshold: 2, version: '1.5.0', modules: [], guard: null });
    expect(shown?.owners.map(({ operator }) => operator?.work_name).toSorted()).toEqual(['fah', 'korn', 'ploy', 'tan']);
    expect(waiting.map(({ withdrawal }) => withdrawal?.id)).toEqual(asked.map(({ id }) => id));
    expect(waiting[0]?.withdrawal).toMatchObject({ is_first: true, examined_by: [{ work_name: 'tan' }] });

    const held = shown?.held.treasury;
    const run = await treasury.sign(asked.map(({ id }) => id));
    expect(await runStep(run)).toBe('signed');
    await room.signer().round();
    expect(await runStep(run)).toBe('sending');
    expect(await Promise.all(asked.map(stepOf))).toEqual(['sending', 'sending']);
    await treasury.settle();
    expect(await Promise.all(asked.map(stepOf))).toEqual(['done', 'done']);
    expect(await runStep(run)).toBe('done');
    for (const [n, { id, customer, address }] of asked.entries()) {
      expect(await room.paidTo(address)).toBe(usdt([1_997, 11_987][n] ?? 0));
      expect(await room.read(customer, id)).toMatchObject({
        people: 1,
        is_run: true,
        signed_by: [{ by: 'fah' }, { by: 'ploy' }],
      });
    }
    expect((await treasury.read()).treasury?.held.treasury).not.toBe(held);
    expect(await foundIn(treasury)).toEqual([]);
  });

  it('is shown as the watcher read it: another state has no seal of its own', async () => {
    const { test } = treasury.room;
    const found = async () =>
      (await findViolations(test.checker, 'module', [], { watch: WATCH_KEY.toString('hex') })).map(
        ({ invariant }) => invariant,
      );
    expect(await found()).not.toContain('TR6');
    await asApp('UPDATE treasury.state SET threshold = 3');
    expect(await found()).toContain('TR6');
    await expect(asApp('UPDATE treasury.state SET seal = NULL')).rejects.toThrow('without the watcher’s seal');
    await treasury.settle(1);
    expect(await found()).not.toContain('TR6');
  });

  it('is refused: one vote, twice the same, by who examined it, by who owns nothing, another hash', async () => {
    const asked = await treasury.ask(3_000);
    await treasury.examine(asked.id, tan);
    const { effect } = await treasury.call('open', korn, { withdrawals: [asked.id] });
    const { hash = '' } = (await treasury.read()).run ?? {};
    const sign = (person: (typeof TREASURY_PEOPLE)[number], of = hash) =>
      treasury.call('sign', person, { id: effect.run, hash: of });
    expect(await sign(tan)).toMatchObject({ refusal: 'examined_by_you' });
    expect(await sign(ek)).toMatchObject({ refusal: 'not_owner' });
    expect(await sign(fah, `0x${'ab'.repeat(32)}`)).toMatchObject({ refusal: 'run_hash_differs' });
    expect(await sign(fah)).toMatchObject({ ok: true, effect: { signatures: 1, threshold: 2 } });
    expect(await sign(fah)).toMatchObject({ refusal: 'already_signed' });
    expect(await treasury.call('open', korn, { withdrawals: [asked.id] })).toMatchObject({ refusal: 'run_open' });
    await treasury.room.signer().round();
    expect(await stepOf(asked)).toBe('approved');
    expect(await treasury.call('withdraw', ploy, { id: effect.run })).toMatchObject({ ok: true });
    expect(await sign(ploy)).toMatchObject({ refusal: 'run_closed' });
  });

  it('tops the hot wallet up, at most to its ceiling', async () => {
    const hot = treasury.room.chain.config.hot;
    const before = await heldBy(hot);
    const tooMuch = { asset: 'USDT', units: usdt(100_000) };
    expect(await treasury.call('open', korn, { withdrawals: [], top_up: tooMuch })).toMatchObject({
      refusal: 'top_up_too_high',
    });
    await treasury.sign([], { top_up: { asset: 'USDT', units: usdt(500) } });
    await treasury.room.signer().round();
    await treasury.settle();
    expect(await heldBy(hot)).toBe(before + usdt(500));
    expect(await foundIn(treasury)).toEqual([]);
  });

  it('lapses, and its withdrawal waits for another one', async () => {
    const asked = await treasury.ask(1_500);
    await treasury.examine(asked.id);
    const { effect } = await treasury.call('open', korn, { withdrawals: [asked.id] });
    await asOwner(`SET session_replication_role = replica;
      UPDATE treasury.run SET opened_at = now() - interval '2 days', lapses_at = now() - interval '1 day' WHERE id = '${effect.run}'`);
    expect(await treasury.call('sign', fah, { id: effect.run, hash: '' })).toMatchObject({ refusal: 'run_lapsed' });
    await treasury.settle(1);
    expect(await runStep(effect.run)).toBe('lapsed');
    expect((await treasury.read()).waiting.map(({ withdrawal }) => withdrawal?.id)).toContain(asked.id);
    await treasury.sign([asked.id]);
    await treasury.room.signer().round();
    await treasury.settle();
    expect(await stepOf(asked)).toBe('done');
  });

  /** Sends a signed run as a stranger on the chain would, who has read its signatures. */
  const sendAsStranger = async (id: string, gasPrice: string): Promise<void> => {
    const { room } = treasury;
    const [run] = await room.signerDatabase.query<{
      readonly nonce: bigint;
      readonly kind: 'payment';
      readonly data: Hex;
      readonly signatures: readonly OwnerSignature[];
    }>({ name: '', text: 'SELECT nonce, kind, data, signatures FROM withdrawals.signed_run WHERE id = $1' }, [id]);
    const place = room.chain.config.treasury;
    if (run === undefined || place === null) throw new Error('no such run');
    const stranger = `0x${'5e'.repeat(20)}`;
    await room.chain.rpc('anvil_setBalance', stranger, '0xde0b6b3a7640000');
    await room.chain.rpc('anvil_impersonateAccount', stranger);
    const data = writeExecution(transactionOfRun(run, place), joinSignatures(run.signatures));
    await room.chain.rpc('eth_sendTransaction', { from: stranger, to: place.safe, data, gasPrice, gas: '0x4c4b40' });
  };

  it.each([
    ['before the signer', 'signed', '0x3b9aca00'],
    ['in the block of the signer’s own transaction', 'sending', '0x174876e800'],
  ])('is paid once if a stranger sends it %s', async (_when, step, gasPrice) => {
    const { room } = treasury;
    const asked = [await treasury.ask(2_100), await treasury.ask(2_200)];
    for (const { id } of asked) await treasury.examine(id);
    const run = await treasury.sign(asked.map(({ id }) => id));
    if (step === 'sending') await room.signer().round();
    expect(await runStep(run)).toBe(step);
    await sendAsStranger(run, gasPrice);
    room.faults.length = 0;
    await treasury.settle(1);
    // The checker sees the block at once.
    expect(await foundIn(treasury)).toEqual([]);
    await room.signer().round();
    await treasury.settle(8);
    expect(await runStep(run)).toBe('done');
    expect(await Promise.all(asked.map(stepOf))).toEqual(['done', 'done']);
    for (const [n, { address }] of asked.entries())
      expect(await room.paidTo(address)).toBe(usdt([2_096.9, 2_196.8][n] ?? 0));
    expect(room.faults.filter((fault) => !String(fault).includes('the chain refused the payment run'))).toEqual([]);
    expect(await foundIn(treasury)).toEqual([]);
  });

  it('that the chain refuses gives its withdrawals to another run, and nobody gives them back meanwhile', async () => {
    const { room } = treasury;
    const asked = await treasury.ask(4_000);
    await treasury.examine(asked.id);
    const refused = await treasury.sign([asked.id]);
    await room.signer().round();
    // Before the block the Safe is emptied, which only a test can do.
    const { safe } = treasury.treasury;
    const { rpc } = room.chain;
    const all = await heldBy(safe);
    const aside = `0x${'e1'.repeat(20)}`;
    const move = async (from: string, to: string): Promise<void> => {
      await rpc('anvil_setBalance', from, '0xde0b6b3a7640000');
      await rpc('anvil_impersonateAccount', from);
      const data = transferCallData(to, all);
      const gas = { gasPrice: '0x174876e800', gas: '0x30d40' };
      await rpc('eth_sendTransaction', { from, to: room.chain.config.token, data, ...gas });
    };
    await move(safe, aside);
    await treasury.settle();
    expect(await runStep(refused)).toBe('refused');
    expect(await stepOf(asked)).toBe('approved');
    expect(room.faults.map(String).join()).toContain('the chain refused the payment run');
    const back = `UPDATE withdrawals.withdrawal SET step = 'returned', reason = 'not_payable', finished_at = now(), journal = gen_random_uuid() WHERE id = '${asked.id}'`;
    await expect(asApp(back)).rejects.toThrow('is in a payment run');

    await move(aside, safe);
    await treasury.settle();
    const again = await treasury.sign([asked.id]);
    await room.signer().round();
    await treasury.settle();
    await treasury.settle(1);
    expect(await runStep(again)).toBe('done');
    expect(await runStep(refused)).toBe('superseded');
    expect(await stepOf(asked)).toBe('done');
    expect(await room.paidTo(asked.address)).toBe(usdt(3_995));
    await asOwner('SET session_replication_role = replica; DELETE FROM ledger.violation');
  });

  it('that somebody calls refused pays its withdrawals once, and is found when the chain has executed it', async () => {
    const { room } = treasury;
    const asked = await treasury.ask(6_000);
    await treasury.examine(asked.id);
    const before = await heldBy(asked.address);
    const first = await treasury.sign([asked.id]);
    await room.signer().round();
    expect(await runStep(first)).toBe('sending');
    // As whoever has the application's login, before a block has the transaction.
    await asApp(
      `UPDATE withdrawals.sending s SET step = 'failed', hash = a.hash, block_height = 1, finished_at = now()
       FROM withdrawals.sending_attempt a WHERE a.sending_id = s.id AND s.run = $1`,
      [first],
    );
    expect(await stepOf(asked)).toBe('approved');
    // Waits for the next run, like each withdrawal of a refused one, and is signed by people who see nothing odd.
    await treasury.settle();
    const again = await treasury.sign([asked.id]).catch(String);
    await room.signer().round();
    await treasury.settle();
    expect(await heldBy(asked.address)).toBe(before + usdt(5_993));
    expect(again).toContain('run_line_unknown');
    expect(await foundIn(treasury)).toContainEqual(expect.objectContaining({ invariant: 'TR7', subjects: [asked.id] }));
    await asOwner(
      `SET session_replication_role = replica; UPDATE treasury.run SET step = 'done' WHERE id = '${first}'`,
    );
  });

  it('is found while it waits if its data pays somebody else than its lines', async () => {
    const asked = await treasury.ask(7_000);
    await treasury.examine(asked.id);
    const { effect } = await treasury.call('open', korn, { withdrawals: [asked.id] });
    expect(await treasury.call('withdraw', korn, { id: effect.run })).toMatchObject({ ok: true });
    const other = randomUUID();
    await asApp(
      `INSERT INTO treasury.run (id, chain, nonce, hash, kind, data, opened_by, lapses_at)
       SELECT $1, chain, nonce, hash, kind, replace(data, $2, $3), opened_by, lapses_at FROM treasury.run WHERE id = $4`,
      [other, asked.address.slice(2), '66'.repeat(20), effect.run],
    );
    await asApp(
      `INSERT INTO treasury.line (run, place, withdrawal_id, receiver, units)
       SELECT $1, place, withdrawal_id, receiver, units FROM treasury.line WHERE run = $2`,
      [other, effect.run],
    );
    expect(await foundIn(treasury)).toContainEqual(expect.objectContaining({ invariant: 'TR2', subjects: [other] }));
    expect(await treasury.call('withdraw', korn, { id: other })).toMatchObject({ ok: true });
  });

  it('can’t be written by whoever has a login of the database', async () => {
    const { room } = treasury;
    const asked = await treasury.ask(5_000);
    await treasury.examine(asked.id);
    // The signer's login pays nothing of the treasury's from the hot wallet.
    const signer = (text: string) => room.signerDatabase.query({ name: '', text });
    await expect(
      signer(
        `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) SELECT '${asked.id}', 'testnet', '${room.chain.config.hot}', withdrawals.last_nonce('testnet', '${room.chain.config.hot}') + 1`,
      ),
    ).rejects.toThrow('is not to be paid');
    const { effect } = await treasury.call('open', korn, { withdrawals: [asked.id] });
    const { nonce } = { nonce: (await treasury.read()).treasury?.nonce };
    const send = `INSERT INTO withdrawals.sending (id, chain, kind, sender, receiver, nonce, token, units, run) SELECT gen_random_uuid(), 'testnet', 'run', '${room.chain.config.hot}', '${treasury.treasury.safe}', withdrawals.last_nonce('testnet', '${room.chain.config.hot}') + 1, NULL, 0, '${effect.run}'`;
    await expect(signer(send)).rejects.toThrow('is not to be sent');

    const run = `'${effect.run}'`;
    const line = (receiver: string, withdrawal: string, units = '1') =>
      asApp(
        `INSERT INTO treasury.line (run, place, withdrawal_id, receiver, units) VALUES (${run}, 50, ${withdrawal}, '${receiver}', ${units})`,
      );
    await expect(line(`0x${'66'.repeat(20)}`, 'NULL')).rejects.toThrow('is not the hot wallet');
    await expect(line(`0x${'66'.repeat(20)}`, `'${asked.id}'`)).rejects.toThrow('is not to be paid so');
    const sign = (owner: string, operator: bigint, of = effect.run) =>
      asApp(
        `INSERT INTO treasury.signature (run, owner, operator, signature) VALUES ('${of}', '${owner}', ${operator}, '0xab')`,
      );
    const [first = '', second = '', third = '', fourth = ''] = treasury.treasury.owners;
    await expect(sign(first, ek.id)).rejects.toThrow('is not an owner');
    await expect(sign(first, fah.id)).rejects.toThrow('is not an owner');
    await expect(sign(fourth, tan.id)).rejects.toThrow('examined a line');
    await expect(asApp(`UPDATE treasury.run SET step = 'signed' WHERE id = ${run}`)).rejects.toThrow('is not signed');
    await expect(asApp(`UPDATE treasury.run SET step = 'done', ended_at = now() WHERE id = ${run}`)).rejects.toThrow();
    await expect(
      asApp(
        `INSERT INTO treasury.run (id, chain, nonce, hash, kind, data, opened_by, lapses_at) VALUES (gen_random_uuid(), 'testnet', ${nonce} + 5, '0x${'1'.repeat(64)}', 'payment', '0xab', 91, now() + interval '1 day')`,
      ),
    ).rejects.toThrow('is not the next');

    // A run behind another one, by a state of its own, could pay the same withdrawal again. No owner signs it.
    const later = randomUUID();
    await asApp(`UPDATE treasury.state SET nonce = nonce + 1`);
    await asApp(`UPDATE treasury.run SET step = 'superseded', ended_at = now() WHERE id = ${run}`);
    await asApp(
      `INSERT INTO treasury.run (id, chain, nonce, hash, kind, data, opened_by, lapses_at) SELECT '${later}', chain, nonce + 1, hash, kind, data, opened_by, lapses_at FROM treasury.run WHERE id = ${run}`,
    );
    await asApp(
      `INSERT INTO treasury.line (run, place, withdrawal_id, receiver, units) SELECT '${later}', place, withdrawal_id, receiver, units FROM treasury.line WHERE run = ${run}`,
    );
    const { hash: laterHash } = (await treasury.read()).run ?? {};
    expect(await treasury.call('sign', fah, { id: later, hash: laterHash })).toMatchObject({ refusal: 'run_closed' });
    await asApp(`UPDATE treasury.run SET step = 'withdrawn', ended_at = now() WHERE id = '${later}'`);
    await treasury.settle(1);
    const again = await treasury.call('open', korn, { withdrawals: [asked.id] });

    // Signatures that nobody made are rows like others. The chain refuses them, so nothing is sent, and others can sign
    // the next run.
    await sign(second, fah.id, again.effect.run);
    await sign(third, ploy.id, again.effect.run);
    expect(await runStep(again.effect.run)).toBe('signed');
    room.faults.length = 0;
    await room.signer().round();
    await treasury.settle();
    expect(room.faults.map(String).join()).toContain('the chain accepts 0 signatures');
    expect(await runStep(again.effect.run)).toBe('refused');
    expect(await stepOf(asked)).toBe('approved');
    expect(await room.paidTo(asked.address)).toBe(0n);
    // Other signatures might be valid, so its withdrawal is not given back, but the next run pays it.
    expect(await asApp('SELECT withdrawals.is_in_run($1) AS is_in_run', [asked.id])).toEqual([{ is_in_run: true }]);
    await treasury.sign([asked.id]);
    await room.signer().round();
    await treasury.settle();
    await treasury.settle(1);
    expect(await stepOf(asked)).toBe('done');
    expect(await runStep(again.effect.run)).toBe('superseded');
    expect(JSON.stringify(await foundIn(treasury))).not.toContain('TR');
  });
});

describe.skipIf(!hasLocalChain())('a change of the treasury’s owners', () => {
  let treasury: TreasuryTest;
  beforeAll(async () => {
    treasury = await openTreasuryTest();
  });
  afterAll(() => treasury.close());

  const names = async (): Promise<(string | undefined)[]> =>
    ((await treasury.read()).treasury?.owners ?? []).map(({ operator }) => operator?.work_name);
  const addressOf = async (name: string): Promise<string> =>
    (await treasury.read()).treasury?.owners
      .find(({ operator }) => operator?.work_name === name)
      ?.address.toLowerCase() ?? '';
  /** Opens the change and has two of the present owners sign it. */
  const changed = async (request: object, signers: readonly (typeof TREASURY_PEOPLE)[number][]): Promise<void> => {
    const opened = await treasury.call('owners', korn, request);
    expect(opened).toMatchObject({ ok: true });
    const { run } = await treasury.read();
    expect(run?.lines).toEqual([]);
    for (const person of signers)
      expect(await treasury.call('sign', person, { id: opened.effect.run, hash: run?.hash })).toMatchObject({
        ok: true,
      });
    await treasury.room.signer().round();
    await treasury.settle();
    expect(await treasury.read()).toMatchObject({ run: null });
    expect((await treasury.read()).recent[0]).toMatchObject({ id: opened.effect.run, step: 'done' });
  };

  it('adds, replaces and removes one; whoever was removed signs nothing more', async () => {
    expect(await names()).not.toContain('ek');
    expect((await treasury.read()).due).toMatchObject([{ change: 'add', why: 'joined', coming: { work_name: 'ek' } }]);
    await changed({ change: 'add', operator: 'ek' }, [fah, ploy]);
    expect(await names()).toContain('ek');
    expect((await treasury.read()).due).toEqual([]);
    const leaves = (at: string) =>
      runAsOwner(
        treasury.room.test.owner,
        `SET session_replication_role = replica; UPDATE operators.operator SET removed_at = ${at} WHERE id = ${ploy.id}`,
      );
    await leaves('now()');
    const [due] = (await treasury.read()).due;
    expect(due).toMatchObject({ change: 'remove', why: 'left', leaving: { operator: { work_name: 'ploy' } } });
    await changed({ change: 'remove', leaving: due?.leaving?.address.toLowerCase() }, [fah, ek]);
    expect(await names()).not.toContain('ploy');
    await leaves('NULL');
    await changed({ change: 'swap', leaving: await addressOf('fah'), operator: 'ploy' }, [ek, tan]);
    expect((await names()).toSorted()).toEqual(['ek', 'korn', 'ploy', 'tan']);

    const asked = await treasury.ask(2_000);
    await treasury.examine(asked.id, tan);
    const { effect } = await treasury.call('open', korn, { withdrawals: [asked.id] });
    const { hash } = (await treasury.read()).run ?? {};
    expect(await treasury.call('sign', fah, { id: effect.run, hash })).toMatchObject({ refusal: 'not_owner' });
    for (const person of [ek, ploy])
      expect(await treasury.call('sign', person, { id: effect.run, hash })).toMatchObject({ ok: true });
    await treasury.room.signer().round();
    await treasury.settle();
    expect(await treasury.room.paidTo(asked.address)).toBe(usdt(1_997));
    expect(await foundIn(treasury)).toEqual([]);
  });

  it.each([
    ['owner_already', { change: 'add', operator: 'korn' }],
    ['owner_unknown', { change: 'remove', leaving: `0x${'77'.repeat(20)}` }],
    ['operator_unknown', { change: 'add', operator: 'nobody' }],
    ['owner_malformed', { change: 'add', cold: `0x${'0'.repeat(39)}1` }],
  ])('is refused: %s', async (refusal, request) => {
    expect(await treasury.call('owners', korn, request)).toMatchObject({ ok: false, refusal });
  });

  it('never leaves fewer than three', async () => {
    await changed({ change: 'remove', leaving: await addressOf('tan') }, [ek, ploy]);
    expect(await treasury.call('owners', korn, { change: 'remove', leaving: await addressOf('ek') })).toMatchObject({
      refusal: 'too_few_owners',
    });
  });
});

describe.skipIf(!hasLocalChain())('a deployment without a treasury', () => {
  let treasury: TreasuryTest;
  beforeAll(async () => {
    treasury = await openTreasuryTest();
  });
  afterAll(() => treasury.close());

  it('gets one by transactions that anybody may send', async () => {
    const { chain, test } = treasury.room;
    const config = { ...chain.config, treasury: null };
    const points = TREASURY_PEOPLE.map(({ workName }) => demoOwnerNamed(`${workName} later`).point);
    const handler = readTreasurySetupHandler({
      database: test.database,
      chain: { config, readers: [chain.reader] },
      coldOwners: [`0x${'c0'.repeat(20)}`],
      operators: {
        listColleagues: async () =>
          TREASURY_PEOPLE.slice(0, 3).map(({ id, workName }) => ({ id, work_name: workName })),
        readP256Passkey: async (_queries: unknown, id: bigint) =>
          id === 93n ? null : { id: `key${id}`, ...(points[Number(id - 91n)] ?? { x: 0n, y: 0n }) },
      },
    } as never);
    const read = async () =>
      ((await handler.run({} as never)) as unknown as { effect: ResultOf<typeof readTreasurySetup> }).effect;
    const before = await read();
    expect(before.people.map(({ operator, is_there: isThere }) => [operator.work_name, isThere])).toEqual([
      ['korn', false],
      ['fah', false],
      ['ploy', false],
    ]);
    expect(before.safe?.is_there).toBe(false);
    const stranger = `0x${'5e'.repeat(20)}`;
    await chain.rpc('anvil_setBalance', stranger, '0xde0b6b3a7640000');
    await chain.rpc('anvil_impersonateAccount', stranger);
    for (const create of [...before.people.map((one) => one.create), before.safe?.create])
      if (create)
        await chain.rpc('eth_sendTransaction', { from: stranger, ...create, gasPrice: '0x3b9aca00', gas: '0x4c4b40' });
    await chain.mine();
    const after = await read();
    expect(after.people.map(({ is_there: isThere }) => isThere)).toEqual([true, true, false]);
    expect(after.safe).toMatchObject({ address: before.safe?.address, is_there: true });
    const safe = await readSafe(chain.reader.rpc, after.safe?.address ?? '');
    expect(safe).toMatchObject({ threshold: 2, version: '1.5.0', modules: [], guard: null });
    expect(safe.owners.map(checksumAddressOf)).toEqual([
      ...after.people.flatMap(({ address }) => address ?? []),
      ...after.cold,
    ]);
  });
});

describe.skipIf(!hasLocalChain())('the hot wallet beside a treasury', () => {
  let treasury: TreasuryTest;
  beforeAll(async () => {
    treasury = await openTreasuryTest(usdt(1_000));
  });
  afterAll(() => treasury.close());

  it('keeps its ceiling: what it holds above goes to the treasury, and so do sweeps', async () => {
    const { room } = treasury;
    const { hot } = room.chain.config;
    const { safe } = treasury.treasury;
    const all = (await room.paidTo(hot)) + (await room.paidTo(safe));
    await room.signer().round();
    await treasury.settle();
    expect(await room.paidTo(hot)).toBe(usdt(750));
    expect(await room.paidTo(safe)).toBe(all - usdt(750));

    const address = (await room.addressOf(8_801n)) ?? '';
    await room.chain.send(address, usdt(300));
    await room.chain.rpc('anvil_setBalance', address, '0xde0b6b3a7640000');
    await treasury.settle(6);
    await room.signer().round();
    await treasury.settle(6);
    expect(await room.paidTo(address)).toBe(0n);
    expect(await room.paidTo(safe)).toBe(all - usdt(450));
    expect(await foundIn(treasury)).toEqual([]);
  });

  it('pays what needs nobody', async () => {
    const { room } = treasury;
    const asked = await treasury.ask(100);
    expect(await room.follow(asked.customer, asked.id)).toMatchObject({ step: 'done' });
    expect(await foundIn(treasury)).toEqual([]);
  });
});
