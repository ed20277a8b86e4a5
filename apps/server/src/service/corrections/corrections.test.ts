import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  approveApproval,
  approveCorrection,
  attestBalance,
  attestedText,
  buyOption,
  type CorrectionCase,
  type CorrectionCases,
  type CorrectionPreview,
  listAccountRecords,
  listCorrectionCases,
  listLedgerTransfers,
  listMessages,
  listOwnCorrections,
  listOwnMoneyDisputes,
  type MoneyDisputeCase,
  makeCorrection,
  type OwnCorrection,
  openMoneyDispute,
  previewCorrection,
  proposeMoneyAnswer,
  readApproval,
  readCorrection,
  readMoneyDispute,
  readOption,
  readReconciliation,
  rejectCorrection,
  stopCorrection,
} from '@sathorn/api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { SHORT_OPTION_SECONDS } from '../../whole/testing-server.ts';

/** Changes that the database's owner could make, and the invariant that detects each. */
const PLANTED: readonly [what: string, invariant: string, change: string][] = [
  [
    'a correction that nobody agreed to',
    'CR1',
    `UPDATE corrections.correction SET approval = gen_random_uuid() WHERE step = 'done'`,
  ],
  ['another reason than was agreed', 'CR1', `UPDATE corrections.correction SET words = 'x' WHERE step = 'done'`],
  [
    'a maker who also approved',
    'CR1',
    `UPDATE operators.vote v SET operator = a.made_by FROM operators.approval a WHERE a.id = v.approval AND a.kind = 'correction'`,
  ],
  [
    'a second person whose role may not',
    'CR1',
    `UPDATE operators.vote v SET role = 'support' FROM operators.approval a WHERE a.id = v.approval AND a.kind = 'correction'`,
  ],
  [
    'a larger amount',
    'CR2',
    `UPDATE corrections.correction SET units = units + 1, moved = moved + 1 WHERE kind = 'refund' AND step = 'done'`,
  ],
  [
    'another customer',
    'CR2',
    `UPDATE corrections.correction SET customer_id = customer_id + 1 WHERE kind = 'goodwill'`,
  ],
  ['another account of the house', 'CR2', `UPDATE corrections.correction SET house = 220 WHERE kind = 'refund'`],
  [
    'more than the transfer moved',
    'CR3',
    `UPDATE corrections.correction c SET transfer = (SELECT min(t.sequence) FROM ledger.transfer t WHERE t.code = 20 AND t.kind = 'h') WHERE kind = 'refund'`,
  ],
  ['a transfer without its correction', 'CR4', `DELETE FROM corrections.correction WHERE kind = 'goodwill'`],
  [
    'a debit that was announced for an hour only',
    'CR1',
    `UPDATE corrections.correction SET due_at = due_at - interval '23 hours' WHERE kind = 'reverse' AND step = 'done'`,
  ],
  [
    'a stopped debit that waits again',
    'CR5',
    `UPDATE corrections.correction SET step = 'announced', stopped_by = NULL, ended_at = NULL WHERE step = 'stopped'`,
  ],
  ['a debit that is gone', 'CR5', `DELETE FROM corrections.correction WHERE step = 'stopped'`],
  [
    'an amount that was exchanged everywhere but in the log',
    'CR5',
    `UPDATE corrections.correction SET units = units + 1 WHERE step = 'stopped'`,
  ],
];

