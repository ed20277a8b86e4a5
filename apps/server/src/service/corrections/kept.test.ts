import { randomUUID } from 'node:crypto';
import {
  type CorrectionCase,
  handInKept,
  type KeptItem,
  listKeptTexts,
  makeCorrection,
  type OptionReceipt,
  previewCorrection,
  type ResultOf,
} from '@sathorn/api';
import { canonicalText } from '@sathorn/proof';
import pg from 'pg';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import type { Options } from '../../exchange/options/index.ts';
import { type OptionsTest, openOptionsTest, usdt } from '../../exchange/options/testing.ts';
import { copyDatabase, runAsOwner } from '../../platform/database/testing.ts';
import { readRestorations } from '../../platform/proofs/index.ts';
import { approveCorrectionHandler } from './approve-correction.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { openCorrections } from './open-corrections.ts';

const PRICE = 64_000_000_000n;
/** The price always rises, so `up` wins. */
const climbs = (at: number): bigint => PRICE + BigInt(at % 1_000_000_000) * 1_000n;
const [CUSTOMER, OTHER] = [11n, 12n];
const [KORN, FAH] = [91n, 92n];

/** A platform whose database is lost, and one that is restored from an earlier copy. */
describe('what a device kept over a restoration', () => {
  let burnt: OptionsTest;
  let room: OptionsTest;
  let options: Options;
  let handlers: ReturnType<typeof openCorrections>['handlers'];
  let approve: ReturnType<typeof approveCorrectionHandler>;
  /** Orders that were settled before the copy, bought before and settled after it, and bought after it. */
  let before = {} as OptionReceipt;
  let across = {} as OptionReceipt;
  let won = {} as OptionReceipt;
  let lost = {} as OptionReceipt;

  const operator = (id: bigint) => ({
    id,
    workName: `aa${id}`,
    roles: ['finance'],
    sessionId: randomUUID(),
    stepUp: null,
  });
  const answer = async (
    call: { path: string; request: unknown },
    fields: object,
    who: object,
    id = randomUUID(),
  ): Promise<{ ok: boolean; refusal?: string; effect?: unknown }> => {
    const parsed = v.safeParse(call.request as typeof handInKept.request, fields);
    if (!parsed.success) return { ok: false, refusal: 'malformed_request' };
    const handler = handlers?.find((one) => one.call.path === call.path);
    const context = { request: parsed.output, ...who, intent: { id, digest: 'x' }, now: new Date(), language: 'en' };
    const decision = await (handler ?? approve).run(context as never);
    return decision as { ok: boolean; refusal?: string; effect?: unknown };
  };
  const done = async <Result>(...of: Parameters<typeof answer>): Promise<Result> => {
    const { ok, refusal, effect } = await answer(...of);
    if (!ok) throw new Error(refusal);
    return effect as Result;
  };
  const handIn = (customer: bigint, ...texts: unknown[]) =>
    done<ResultOf<typeof handInKept>>(
      handInKept,
      { texts: JSON.stringify(texts) },
      { customer: { id: customer, sessionId: 'x' } },
    );
  const why = async (customer: bigint, ...texts: unknown[]) =>
    (await handIn(customer, ...texts)).refused.map((refused) => refused.why);
  const list = async () =>
    (await done<{ items: KeptItem[] }>(listKeptTexts, { customer: String(CUSTOMER) }, { operator: operator(KORN) }))
      .items;
  const kept = async (receipt: OptionReceipt): Promise<KeptItem> => {
    const found = (await list()).find(({ hash }) => hash === receipt.terms.hash);
    if (!found) throw new Error('not handed in');
    return found;
  };
  const wantedFor = async (receipt: OptionReceipt) => ({
    kind: 'refund',
    customer: String(CUSTOMER),
    kept: receipt.terms.hash,
    reason: 'kept_receipt',
    case_kind: 'kept',
    case_id: (await kept(receipt)).case.id,
    words: 'as the receipt says',
  });
  const propose = async (receipt: OptionReceipt, change: object = {}) =>
    answer(makeCorrection, { ...(await wantedFor(receipt)), ...change }, { operator: operator(KORN) });
  const refused = async (receipt: OptionReceipt, change: object = {}) => (await propose(receipt, change)).refusal;
  const decide = (made: CorrectionCase, by: bigint) =>
    approve.run({
      ...{ request: { id: made.id, version: made.version, fingerprint: 'x' }, operator: operator(by) },
      ...{ intent: { id: randomUUID(), digest: 'x' }, now: new Date(), language: 'en' },
    } as never);
  const spot = async () => {
    const { available, held } = await room.spot(CUSTOMER);
    return available + held;
  };
  const profitOf = ({ result }: OptionReceipt): number => Number(result.profit) - Number(result.fee);
  const buy = async (
    of: OptionsTest,
    from: Options,
    direction: 'up' | 'down',
    seconds: number,
    intent = of.intent(),
  ) => {
    const order = { customer: CUSTOMER, coin: 'BTC', direction, stake: usdt('10'), seconds } as const;
    const decision = await from.buy(order, intent);
    if (!decision.ok) throw new Error(decision.refusal);
    return decision.effect.id;
  };
  const receiptOf = async (from: Options, id: string): Promise<OptionReceipt> => {
    const read = await from.read(CUSTOMER, id);
    if (!read.ok || read.effect.receipt === null) throw new Error(id);
    return read.effect.receipt;
  };
  const publish = (of: OptionsTest, seconds: number) =>
    of.publish('BTC', (Math.floor(of.clock.ms / 1_000) + seconds) * 1_000, climbs);

  beforeAll(async () => {
    burnt = await openOptionsTest();
    const first = await burnt.open();
    for (const customer of [CUSTOMER, OTHER]) await burnt.fund(customer, '1000');
    await publish(burnt, 3);
    burnt.clock.ms += 123;
    const early = await buy(burnt, first, 'up', 30);
    await publish(burnt, 40);
    await first.settleDue();
    before = await receiptOf(first, early);
    burnt.clock.ms += 123;
    const running = await buy(burnt, first, 'up', 60);
    await publish(burnt, 5);
    const copy = await copyDatabase(burnt.test);
    const endsAt = new Date(burnt.clock.ms);

    burnt.clock.ms += 123;
    const [winner, loser] = [await buy(burnt, first, 'up', 30), await buy(burnt, first, 'down', 30)];
    await publish(burnt, 80);
    await first.settleDue();
    [across, won, lost] = [
      await receiptOf(first, running),
      await receiptOf(first, winner),
      await receiptOf(first, loser),
    ];

    room = await openOptionsTest(copy);
    room.clock.ms = burnt.clock.ms + 60_000;
    await runAsOwner(
      copy.owner,
      `INSERT INTO proofs.restoration (restored_at, ends_at, known_at, transfers, known_transfers, ticks, known_ticks)
         VALUES ('${room.clock.now().toISOString()}', '${endsAt.toISOString()}', now(), 1, 1, '{}', '{}');
       SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'korn', '{finance}'), (92, 'fah', '{compliance}')`,
    );
    options = await room.open();
    // No ticks were published between the end of the copy and the restoration.
    const restoredMs = room.clock.ms;
    await room.publish('BTC', restoredMs + 3_000, (at) => (at < restoredMs ? null : climbs(at)));
    await options.settleDue();

    const { database } = copy;
    const sql = (text: string) => ({ name: '', text });
    const approvals: Pick<CorrectionsDependencies['approvals'], 'propose' | 'vote'> = {
      async propose(transaction, by, { kind, subject, fingerprintOf, roles, about = [], reason, expiresAt }) {
        const id = randomUUID();
        await transaction.query(sql('SELECT operators.open_approval($1, $2, $3, $4, 1, $5, $6, $7, $8, $9)'), [
          ...[id, kind, subject, canonicalText(fingerprintOf), [...roles], by.id, [...about], reason, expiresAt],
        ]);
        return { ok: true, effect: { id, fingerprint: '' } };
      },
      // Writes what the second person in the console would write; `approvals.test.ts` tests the votes themselves.
      async vote(_transaction, { id, operator: by }) {
        await runAsOwner(
          copy.owner,
          `SET session_replication_role = replica;
           UPDATE operators.approval SET status = 'approved', decided_at = now() WHERE id = '${id}';
           INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role)
             SELECT id, ${by.id}, '${randomUUID()}', 'approve', fingerprint, 'compliance' FROM operators.approval WHERE id = '${id}'`,
        );
        return { ok: true, effect: { isDecided: true } as never };
      },
    };
    const stubs = {
      database,
      clock: room.clock,
      ledger: room.ledger,
      messages: { send: async () => undefined, preview: () => '' },
      audit: { append: async () => undefined },
      votesOf: async () => new Map(),
      viewApproval: async () => null,
      isCustomer: async () => true,
      usernameOf: async () => 'nicha',
      workNameOf: async () => 'korn',
      concernedBy: async (customer: bigint) => [customer],
      ownAccountOf: async () => null,
      disputesOf: async () => [],
      keys: async () => room.keys,
      restorations: () => readRestorations(database),
      options,
      onFault: (error: unknown) => void room.faults.push(error),
      approvals,
    };
    const corrections = stubs as unknown as CorrectionsDependencies;
    handlers = openCorrections(corrections).handlers;
    approve = approveCorrectionHandler(corrections, async () => undefined);
  });
  afterAll(async () => {
    const found = (await room.violations()) as { invariant: string }[];
    // The stubs write no log, so the checker's findings about logs are ignored.
    expect(found.filter(({ invariant }) => !/^(CR1|CR5|OP|M)/.test(invariant))).toEqual([]);
    expect(room.faults).toEqual([]);
    await room.close();
    await burnt.close();
  });

  it('is refused by name unless it is signed, this customer’s, and of the lost time', async () => {
    expect([before, across, won, lost].map(({ result }) => result.status)).toEqual(['won', 'won', 'won', 'lost']);
    const { tree } = won.terms;
    const another = {
      ...won,
      terms: {
        ...won.terms,
        tree: { ...tree, signature: `${tree.signature.startsWith('0') ? 1 : 0}${tree.signature.slice(1)}` },
      },
    };
    const dearer = { ...won, result: { ...won.result, credited: String(Number(won.result.credited) + 1) } };
    const bolder = { ...lost, result: won.result };
    // Leaves out the ticks that would prove the end of the order.
    const shorter = { ...won, ticks: { ...won.ticks, end: won.ticks.start, after_end: null } };
    expect(await why(CUSTOMER, another, dearer, bolder, shorter, another.terms)).toEqual(Array(5).fill('kept_forged'));
    expect(await why(OTHER, won, won.terms)).toEqual(['kept_not_yours', 'kept_not_yours']);
    expect(await why(OTHER, { ...won, account: { ...won.account, customer: '12' } })).toEqual(['kept_forged']);
    expect(await why(CUSTOMER, before)).toEqual(['kept_outside_restoration']);
    room.clock.ms += 123;
    const open = await receiptOf(options, await buy(room, options, 'up', 30));
    expect(await why(CUSTOMER, open)).toEqual(['kept_outside_restoration']);
    for (const texts of [
      '[]',
      '{}',
      '[1]',
      'x',
      JSON.stringify([{ ...won, ticks: null }]),
      JSON.stringify(Array(51).fill(won.terms)),
    ])
      expect(await answer(handInKept, { texts }, {})).toMatchObject({ refusal: 'malformed_request' });
    expect(await list()).toEqual([]);
  });

  it('becomes one case, which contains each text once', async () => {
    const open = await handIn(CUSTOMER, won.terms);
    expect(open).toMatchObject({ case: 'K-0001', taken: [{ hash: won.terms.hash }], refused: [] });
    expect(await kept(won)).toMatchObject({ ended: null, why_not: 'kept_terms_only' });
    expect(await refused(won)).toBe('kept_terms_only');
    expect(await handIn(CUSTOMER, won, lost, across)).toMatchObject({
      case: 'K-0001',
      taken: [won, lost, across].map(({ terms }) => ({ hash: terms.hash })),
    });
    const [again] = (await handIn(CUSTOMER, won)).refused;
    expect(again).toMatchObject({ why: 'kept_already_taken', text: 'Support already has this text.' });
    expect(await why(CUSTOMER, won.terms)).toEqual(['kept_already_taken']);
    const gain = (profitOf(won) / 1e6).toFixed(6);
    expect(await kept(won)).toMatchObject({ ended: 'won', booked: 'unknown', amount: gain, why_not: null });
    expect(await kept(lost)).toMatchObject({ ended: 'lost', booked: 'unknown', why_not: 'kept_nothing_due' });
    expect(await kept(across)).toMatchObject({
      ended: 'won',
      booked: 'void',
      amount: (profitOf(across) / 1e6).toFixed(6),
    });
    expect(await list()).toHaveLength(3);
  });

  it('is still worth only its profit when its id is bought again and loses', async () => {
    const { order } = JSON.parse(won.terms.body) as { order: string };
    expect(await buy(room, options, 'down', 30, { id: order, digest: 'buy' })).toBe(order);
    const gain = (profitOf(won) / 1e6).toFixed(6);
    expect(await kept(won)).toMatchObject({ booked: 'unknown', amount: gain });
    await publish(room, 40);
    await options.settleDue();
    expect((await receiptOf(options, order)).result.status).toBe('lost');
    expect(await kept(won)).toMatchObject({ booked: 'unknown', amount: gain });
  });

  it('is paid once, by two people, at the amount of the rule, after the restoration is reconciled', async () => {
    expect(await refused(lost)).toBe('kept_nothing_due');
    expect(await refused(won, { amount: '0.01' })).toBe('kept_amount_fixed');
    expect(await refused(won, { amount: '9999' })).toBe('kept_amount_fixed');
    expect(await refused(won, { reason: 'settlement_fault' })).toBe('reason_mismatch');
    expect(await refused(won, { case_id: randomUUID() })).toBe('case_unknown');
    expect(await refused(won, { kept: 'ab'.repeat(32) })).toBe('kept_unknown');
    const { words: _words, ...asked } = await wantedFor(won);
    expect(await done(previewCorrection, asked, { operator: operator(KORN) })).toMatchObject({
      amount: (profitOf(won) / 1e6).toFixed(6),
      house: 'options_pool',
    });
    const made = (await propose(won)).effect as CorrectionCase;
    expect(made).toMatchObject({ kept: won.terms.hash, step: 'proposed' });
    expect(await refused(won)).toBe('already_corrected');

    const funds = await spot();
    await expect(decide(made, FAH)).rejects.toThrow('not yet reconciled');
    expect(await spot()).toBe(funds);
    await runAsOwner(
      room.test.owner,
      `SET session_replication_role = replica; DELETE FROM operators.vote;
       UPDATE proofs.reconciliation SET closed_at = clock_timestamp(), approval = gen_random_uuid()`,
    );
    expect(await decide(made, FAH)).toMatchObject({ ok: true });
    expect(await spot()).toBe(funds + BigInt(profitOf(won)));
    expect(await decide(made, FAH)).toMatchObject({ refusal: 'correction_decided' });
    expect(await refused(won)).toBe('already_corrected');
    expect(await kept(won)).toMatchObject({ correction: { id: made.id, number: made.number } });

    const second = (await propose(across)).effect as CorrectionCase;
    expect(await decide(second, FAH)).toMatchObject({ ok: true });
    expect(await spot()).toBe(funds + BigInt(profitOf(won) + profitOf(across)));
  });

  it('is limited by the database: once, at its worth, as it was signed', async () => {
    const app = (text: string, values: unknown[] = []) => room.test.database.query({ name: '', text }, values);
    const stored = (hash: string, units: number, caseId: string, customerOf = '11') =>
      room.test.database.transaction(async (transaction) => {
        const run = (text: string, values: unknown[]) => transaction.query({ name: '', text }, values);
        const [id, approval] = [randomUUID(), randomUUID()];
        const content = {
          ...{ customer: customerOf, kind: 'refund', asset: 'USDT', units: String(units), house: '210', kept: hash },
          ...{ reason: 'kept_receipt', words: 'x', case_kind: 'kept', case_id: caseId },
        };
        await run(
          `SELECT operators.open_approval($1, 'correction', $2, $3, 1, '{compliance}', o.id, ARRAY[$4::bigint], 'kept_receipt', NULL) FROM operators.operator o WHERE o.id = 91`,
          [approval, id, JSON.stringify(content), customerOf],
        );
        await run(
          `INSERT INTO corrections.correction (id, customer_id, kind, asset, units, house, kept, reason, words, case_kind, case_id, approval, made_by, made_at, expires_at)
           SELECT $1, $2, 'refund', 'USDT', $3, 210, $4, 'kept_receipt', 'x', 'kept', $5, $6, o.id, now(), now() + interval '1 day'
           FROM operators.operator o WHERE o.id = 91`,
          [id, customerOf, units, hash, caseId, approval],
        );
        throw new Error('stored');
      });
    const caseId = (await kept(won)).case.id;
    await expect(stored(won.terms.hash, profitOf(won), caseId)).rejects.toThrow('not what the receipt is worth');
    await expect(stored(lost.terms.hash, 1, caseId)).rejects.toThrow('not what the receipt is worth');
    await expect(stored('ab'.repeat(32), 1, caseId)).rejects.toThrow('handed in no such receipt');
    await expect(stored(won.terms.hash, profitOf(won), randomUUID())).rejects.toThrow('handed in no such receipt');
    await expect(stored(won.terms.hash, profitOf(won), caseId, '12')).rejects.toThrow('handed in no such receipt');

    const columns = 'hash, is_receipt, case_id, customer_id, order_id, terms, signed, key_id, ended, credited, booked';
    const taken = (change: string) =>
      app(
        `INSERT INTO corrections.kept_text (${columns}) SELECT ${columns.replace(/\b(?:hash|terms|credited|case_id)\b/g, (name) => `t.${name}`)} FROM (
           SELECT r.*, ${change} FROM (SELECT is_receipt, customer_id, order_id, signed, key_id, ended, booked, hash AS h, terms AS s, credited AS c, case_id AS k FROM corrections.kept_text WHERE hash = $1 AND is_receipt) r) t`,
        [lost.terms.hash],
      );
    const as_ = 'k AS case_id, h AS hash, s AS terms';
    await expect(taken(`${as_}, c + 1 AS credited`)).rejects.toThrow('kept_text_check');
    await expect(taken(`k AS case_id, h AS hash, replace(s, 'down', 'up') AS terms, c AS credited`)).rejects.toThrow(
      'kept_text_check',
    );
    await expect(taken(`gen_random_uuid() AS case_id, h AS hash, s AS terms, c AS credited`)).rejects.toThrow(
      'of no restoration',
    );
    await expect(taken(`${as_}, c AS credited`)).rejects.toThrow('kept_text_pkey');
    await expect(app('UPDATE corrections.kept_text SET customer_id = 1')).rejects.toThrow('permission denied');
    await expect(runAsOwner(room.test.owner, 'DELETE FROM corrections.kept_text')).rejects.toThrow();
  });

  it('is verified by the checker, which finds a receipt that nobody signed', async () => {
    const keys = room.keys.flatMap(({ use, public_key: publicKeyHex }) => ({ use, publicKeyHex }));
    const found = async () =>
      (await findViolations(room.test.checker, 'module', keys)).filter(({ invariant }) => invariant === 'CR7');
    expect(await found()).toEqual([]);
    // The terms of the order that was lost are signed, and the row says that it was won.
    const forged = { ...lost, result: won.result, ticks: won.ticks };
    const change = (what: string) =>
      runAsOwner(
        room.test.owner,
        `SET session_replication_role = replica; UPDATE corrections.kept_text SET ${what} WHERE hash = '${won.terms.hash}' AND is_receipt`,
      );
    const [row] = await room.test.database.query<{ signed: string }>(
      { name: '', text: 'SELECT signed FROM corrections.kept_text WHERE hash = $1 AND is_receipt' },
      [won.terms.hash],
    );
    const unsigned = String(row?.signed).replace(
      /"signature":"(.)/,
      (_, first) => `"signature":"${first === '0' ? 1 : 0}`,
    );
    for (const signed of [JSON.stringify(forged), unsigned]) {
      await change(`signed = '${signed}'`);
      expect(await found()).toHaveLength(1);
    }
    await change(`signed = '${row?.signed}'`);
    expect(await found()).toEqual([]);
  });

  it.each([
    ['of a receipt that nobody handed in', `DELETE FROM corrections.kept_text WHERE hash = $1`],
    ['of another customer’s receipt', `UPDATE corrections.kept_text SET customer_id = 1 WHERE hash = $1`],
    ['of more than the receipt says', `UPDATE corrections.kept_text SET credited = credited - 1 WHERE hash = $1`],
    [
      'of a receipt that was paid before',
      `INSERT INTO corrections.correction (id, customer_id, kind, asset, units, house, kept, reason, words, case_kind, case_id, approval, made_by, made_at, expires_at)
       SELECT gen_random_uuid(), customer_id, kind, asset, units, house, kept, reason, words, case_kind, case_id, gen_random_uuid(), made_by, made_at, expires_at
       FROM corrections.correction WHERE kept = $1`,
    ],
  ])('is compared by the checker: a correction %s', async (_what, change) => {
    const owner = new pg.Client(room.test.owner);
    await owner.connect();
    try {
      await owner.query('SET session_replication_role = replica; DROP INDEX IF EXISTS corrections.correction_of_kept');
      const { rows } = await owner.query<{ drop: string }>(
        `SELECT format('ALTER TABLE corrections.kept_text DROP CONSTRAINT %I', conname) AS drop FROM pg_constraint
         WHERE contype = 'c' AND conrelid = 'corrections.kept_text'::regclass`,
      );
      for (const { drop } of rows) await owner.query(drop);
      for (const table of ['kept_text', 'correction'])
        await owner.query(`CREATE TEMP TABLE was_${table} AS TABLE corrections.${table}`);
      expect((await owner.query(change, [won.terms.hash])).rowCount).toBeGreaterThan(0);
      expect((await findViolations(room.test.owner, 'platform')).map(({ invariant }) => invariant)).toContain('CR6');
    } finally {
      await owner.query(
        `DELETE FROM corrections.kept_text; INSERT INTO corrections.kept_text SELECT * FROM was_kept_text;
         DELETE FROM corrections.correction; INSERT INTO corrections.correction OVERRIDING SYSTEM VALUE SELECT * FROM was_correction`,
      );
      await owner.end();
    }
  });
});
