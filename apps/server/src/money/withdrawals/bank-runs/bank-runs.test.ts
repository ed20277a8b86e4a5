import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { BankRuns } from '@sathorn/api';
import { canonicalText, voterIdOf, writeAct } from '@sathorn/proof';
import { bankPaymentsOf, fingerprintOfBankRun, hashOfBankFile, writeBankFile, writeBankRun } from '@sathorn/treasury';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findUnsignedActs, findViolations } from '../../../checker/checker/index.ts';
import { runAsOwner } from '../../../platform/database/testing.ts';
import { demoVoterOf, signAsDemoVoter } from '../../../staff/votes/index.ts';
import { CLEAR_VERDICT, openWithdrawalsTest, usdt, type WithdrawalsTest } from '../testing-withdrawals.ts';

const SECRET = Buffer.alloc(32, 21);
const PEOPLE = [
  { id: 91n, workName: 'korn', role: 'finance' },
  { id: 92n, workName: 'fah', role: 'finance' },
  { id: 93n, workName: 'ploy', role: 'compliance' },
  { id: 94n, workName: 'tan', role: 'compliance' },
  { id: 95n, workName: 'mai', role: 'support' },
] as const;
type Person = (typeof PEOPLE)[number];
const [korn, fah, ploy, tan, mai] = PEOPLE;
const VOTERS = PEOPLE.map(({ id, role }) => demoVoterOf(SECRET, id, [role]));
const PINNED = { since: new Date(0).toISOString(), isDemo: true, voters: VOTERS };
const keyOf = ({ id }: Person): string => voterIdOf(demoVoterOf(SECRET, id, []).key);