describe('corrections', () => {
  let platform: TestPlatform;
  let customer = '';
  let other = '';
  let customerId = '';
  let lost = '';
  const tokens: Record<string, string> = {};
  const as = (name: string) => tokens[name] ?? '';
  const ask = (
    token: string,
    call: { method: string; path: string },
    fields: TestForm = {},
    key: string = randomUUID(),
  ): Promise<Envelope> => proposed(platform, `${call.method} ${call.path}`, fields, { token, 'idempotency-key': key });
  const get = async <Result>(
    token: string,
    call: { method: string; path: string },
    fields: TestForm = {},
    key?: string,
  ) => {
    const answer = await ask(token, call, fields, key);
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data as unknown as Result;
  };
  const read = (who: string, id: string) => get<CorrectionCase>(as(who), readCorrection, { id });
  const decide = async (who: string, id: string, decision: 'approve' | 'reject', change: TestForm = {}) => {
    const { decision: open, version } = await read('korn', id);
    const { approval = '', fingerprint = '' } = open ?? {};
    const step_up = await insertConfirmedStepUp(platform, as(who), {
      op: `approval.${decision}`,
      id: approval,
      fingerprint,
    });
    const call = decision === 'approve' ? approveCorrection : rejectCorrection;
    return ask(as(who), call, { id, version: String(version), fingerprint, step_up, ...change });
  };
  const spot = async (): Promise<number> => {
    const { items } = await get<{ items: { balance_after: string }[] }>(customer, listAccountRecords, { setup: 'all' });
    return Number(items[0]?.balance_after);
  };
  const notices = async (): Promise<string> => JSON.stringify(await get(customer, listMessages, { status: 'all' }));
  const transfersOf = async (purpose: string) =>
    (
      await get<{ items: { sequence: string; journal: string; kind: string; amount: string }[] }>(
        as('korn'),
        listLedgerTransfers,
        { q: customerId, purpose },
      )
    ).items;
  const goodwill = (): TestForm => ({
    kind: 'goodwill',
    customer: customerId,
    amount: '15',
    reason: 'goodwill',
    words: 'waited two days for an answer',
    case_kind: 'journal',
    case_id: lost,
  });

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index,settler' });
    await runAsOwner(
      platform.test.owner,
      `INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
       SELECT coin, ${SHORT_OPTION_SECONDS}, clock_timestamp(), payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max
       FROM options.terms WHERE coin = 'BTC' AND seconds = 30`,
    );
    customer = await platform.signIn(DEMO_CUSTOMER);
    other = await platform.signIn({ username: 'anan', password: 'Rama8Bridge' });
    for (const name of ['mai', 'ploy', 'korn', 'fah', 'arun'])
      tokens[name] = (await signInDemoOperator(platform, name)).token;
    const [row] = await platform.test.database.query<{ id: bigint }>(
      { name: '', text: 'SELECT id FROM customers.customer WHERE username = $1' },
      [DEMO_CUSTOMER.username],
    );
    customerId = String(row?.id);
    // Buys options in both directions, so one of them loses its stake.
    while (lost === '') {
      const bought = await Promise.all(
        ['up', 'down'].map((direction) =>
          get<{ id: string }>(customer, buyOption, {
            code: 'BTC',
            direction,
            quantity: '10',
            duration: String(SHORT_OPTION_SECONDS),
          }),
        ),
      );
      for (const { id } of bought)
        while ((await get<{ status: string }>(customer, readOption, { id })).status === 'holding') await sleep(200);
      lost = (await transfersOf('option_stake')).find(({ kind }) => kind === 'post')?.journal ?? '';
    }
  });
  afterAll(async () => {
    await platform.close();
  });

  it('I2 refund a wrong transfer with the second person’s vote, once', async () => {
    const stake = (await transfersOf('option_stake')).find(({ kind }) => kind === 'post');
    const wanted: TestForm = {
      kind: 'refund',
      customer: customerId,
      transfer: stake?.sequence ?? '',
      reason: 'settlement_fault',
      case_kind: 'journal',
      case_id: lost,
    };
    const preview = await get<CorrectionPreview>(as('korn'), previewCorrection, wanted);
    expect(preview).toMatchObject({ amount: '10.000000', house: 'options_pool', asset: 'USDT' });
    const before = await spot();
    const refused = async (change: TestForm, who = 'korn') =>
      (await ask(as(who), makeCorrection, { ...wanted, words: 'x', ...change })).data.code;
    expect(await refused({}, 'arun')).toBe('role_missing');
    expect(await refused({ amount: '10.000001' })).toBe('already_corrected');
    expect(await refused({ amount: '-1' })).toBe('amount_not_positive');
    expect(await refused({ house: 'goodwill' })).toBe('house_account_wrong');
    expect(await refused({ kind: 'reverse', reason: 'credited_wrongly' })).toBe('transfer_not_correctable');
    expect(await refused({ customer: '1' })).toBe('customer_unknown');
    expect(await refused({ case_id: randomUUID() })).toBe('case_unknown');

    const key = randomUUID();
    const made = await get<CorrectionCase>(as('korn'), makeCorrection, { ...wanted, words: 'replayed' }, key);
    expect(await get<CorrectionCase>(as('korn'), makeCorrection, { ...wanted, words: 'replayed' }, key)).toMatchObject({
      id: made.id,
    });
    // A proposal counts at once, so that two proposals cannot both pay.
    expect(await refused({})).toBe('already_corrected');
    expect(await spot()).toBe(before);
    expect((await get<{ items: unknown[] }>(customer, listOwnCorrections)).items).toEqual([]);

    expect((await decide('korn', made.id, 'approve')).data.code).toBe('maker_cannot_check');
    expect((await decide('mai', made.id, 'approve')).data.code).toBe('role_missing');
    expect((await decide('fah', made.id, 'approve', { fingerprint: 'a'.repeat(64) })).data.code).toBe(
      'fingerprint_stale',
    );
    expect((await decide('fah', made.id, 'approve', { version: '7' })).data.code).toBe('version_stale');
    expect(await spot()).toBe(before);
    const [first, second] = await Promise.all([decide('fah', made.id, 'approve'), decide('ploy', made.id, 'approve')]);
    expect([first.ret, second.ret].filter((ret) => ret === 1)).toHaveLength(1);
    expect(await spot()).toBe(before + 10);
    expect(await read('arun', made.id)).toMatchObject({
      step: 'done',
      moved: '10.000000',
      legs: [{ amount: '10.000000' }],
    });

    // The customer finds it in the statement, the corrections, and the notices.
    const { items } = await get<{ items: { kind: string; ref: string }[] }>(customer, listAccountRecords, {
      setup: 'all',
    });
    expect(items[0]).toMatchObject({ kind: 'correction_refund' });
    const own = await get<{ items: OwnCorrection[] }>(customer, listOwnCorrections, { id: items[0]?.ref ?? '' });
    expect(own.items).toMatchObject([
      { id: made.id, status: 'done', amount: '10.000000', wrong: { purpose: 'option_stake' } },
    ]);
    expect(own.items[0]?.people[0]).toBe('korn');
    expect(await notices()).toContain('J-0001');
    expect((await get<{ items: unknown[] }>(other, listOwnCorrections, { id: made.id })).items).toEqual([]);
  });

  it('announce a debit a day before, take at most what is available, and can be stopped', async () => {
    expect((await ask(as('korn'), makeCorrection, { ...goodwill(), amount: '200.000001' })).data.code).toBe(
      'above_correction_cap',
    );
    const gift = await get<CorrectionCase>(as('korn'), makeCorrection, goodwill());
    expect((await decide('arun', gift.id, 'reject')).ret).toBe(1);
    expect((await read('korn', gift.id)).step).toBe('rejected');
    const again = await get<CorrectionCase>(as('korn'), makeCorrection, goodwill());
    expect((await decide('arun', again.id, 'approve')).ret).toBe(1);
    const before = await spot();
    const [paid] = await transfersOf('correction_goodwill');

    const wrong: TestForm = {
      ...goodwill(),
      kind: 'reverse',
      reason: 'credited_wrongly',
      transfer: paid?.sequence ?? '',
      amount: '5',
    };
    // Korn proposed the payment and Arun approved it, so neither may take part in its reversal.
    expect((await ask(as('korn'), makeCorrection, wrong)).data.code).toBe('conflict_of_interest');
    const debit = await get<CorrectionCase>(as('fah'), makeCorrection, wrong);
    expect((await decide('arun', debit.id, 'approve')).data.code).toBe('conflict_of_interest');
    expect((await decide('ploy', debit.id, 'approve')).ret).toBe(1);
    expect(await read('korn', debit.id)).toMatchObject({ step: 'announced', amount: '-5.000000', journal: null });
    expect(await spot()).toBe(before);
    expect((await get<{ items: OwnCorrection[] }>(customer, listOwnCorrections)).items[0]).toMatchObject({
      status: 'announced',
    });
    expect((await ask(as('arun'), stopCorrection, { id: debit.id, note: 'the customer objected' })).ret).toBe(1);
    expect((await ask(as('arun'), stopCorrection, { id: debit.id, note: 'again' })).data.code).toBe(
      'correction_decided',
    );
    // The app's role can neither take the debit early nor restore it.
    const query = (text: string) => platform.test.database.query({ name: '', text }, [debit.id]);
    await expect(
      query(`UPDATE corrections.correction SET step = 'done', version = version + 1 WHERE id = $1`),
    ).rejects.toThrow();

    const taken = await get<CorrectionCase>(as('fah'), makeCorrection, { ...wrong, amount: '15' });
    expect((await decide('ploy', taken.id, 'approve')).ret).toBe(1);
    await runAsOwner(
      platform.test.owner,
      `SET session_replication_role = replica; WITH earlier AS (
         UPDATE corrections.correction SET due_at = due_at - interval '25 hours' WHERE id = '${taken.id}' RETURNING approval),
       asked AS (UPDATE operators.approval SET made_at = made_at - interval '25 hours' WHERE id IN (TABLE earlier))
       UPDATE operators.vote SET at = at - interval '25 hours' WHERE approval IN (TABLE earlier)`,
    );
    while ((await read('korn', taken.id)).step !== 'done') await sleep(300);
    expect(await spot()).toBe(before - 15);
    while (!(await notices()).includes('J-0005')) await sleep(200);
  });

  it('answer a dispute about money, by two people', async () => {
    const { items } = await get<{ items: OwnCorrection[] }>(customer, listOwnCorrections);
    const subject = items[0]?.id ?? '';
    expect((await ask(other, openMoneyDispute, { kind: 'correction', id: subject, reason: 'x' })).data.code).toBe(
      'dispute_subject_unknown',
    );
    const opened = await get<{ id: string }>(customer, openMoneyDispute, {
      kind: 'correction',
      id: subject,
      reason: 'I did not owe this',
    });
    expect((await ask(customer, openMoneyDispute, { kind: 'correction', id: subject, reason: 'x' })).data.code).toBe(
      'dispute_open',
    );
    const shown = await get<MoneyDisputeCase>(as('mai'), readMoneyDispute, { id: opened.id });
    expect(shown.evidence.transfers).toMatchObject([{ purpose: 'correction_reverse', amount: '15.000000' }]);
    expect(shown.checks.every(({ ok }) => ok)).toBe(true);

    const propose = (change: TestForm) =>
      ask(as('mai'), proposeMoneyAnswer, { id: opened.id, version: '0', text: 'You are right.', ...change });
    expect((await propose({ correction: subject })).data.code).toBe('correction_not_agreed');
    expect((await propose({ text: 'Pay a fee first, then we release it' })).data.code).toBe('text_asks_for_payment');
    const gift = await get<CorrectionCase>(as('korn'), makeCorrection, {
      ...goodwill(),
      case_kind: 'dispute',
      case_id: opened.id,
    });
    expect((await propose({ correction: gift.id })).data.code).toBe('correction_not_agreed');
    const cases = await get<CorrectionCases>(as('korn'), listCorrectionCases, { q: DEMO_CUSTOMER.username });
    expect(cases).toMatchObject({ customer: { id: customerId }, disputes: [{ id: opened.id, kind: 'correction' }] });
    expect((await ask(as('korn'), listCorrectionCases, { q: 'nobody' })).data.code).toBe('customer_unknown');
    expect((await decide('fah', gift.id, 'approve')).ret).toBe(1);
    expect((await propose({ correction: gift.id })).ret).toBe(1);
    const { approval } = await get<MoneyDisputeCase>(as('ploy'), readMoneyDispute, { id: opened.id });
    const { fingerprint } = await get<{ fingerprint: string }>(as('ploy'), readApproval, { id: approval?.id ?? '' });
    const step_up = await insertConfirmedStepUp(platform, as('ploy'), {
      op: 'approval.approve',
      id: approval?.id ?? '',
      fingerprint,
    });
    expect((await ask(as('ploy'), approveApproval, { id: approval?.id ?? '', fingerprint, step_up })).ret).toBe(1);
    const own = await get<{ items: unknown[] }>(customer, listOwnMoneyDisputes, { subject });
    expect(own.items).toMatchObject([
      { status: 'closed', finding: 'corrected', answer: 'You are right.', reviewers: ['mai', 'ploy'] },
    ]);
    expect((await get<{ items: unknown[] }>(other, listOwnMoneyDisputes)).items).toEqual([]);
    const { rails } = await get<{ rails: unknown[] }>(as('korn'), readReconciliation);
    expect(Array.isArray(rails)).toBe(true);
  });

  it('leave a bank statement as it was signed, compared with the ledger of that moment', async () => {
    const owner = `SELECT credits_posted - debits_posted AS units FROM ledger.account WHERE owner = 0 AND code = 112 AND asset = 'THB'`;
    const [now] = await platform.test.database.query<{ units: string }>({ name: '', text: owner });
    const key = randomUUID();
    const sign = async (counted: string, asOf: Date, change: TestForm = {}, again: string = key) => {
      const of = { asset: 'THB' as const, counted, as_of: asOf, statement: 'KBank, page 3' };
      const fingerprint = createHash('sha256').update(attestedText(of)).digest('hex');
      const step_up = await insertConfirmedStepUp(platform, as('korn'), {
        op: 'balance.attest',
        id: 'THB',
        fingerprint,
      });
      return ask(as('korn'), attestBalance, { ...of, as_of: asOf.toISOString(), step_up, ...change }, again);
    };
    const before = new Date(Date.now() - 20 * 86_400_000);
    expect(Number(now?.units)).not.toBe(0);
    // The first attestation has no confirmation; the second one's confirmation is for another amount.
    const unconfirmed = { asset: 'THB', counted: '5.00', as_of: before.toISOString(), statement: 'KBank, page 3' };
    expect((await ask(as('korn'), attestBalance, unconfirmed)).data.code).toBe('step_up_required');
    expect((await sign('5.00', before, { counted: '9.00' })).data.code).toBe('step_up_expired');
    expect(await sign('5.00', before)).toMatchObject({ data: { booked: '0.00', counted: '5.00' } });
    // If the request is sent again with another amount, it gets the first attestation. Signed twice, it is stored once.
    expect(await sign('6.00', before)).toMatchObject({ data: { counted: '5.00' } });
    expect(await sign('5.00', before, {}, randomUUID())).toMatchObject({ data: { counted: '5.00' } });
    const [entries] = await platform.test.database.query<{ n: number }>({
      name: '',
      text: `SELECT count(*)::integer AS n FROM operators.entry WHERE what = 'reconciliation.attested'`,
    });
    expect(entries?.n).toBe(1);
  });

  it('never pay for a transfer that left its chain, which may return and be credited', async () => {
    const deposit = randomUUID();
    const txid = `0x${'ab'.repeat(32)}`;
    await runAsOwner(
      platform.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, reason, amount, created_at, finished_at, chain, hash, output, token, sender, address)
       VALUES ('${deposit}', 'DPLOST00000001', ${customerId}, 'bnb', 'crypto', 'failed', 'reorganised', 50000000, now(), now(), 'bnb', '${txid}', 0,
         '0x${'1'.repeat(40)}', '0x${'2'.repeat(40)}', '0x${'3'.repeat(40)}')`,
    );
    const wanted: TestForm = { ...goodwill(), kind: 'refund', amount: '1', reason: 'deposit_lost', deposit };
    expect((await ask(as('korn'), makeCorrection, wanted)).data.code).toBe('deposit_not_lost');
    await runAsOwner(
      platform.test.owner,
      `SET session_replication_role = replica; DELETE FROM deposits.deposit WHERE id = '${deposit}'`,
    );
  });

  it('that are split into small ones need compliance like one large correction', async () => {
    const rolesOf = async () => {
      const made = await get<CorrectionCase>(as('korn'), makeCorrection, { ...goodwill(), amount: '200' });
      return made.decision?.roles;
    };
    expect(await rolesOf()).toContain('admin');
    await Promise.all(Array.from({ length: 16 }, rolesOf));
    expect(await rolesOf()).toEqual(['compliance']);
  });

  it.each<[string, string, string[], string]>([
    ['proposed by support', 'mai', ['compliance'], 'finance proposes it'],
    ['that support may approve', 'korn', ['compliance', 'support'], 'open to other roles'],
    ['that is large and that finance may approve', 'korn', ['finance'], 'compliance approves'],
    ['that is large and waits for compliance', 'korn', ['compliance'], 'stored'],
  ])('are held to their roles by the database: one %s', async (_what, maker, roles, outcome) => {
    const large = await platform.test.database.query<{ is: boolean }>({
      name: '',
      text: `SELECT corrections.sum_lately(${customerId}, 0, 'USDT', false) + 200000000 > corrections.small_max('USDT') AS is`,
    });
    for (const made of large[0]?.is ? [] : Array.from({ length: 4 }, () => ({ ...goodwill(), amount: '200' })))
      await get(as('korn'), makeCorrection, made);
    const [id, approval] = [randomUUID(), randomUUID()];
    const row = { customer: customerId, kind: 'goodwill', asset: 'USDT', units: '200000000', house: '280' };
    const content = { ...row, reason: 'goodwill', words: 'x', case_kind: 'journal', case_id: lost };
    const stored = platform.test.database.transaction(async (transaction) => {
      const run = (text: string, values: unknown[]) => transaction.query({ name: '', text }, values);
      await run(
        `SELECT operators.open_approval($1, 'correction', $2, $3, 1, $4, o.id, ARRAY[$5::bigint], 'goodwill', NULL) FROM operators.operator o WHERE o.work_name = $6`,
        [approval, id, JSON.stringify(content), roles, customerId, maker],
      );
      await run(
        `INSERT INTO corrections.correction (id, customer_id, kind, asset, units, house, reason, words, case_kind, case_id, approval, made_by, made_at, expires_at)
         SELECT $1, $2, 'goodwill', 'USDT', 200000000, 280, 'goodwill', 'x', 'journal', $3, $4, o.id, now(), now() + interval '1 day'
         FROM operators.operator o WHERE o.work_name = $5`,
        [id, customerId, lost, approval, maker],
      );
      throw new Error('stored');
    });
    await expect(stored).rejects.toThrow(outcome);
  });

  it.each(PLANTED)('are checked against the ledger: %s', async (_what, invariant, change) => {
    const owner = new pg.Client(platform.test.owner);
    await owner.connect();
    try {
      await owner.query('SET session_replication_role = replica');
      const { rows } = await owner.query<{ drop: string }>(
        `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop FROM pg_constraint
         WHERE contype = 'c' AND connamespace = 'corrections'::regnamespace`,
      );
      for (const { drop } of rows) await owner.query(drop);
      for (const [table, kept] of [
        ['corrections.correction', 'kept_corrections'],
        ['operators.vote', 'kept_votes'],
      ])
        await owner.query(`CREATE TEMP TABLE ${kept} AS TABLE ${table}`);
      const { rowCount } = await owner.query(change);
      expect(rowCount).toBeGreaterThan(0);
      const found = await findViolations(platform.test.owner, 'platform');
      expect(found.map((one) => one.invariant)).toContain(invariant);
    } finally {
      await owner.query(
        'DELETE FROM corrections.correction; INSERT INTO corrections.correction OVERRIDING SYSTEM VALUE SELECT * FROM kept_corrections',
      );
      await owner.query('DELETE FROM operators.vote; INSERT INTO operators.vote SELECT * FROM kept_votes');
      await owner.end();
    }
  });
});
