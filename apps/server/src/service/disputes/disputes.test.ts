import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  approveApproval,
  buyOption,
  type DisputeCase,
  disputeOption,
  listDisputes,
  listOwnDisputes,
  type OwnDispute,
  openMoneyDispute,
  type PlatformFigures,
  proposeAnswer,
  readApproval,
  readDispute,
  readFigures,
  readOption,
  reportFault,
  submitDeposit,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { SHORT_OPTION_SECONDS } from '../../whole/testing-server.ts';

describe('disputes', () => {
  let platform: TestPlatform;
  let customer = '';
  let other = '';
  let order = '';
  const tokens: Record<string, string> = {};
  const as = (name: string) => tokens[name] ?? '';
  const ask = (token: string, call: { method: string; path: string }, fields: TestForm = {}) =>
    proposed(platform, `${call.method} ${call.path}`, fields, { token, 'idempotency-key': randomUUID() });
  const get = async <Result>(token: string, call: { method: string; path: string }, fields: TestForm = {}) => {
    const answer = await ask(token, call, fields);
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data as unknown as Result;
  };
  const waitUntilSettled = async (id: string): Promise<void> => {
    while ((await get<{ status: string }>(customer, readOption, { id })).status === 'holding') await sleep(200);
  };
  const settled = async (): Promise<string> => {
    const bought = { code: 'BTC', direction: 'up', quantity: '10', duration: String(SHORT_OPTION_SECONDS) };
    const { id } = await get<{ id: string }>(customer, buyOption, bought);
    await waitUntilSettled(id);
    return id;
  };
  const newest = async (status = 'open'): Promise<string> =>
    (await get<{ items: { id: string }[] }>(as('mai'), listDisputes, { status })).items.at(-1)?.id ?? '';
  const approve = async (who: string, id: string) => {
    const { fingerprint } = await get<{ fingerprint: string }>(as('tan'), readApproval, { id });
    const step_up = await insertConfirmedStepUp(platform, as(who), { op: 'approval.approve', id, fingerprint });
    return ask(as(who), approveApproval, { id, fingerprint, step_up });
  };

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
    for (const name of ['mai', 'ploy', 'tan', 'korn']) tokens[name] = (await signInDemoOperator(platform, name)).token;
    order = await settled();
  });
  afterAll(async () => {
    await platform.close();
  });

  it('are answered by two people, with the finding of the replay', async () => {
    await get(customer, disputeOption, { id: order, reason: 'It was above my price <b>at the end</b>' });
    const id = await newest();
    const shown = await get<DisputeCase>(as('mai'), readDispute, { id });
    expect(shown).toMatchObject({ status: 'open', order, statement: 'It was above my price <b>at the end</b>' });
    expect(shown.checks.every(({ ok }) => ok)).toBe(true);
    expect(shown.ticks.length).toBeGreaterThan(2);
    expect(shown.sources.length).toBeGreaterThanOrEqual(3);
    const { finding, computed } = shown.replay;
    const status = computed?.status;
    expect([shown.option.status, finding]).toEqual([status, status === 'void' ? 'void_by_rule' : 'recomputed_same']);

    const proposal = { id, version: String(shown.version), finding, text: 'The index was below your start price.' };
    const refused = async (change: TestForm, who = 'mai') =>
      (await ask(as(who), proposeAnswer, { ...proposal, ...change })).data.code;
    expect(await refused({ finding: 'fault_confirmed' })).toBe('finding_disagrees_with_replay');
    expect(await refused({ version: '7' })).toBe('version_stale');
    expect(await refused({ text: 'Pay a fee first, then we release it' })).toBe('text_asks_for_payment');
    expect(await refused({}, 'ploy')).toBe('role_missing');
    expect((await ask(as('ploy'), reportFault, { id, version: '0', text: 'x' })).data.code).toBe(
      'finding_disagrees_with_replay',
    );

    const answered = await get<DisputeCase>(as('mai'), proposeAnswer, proposal);
    const approval = answered.approval?.id ?? '';
    // The customer sees no answer until a second person has approved it.
    expect((await get<{ items: OwnDispute[] }>(customer, listOwnDisputes)).items).toMatchObject([
      { status: 'second_look', finding: null, answer: null },
    ]);
    expect((await approve('korn', approval)).data.code).toBe('role_missing');
    expect((await approve('tan', approval)).ret).toBe(1);
    expect((await get<{ items: OwnDispute[] }>(customer, listOwnDisputes)).items).toMatchObject([
      { status: 'closed', finding, answer: proposal.text, reviewers: ['mai', 'tan'] },
    ]);
    expect((await get<{ items: OwnDispute[] }>(other, listOwnDisputes)).items).toEqual([]);
    const { disputes } = await get<PlatformFigures>('', readFigures);
    expect(disputes).toMatchObject({ opened: 1, waiting: 0, late: 0 });
    expect(disputes.answered.filter(({ count }) => count > 0)).toEqual([{ finding, count: 1 }]);
    expect(disputes.median_seconds).toBeLessThan(60);
    expect((await get<{ disputed: boolean }>(customer, readOption, { id: order })).disputed).toBe(false);
    expect((await ask(as('mai'), proposeAnswer, { ...proposal, version: '2' })).data.code).toBe('version_stale');
  });

  it('detect a settlement that does not follow from the signed terms', async () => {
    const changed = await settled();
    // Changes the stored order as the database's owner could. The signed receipt keeps the terms as bought.
    const shift = (ms: number) =>
      runAsOwner(
        platform.test.owner,
        `SET session_replication_role = replica;
         UPDATE options.orders SET accepted_ms = accepted_ms + ${ms}, ends_ms = ends_ms + ${ms} WHERE id = '${changed}'`,
      );
    await shift(-3_000);
    await get(customer, disputeOption, { id: changed, reason: 'the time is wrong' });
    const id = await newest();
    const shown = await get<DisputeCase>(as('ploy'), readDispute, { id });
    expect(shown.replay.finding).toBe('fault_confirmed');
    const reported = await get<DisputeCase>(as('ploy'), reportFault, {
      id,
      version: '0',
      text: 'the acceptance differs',
    });
    expect(reported.fault).toMatchObject({ by: { work_name: 'ploy' } });
    // One person's confirmation of a fault stops sales at once, and the status page says why.
    const bought = { code: 'BTC', direction: 'up', quantity: '10', duration: String(SHORT_OPTION_SECONDS) };
    expect((await ask(customer, buyOption, bought)).data.code).toBe('paused');
    const { answer } = await platform.send('GET /status', {});
    expect(JSON.stringify(answer.data)).toContain('A dispute has shown a fault');
    expect((await ask(as('tan'), reportFault, { id, version: '1', text: 'again' })).data.code).toBe('already_reported');
    await shift(3_000);
    expect((await findViolations(platform.test.checker)).map(({ invariant }) => invariant)).toEqual([]);
    // An answer is refused when a new replay no longer confirms its finding.
    const text = 'The order was changed.';
    const code = (await ask(as('mai'), proposeAnswer, { id, version: '1', finding: 'fault_confirmed', text })).data
      .code;
    expect(code).toBe('finding_disagrees_with_replay');
  });

  it('close only with an approval, and their answers never change', async () => {
    const open = await newest();
    const query = (text: string, values: unknown[]) => platform.test.database.query({ name: '', text }, values);
    await expect(query('SELECT options.close_dispute($1, $2, $3)', [open, 'rejected', randomUUID()])).rejects.toThrow(
      'nobody agreed',
    );
    await expect(
      query(`UPDATE disputes.dispute SET answer = 'x', version = version + 1 WHERE state = 'closed'`, []),
    ).rejects.toThrow('kept for ever');
    await expect(query(`UPDATE disputes.dispute SET statement = 'x'`, [])).rejects.toThrow('permission denied');
  });

  it('about money are limited to five open ones, also for simultaneous requests', async () => {
    const orders: string[] = [];
    while (orders.length < 5)
      orders.push((await get<{ id: string }>(other, submitDeposit, { channel: 'bank', amount: '500' })).id);
    const open = (id = '') => ask(other, openMoneyDispute, { kind: 'deposit', id, reason: 'Where is it?' });
    expect((await open(orders[0])).ret).toBe(1);
    await runAsOwner(
      platform.test.owner,
      `INSERT INTO disputes.money_dispute (id, customer, subject_kind, subject, statement, language, opened_at, deadline)
       SELECT gen_random_uuid(), d.customer, 'deposit', gen_random_uuid(), 'x', 'en', d.opened_at, d.deadline
       FROM disputes.money_dispute d, generate_series(1, 2)`,
    );
    const codes = (await Promise.all(orders.slice(1).map(open))).map(({ ret, data }) => (ret === 1 ? 'ok' : data.code));
    expect(codes.sort()).toEqual(['disputes_too_many', 'disputes_too_many', 'ok', 'ok']);
  });
});