describe('a run of the bank’s file', () => {
  let room: WithdrawalsTest;
  let customers = 900n;
  const asOwner = (text: string) => runAsOwner(room.test.owner, `SET session_replication_role = replica; ${text}`);
  const asApp = <Row extends object = object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    room.test.database.query<Row>({ name: '', text }, values);

  beforeAll(async () => {
    room = await openWithdrawalsTest();
    const people = PEOPLE.map(({ id, workName, role }) => `(${id}, '${workName}', '{${role}}')`).join();
    const keys = PEOPLE.map((one, n) => {
      const { key } = VOTERS[n] ?? { key: '' };
      return `('${keyOf(one)}', ${one.id}, 'demo', decode('${key}', 'hex'), '', 'demo', '{${one.role}}')`;
    }).join();
    await asOwner(
      `INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES ${people};
       INSERT INTO votes.key (id, operator, kind, public_key, party, name, pinned_roles) VALUES ${keys}`,
    );
  });
  afterAll(() => room.close());
  afterEach(() => {
    room.word = CLEAR_VERDICT;
    room.faults.length = 0;
  });

  /** A customer's payment; one of 50 USDT needs nobody's vote. */
  const requested = async (amount = 50): Promise<string> => {
    customers += 1n;
    const old = new Date('2026-01-01T00:00:00Z');
    const target = randomBytes(16).toString('base64url');
    room.payees.set(target, {
      kind: 'card',
      id: target,
      name: 'SCB',
      bank: 'SCB',
      ifsc: '0123',
      number: '0123456789',
      realName: 'Nicha Phromsiri',
      phone: '0812345678',
      email: 'bank@demo.example',
      addedAt: old,
      usableFrom: old,
      accountDigest: randomBytes(32).toString('hex'),
    });
    await room.fund(customers, amount + 50);
    const answer = await room.call('extract', customers, { channel: 'bank', target, amount, paypass: '830274' });
    expect(answer).toMatchObject({ ok: true });
    await room.progress(answer.effect.id);
    return answer.effect.id;
  };
  const call = <Effect = { run: string; csv: string }>(name: string, by: Person, request: object, more = {}) =>
    room.ask<Effect>(name.includes(' ') ? name : `POST /admin/treasury/bank/${name}`, request, {
      id: by.id,
      workName: by.workName,
      roles: [by.role],
      ...more,
    });
  const read = async (by: Person = korn): Promise<BankRuns> =>
    (await call<BankRuns>('GET /admin/treasury/bank', by, {})).effect;
  const open = async (...withdrawals: string[]): Promise<string> => {
    const answer = await call('open', korn, { withdrawals });
    expect(answer).toMatchObject({ ok: true });
    return answer.effect.run;
  };
  const download = (run: string) => call('file', korn, { id: run });
  const stepsOf = async (...ids: string[]): Promise<string[]> =>
    (
      await asApp<{ step: string }>(
        'SELECT step FROM withdrawals.withdrawal WHERE id = ANY ($1::uuid[]) ORDER BY created_at',
        [`{${ids.join()}}`],
      )
    ).map(({ step }) => step);

  /** A confirmation in this person's name, all of whose columns the application's login may write. */
  const confirmation = async (
    by: Person,
    run: string,
    fingerprint: string,
    isReal = true,
  ): Promise<{ stepUp: string; sessionId: string }> => {
    const [sessionId, stepUp] = [randomUUID(), randomUUID()];
    await asApp(
      `SELECT operators.open_session($1, sha256(uuid_send(gen_random_uuid())), $2, 'passkey', 'd', 'a', now())`,
      [sessionId, by.id],
    );
    await asApp(
      `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at)
       VALUES ($1, 'decision', $2, $3, 'bank_run.sign', $4, decode($5, 'hex'), repeat('x', 43), now() + interval '2 minutes')`,
      [stepUp, by.id, sessionId, run, fingerprint],
    );
    const text = writeAct({ act: 'bank_run.sign', subject: run, fingerprint, stepUp }, String(by.id));
    const proof = isReal ? signAsDemoVoter(SECRET, by.id, text) : canonicalText({ signature: '0'.repeat(128) });
    await asApp(
      `UPDATE operators.challenge SET confirmed_at = clock_timestamp(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
      [stepUp, keyOf(by), proof],
    );
    return { stepUp, sessionId };
  };
  /** Signs what this person's console shows. */
  const sign = async (by: Person, run: string, { hash = '', fingerprint = '' } = {}) => {
    const payments = bankPaymentsOf((await read(by)).run?.lines ?? []);
    const confirmed = await confirmation(by, run, fingerprint || fingerprintOfBankRun(run, payments));
    return call('sign', by, { id: run, hash: hash || hashOfBankFile(payments) }, confirmed);
  };
  /** Votes of this test are planted, and so have no signatures. */
  const unsigned = async (): Promise<string[]> =>
    (await findUnsignedActs(room.test.checker, PINNED)).filter((found) => found.startsWith('bank_run'));
  const found = async (): Promise<string[]> =>
    (await findViolations(room.test.checker))
      .filter(({ invariant }) => /^(TR|WW3)/.test(invariant))
      .flatMap(({ invariant, subjects }) => subjects.map((subject) => `${invariant} ${subject}`));

  it('has only what the checker has scanned, and nothing while the checker has a finding', async () => {
    const id = await requested();
    const [taken] = await asApp<{ sequence: bigint }>(
      'SELECT t.sequence FROM withdrawals.withdrawal w JOIN ledger.transfer t ON t.resolves = w.hold WHERE w.id = $1',
      [id],
    );
    const sequence = taken?.sequence ?? 0n;
    for (const word of [null, { sequence: sequence - 1n, isClear: true }, { sequence, isClear: false }]) {
      room.word = word;
      expect(await read()).toMatchObject({ waiting: [], later: 1 });
      expect(await call('open', korn, { withdrawals: [id] })).toMatchObject({ refusal: 'payments_unchecked' });
    }
    room.word = { sequence, isClear: true };
    const later = await requested();
    const { waiting } = await read();
    expect(waiting).toMatchObject([{ withdrawal: { id, examined_by: [] }, name: 'Nicha Phromsiri' }]);
    expect(waiting[0]?.account).not.toContain('0123456789');
    const run = await open(id);
    room.word = CLEAR_VERDICT;
    expect(await call('open', korn, { withdrawals: [later] })).toMatchObject({ refusal: 'run_open' });
    room.word = null;
    expect(await sign(fah, run)).toMatchObject({ refusal: 'payments_unchecked' });
    room.word = CLEAR_VERDICT;
    expect(await call('withdraw', ploy, { id: run })).toMatchObject({ ok: true });
    expect((await read()).waiting.map(({ withdrawal }) => withdrawal.id)).toEqual([id, later]);
  });

  it.each([
    ['without an authorisation', 'DELETE FROM withdrawals.authorisation'],
    [
      'whose authorisation nobody signed',
      `UPDATE withdrawals.authorisation SET signature = decode(repeat('00', 64), 'hex')`,
    ],
    ['of another amount than was authorised', 'UPDATE withdrawals.withdrawal SET amount = amount + 1'],
  ])('has no payment %s', async (_what, change) => {
    const id = await requested();
    await asOwner(`${change} WHERE ${change.includes('authorisation') ? 'withdrawal_id' : 'id'} = '${id}'`);
    expect((await read()).waiting.map(({ withdrawal }) => withdrawal.id)).not.toContain(id);
    expect(await call('open', korn, { withdrawals: [id] })).toMatchObject({ refusal: 'run_line_unknown' });
    expect(room.faults.map(String).join()).toContain(`withdrawal ${id} has no valid authorisation`);
  });

  it('reaches the bank once two people have signed exactly its lines who examined none of them', async () => {
    const examined = await requested(2_000);
    expect(await stepsOf(examined)).toEqual(['first_check']);
    // Two people must agree to this amount: one of them examines it, and the signatures stand for the other.
    await room.examine(examined, tan);
    const [first] = (await read()).waiting;
    const ids = [first?.withdrawal.id ?? '', examined];
    const run = await open(...ids);
    const { lines = [], total } = (await read()).run ?? {};
    expect(lines.map(({ withdrawal }) => withdrawal.id)).toEqual(ids);
    expect(lines[1]).toMatchObject({ account: '0123456789', withdrawal: { examined_by: [{ id: '94' }] } });
    const csv = writeBankFile(bankPaymentsOf(lines));
    expect(csv.split('\r\n')).toHaveLength(4);

    expect((await read(tan)).refusal).toBe('examined_by_you');
    expect(await sign(tan, run)).toMatchObject({ refusal: 'examined_by_you' });
    expect(await sign(fah, run, { hash: 'ab'.repeat(32) })).toMatchObject({ refusal: 'run_hash_differs' });
    // What was confirmed is another file, or another run of the same file.
    const payments = bankPaymentsOf(lines);
    for (const fingerprint of [
      fingerprintOfBankRun(run, payments.toReversed()),
      fingerprintOfBankRun(randomUUID(), payments),
      hashOfBankFile(payments),
    ])
      expect(await sign(fah, run, { fingerprint })).toMatchObject({ refusal: 'step_up_expired' });
    expect(await call('sign', fah, { id: run, hash: hashOfBankFile(payments) })).toMatchObject({
      refusal: 'step_up_required',
    });
    expect(await download(run)).toMatchObject({ refusal: 'run_unsigned' });

    expect(await sign(fah, run)).toMatchObject({ ok: true, effect: { signatures: 1, needed: 2 } });
    expect(await sign(fah, run)).toMatchObject({ refusal: 'already_signed' });
    expect(await stepsOf(...ids)).toEqual(['approved', 'approved']);
    expect(await download(run)).toMatchObject({ refusal: 'run_unsigned' });
    // It is in an open run, so nobody gives it back.
    const back = `UPDATE withdrawals.withdrawal SET step = 'returned', reason = 'not_payable', finished_at = now(), journal = gen_random_uuid() WHERE id = $1`;
    await expect(asApp(back, [examined])).rejects.toThrow('is in a payment run');

    expect(await sign(ploy, run)).toMatchObject({ ok: true, effect: { signatures: 2, needed: 2 } });
    expect(await stepsOf(...ids)).toEqual(['sending', 'sending']);
    for (let n = 0; n < 2; n += 1)
      expect(await download(run)).toMatchObject({
        ok: true,
        effect: { csv, hash: createHash('sha256').update(csv).digest('hex') },
      });
    room.word = null;
    expect(await download(run)).toMatchObject({ refusal: 'payments_unchecked' });
    room.word = CLEAR_VERDICT;
    expect(await sign(korn, run, { hash: hashOfBankFile(payments) })).toMatchObject({ refusal: 'run_closed' });
    expect(await call('withdraw', korn, { id: run })).toMatchObject({ refusal: 'run_closed' });
    const after = await read();
    expect(after).toMatchObject({
      run: null,
      recent: [{ id: run, step: 'signed', count: 2, total }, { step: 'withdrawn' }],
    });
    expect(after.waiting.map(({ withdrawal }) => withdrawal.id)).not.toContain(examined);
    expect(await unsigned()).toEqual([]);
    expect(await found()).toEqual([]);
  });

  it('lapses, and its payments wait for another one', async () => {
    const id = await requested();
    const run = await open(id);
    await asOwner(
      `UPDATE withdrawals.bank_run SET opened_at = now() - interval '2 days', lapses_at = now() - interval '1 day' WHERE id = '${run}'`,
    );
    expect(await sign(fah, run)).toMatchObject({ refusal: 'run_lapsed' });
    const planted = await confirmation(fah, run, 'ab'.repeat(32), false);
    await expect(
      asApp('INSERT INTO withdrawals.bank_signature (run, operator, step_up) VALUES ($1, $2, $3)', [
        run,
        fah.id,
        planted.stepUp,
      ]),
    ).rejects.toThrow('takes no signature');
    await asApp(`UPDATE withdrawals.bank_run SET step = 'lapsed', ended_at = now() WHERE id = '${run}'`);
    expect((await read()).recent.find((one) => one.id === run)).toMatchObject({ step: 'lapsed' });
    const again = await open(id);
    for (const person of [fah, ploy]) expect(await sign(person, again)).toMatchObject({ ok: true });
    expect(await stepsOf(id)).toEqual(['sending']);
  });

  it('is not signed, and no file is given out, once a line has changed', async () => {
    const id = await requested();
    const run = await open(id);
    const baht = (change: string) =>
      asOwner(`UPDATE withdrawals.withdrawal SET baht = baht ${change} WHERE id = '${id}'`);
    await baht('+ 100');
    expect(await sign(fah, run)).toMatchObject({ refusal: 'run_hash_differs' });
    await baht('- 100');
    for (const person of [fah, ploy]) expect(await sign(person, run)).toMatchObject({ ok: true });
    await baht('+ 100');
    expect(await download(run)).toMatchObject({ refusal: 'run_unsigned' });
    expect(room.faults.map(String).join()).toContain('is not what two people signed');
    expect(await unsigned()).toEqual([`bank_run.sign ${run}`]);
    await baht('- 100');
    expect(await unsigned()).toEqual([]);
    expect(await download(run)).toMatchObject({ ok: true });
  });

  it('can’t be written by whoever has the application’s login, or the checker finds it', async () => {
    const [id, other] = [await requested(2_000), await requested()];
    const move = (step: string, more = '') =>
      asApp(`UPDATE withdrawals.withdrawal SET step = '${step}'${more} WHERE id = $1`, [other]);
    await expect(move('sending', ', sent_at = now()')).rejects.toThrow('is in no file that two people signed');
    await expect(move('sending', ', export = gen_random_uuid()')).rejects.toThrow('permission denied');
    await expect(move('done', `, reference = 'X', finished_at = now(), journal = gen_random_uuid()`)).rejects.toThrow(
      'is in no file that two people signed',
    );

    const line = (run: string, withdrawal: string, place = 50) =>
      asApp('INSERT INTO withdrawals.bank_line (run, place, withdrawal_id) VALUES ($1, $2, $3)', [
        run,
        place,
        withdrawal,
      ]);
    const signature = (run: string, by: Person, stepUp: string) =>
      asApp('INSERT INTO withdrawals.bank_signature (run, operator, step_up) VALUES ($1, $2, $3)', [
        run,
        by.id,
        stepUp,
      ]);
    await room.examine(id, tan);
    const run = await open(id);
    await expect(line(run, id)).rejects.toThrow('is not to be paid by the bank');
    await expect(
      asApp(`UPDATE withdrawals.bank_run SET step = 'signed', ended_at = now() WHERE id = $1`, [run]),
    ).rejects.toThrow('can’t move'.replace('’', "'"));
    await expect(
      asApp(`UPDATE withdrawals.bank_run SET step = 'lapsed', ended_at = now() WHERE id = $1`, [run]),
    ).rejects.toThrow();
    const payments = bankPaymentsOf((await read()).run?.lines ?? []);
    const fingerprint = fingerprintOfBankRun(run, payments);
    expect(fingerprint).toBe(createHash('sha256').update(writeBankRun(run, payments)).digest('hex'));
    /** Has the form of a signature, and is none. */
    const planted = async (by: Person, of = fingerprint) => {
      const { stepUp } = await confirmation(by, run, of, false);
      await asApp('UPDATE operators.challenge SET used_at = clock_timestamp() WHERE id = $1', [stepUp]);
      return stepUp;
    };
    for (const [by, stepUp, why] of [
      [tan, await planted(tan), 'examined a line'],
      [mai, await planted(mai), 'signs no bank run'],
      [fah, await planted(ploy), 'did not sign'],
      [fah, await planted(fah, 'ab'.repeat(32)), 'did not sign'],
    ] as const)
      await expect(signature(run, by, stepUp)).rejects.toThrow(why);
    await signature(run, fah, await planted(fah));
    await expect(line(run, other)).rejects.toThrow('takes no more lines');
    expect(await stepsOf(id)).toEqual(['approved']);
    await expect(signature(run, fah, await planted(fah))).rejects.toThrow();

    // Two signatures that nobody made move the rows. Nobody gets the file, and the checker stops money.
    expect(await unsigned()).toEqual([`bank_run.sign ${run}`]);
    await signature(run, ploy, await planted(ploy));
    expect(await stepsOf(id)).toEqual(['sending']);
    expect(await download(run)).toMatchObject({ refusal: 'run_unsigned' });
    expect(room.faults.map(String).join()).toContain('is not what two people signed');
    expect(await unsigned()).toEqual([`bank_run.sign ${run}`]);
    expect(await found()).toEqual([]);
  });

  it.each([
    ['at the bank in no file', (id: string) => `UPDATE withdrawals.withdrawal SET step = 'sending' WHERE id = '${id}'`],
    [
      'in a file of its own',
      (id: string) =>
        `UPDATE withdrawals.withdrawal SET step = 'sending', export = gen_random_uuid() WHERE id = '${id}'`,
    ],
    [
      'in a file that one person signed',
      (id: string) =>
        `DELETE FROM withdrawals.bank_signature s USING withdrawals.bank_line l WHERE l.run = s.run AND s.operator = 92 AND l.withdrawal_id = '${id}'`,
    ],
    [
      'in a file that was signed by who examined it',
      (id: string) =>
        `UPDATE withdrawals.bank_signature s SET operator = 94 FROM withdrawals.bank_line l WHERE l.run = s.run AND s.operator = 92 AND l.withdrawal_id = '${id}'`,
    ],
    [
      'in two files',
      (id: string) =>
        `INSERT INTO withdrawals.bank_line (run, place, withdrawal_id) SELECT r.id, 60, '${id}' FROM withdrawals.bank_run r WHERE r.step = 'signed' AND NOT EXISTS (SELECT FROM withdrawals.bank_line o WHERE o.run = r.id AND o.withdrawal_id = '${id}') LIMIT 1`,
    ],
  ])('is found by the checker: a payment %s', async (what, change) => {
    const id = await requested(2_000);
    await room.examine(id, tan);
    if (!/no file|its own/.test(what)) {
      const run = await open(id);
      for (const person of [fah, ploy]) expect(await sign(person, run)).toMatchObject({ ok: true });
    }
    const before = await found();
    expect(before.filter((line) => line.startsWith('TR5'))).not.toContain(`TR5 ${id}`);
    await asOwner(change(id));
    expect(await found()).toContain(`TR5 ${id}`);
  });

  it('isn’t wanted for a payment whose file went to the bank before files were signed', async () => {
    const id = await requested();
    await asOwner(
      `UPDATE withdrawals.withdrawal SET step = 'sending', sent_at = now(), export = gen_random_uuid() WHERE id = '${id}'`,
    );
    expect(await found()).toContain(`TR5 ${id}`);
    await asOwner(
      `INSERT INTO withdrawals.bank_file_before SELECT export FROM withdrawals.withdrawal WHERE id = '${id}'`,
    );
    expect(await found()).not.toContain(`TR5 ${id}`);
    // It goes on: the bank did not answer, and two people say later that it has paid.
    const end = `, reference = 'OLD-1', finished_at = now(), journal = gen_random_uuid()`;
    for (const [step, more] of [
      ['sent_unknown', ''],
      ['done', end],
    ])
      await asApp(`UPDATE withdrawals.withdrawal SET step = '${step}'${more} WHERE id = $1`, [id]);
    expect(await found()).not.toContain(`TR5 ${id}`);
  });

  it('leaves each customer with what the payment took', async () => {
    expect(await room.available(901n)).toBe(usdt(50));
  });
});
