import { randomUUID } from 'node:crypto';
import {
  answerSupport,
  handOverSupport,
  listSamples,
  listSupportThreads,
  markSample,
  messageCustomer,
  type ResultOf,
  readDashboard,
  sendSupport,
  takeSupportThread,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

type Samples = ResultOf<typeof listSamples>;

describe('messages by operators to customers', () => {
  let platform: TestPlatform;
  let thread = '';
  let customer = '';
  const tokens: Record<string, string> = {};
  const ask = async (token: string, call: { method: string; path: string }, fields: TestForm = {}) =>
    (await platform.send(`${call.method} ${call.path}`, fields, { token, 'idempotency-key': randomUUID() })).answer;
  const as = (name: string) => tokens[name] ?? '';
  const get = async <Result>(name: string, call: { method: string; path: string }, fields: TestForm = {}) => {
    const answer = await ask(as(name), call, fields);
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data as unknown as Result;
  };
  const answer = (name: string, text: string) => get(name, answerSupport, { id: thread, text });
  const samples = (status: 'waiting' | 'reported' = 'waiting') => get<Samples>('ploy', listSamples, { status });
  const app = (text: string, ...values: unknown[]) => platform.test.database.query({ name: '', text }, values);

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index' });
    customer = await platform.signIn(DEMO_CUSTOMER);
    for (const name of ['mai', 'ploy', 'tan', 'korn']) tokens[name] = (await signInDemoOperator(platform, name)).token;
    await ask(customer, sendSupport, { id: randomUUID(), text: 'Where is it?' });
    const { items } = await get<{ items: { id: string }[] }>('mai', listSupportThreads, { status: 'open' });
    thread = items[0]?.id ?? '';
  });
  afterAll(() => platform.close());

  it.each([
    ['money', 'Your payment is on its way'],
    ['an amount', 'It will be 50 ฿ in all'],
    ['money in Thai', 'เงินจะเข้าวันนี้ค่ะ'],
    ['money in Chinese', '您的提现正在处理'],
    ['money in Japanese', '出金は本日中です'],
    ['money in Arabic', 'السحب قيد المعالجة'],
    ['money in Hindi', 'आपका भुगतान रास्ते में है'],
    ['another place to talk', 'Write to me on telegram'],
    ['a name at a place', 'I am support@desk'],
    ['figures that are spaced', 'The reference is 1 2 3 4 - 5'],
    ['figures of Thai', 'หมายเลขคือ ๑๒๓๔๕'],
    ['a code', 'You see a code in the app'],
  ])('of %s are read by a second person', async (_what, text) => {
    await answer('mai', text);
    const { items } = await samples();
    expect(items.at(-1)).toMatchObject({ text, why: 'named', by: { work_name: 'mai' }, is_own: false });
  });

  it('as a notice are read by a second person too', async () => {
    const { items } = await get<{ items: { id: string; customer: { id: string } | null }[] }>(
      'mai',
      listSupportThreads,
      { status: 'mine' },
    );
    const id = items[0]?.customer?.id ?? '';
    await get('mai', messageCustomer, { id, text: 'Your refund is here' });
    const sampled = (await samples()).items.at(-1);
    expect(sampled).toMatchObject({
      thread: null,
      customer: { id },
      text: 'Your refund is here',
      by: { work_name: 'mai' },
    });
    const own = `UPDATE support.sample SET read_by = operator, read_at = now(), verdict = 'seen' WHERE id = $1`;
    await expect(app(own, sampled?.id)).rejects.toThrow('reads no messages of others');
  });

  it('are drawn by a key that the writer does not have, one in twenty', async () => {
    const [{ last } = { last: 0 }] = (await app('SELECT last FROM support.thread WHERE id = $1', thread)) as {
      last: number;
    }[];
    for (let n = 0; n < 25; n += 1) await answer('mai', 'One moment, please.');
    const drawn = (await app(`SELECT number FROM support.sample WHERE why = 'drawn' ORDER BY number`)) as {
      number: number;
    }[];
    await runAsOwner(
      platform.test.owner,
      `CREATE TABLE public.expected AS SELECT m.number FROM support.message m WHERE m.number > ${last} AND m.author = 'staff'
         AND get_byte(sha256((SELECT key FROM support.sample_key) || convert_to(m.thread || ' ' || m.number || ' ' || m.id, 'UTF8')), 0) % 20 = 0;
       GRANT SELECT ON public.expected TO sathorn_app`,
    );
    const expected = (await app('SELECT number FROM public.expected ORDER BY number')) as { number: number }[];
    expect(drawn).toEqual(expected);
    await runAsOwner(platform.test.owner, 'DROP TABLE public.expected');
    await expect(app('SELECT key FROM support.sample_key')).rejects.toThrow('permission denied');
    await expect(app('DELETE FROM support.sample')).rejects.toThrow('permission denied');
  });

  it('are marked once, by somebody of compliance or an administrator who did not write them', async () => {
    const [first, second] = (await samples()).items;
    const about = (one: Samples['items'][number] | undefined, more: TestForm = {}): TestForm => ({
      id: one?.id ?? '',
      verdict: 'seen',
      ...more,
    });
    for (const name of ['mai', 'korn']) {
      expect((await ask(as(name), listSamples)).data.code).toBe('role_missing');
      expect((await ask(as(name), markSample, about(first))).data.code).toBe('role_missing');
    }
    expect((await ask(as('ploy'), markSample, about(first, { id: randomUUID() }))).data.code).toBe('thread_unknown');
    const blank = await ask(as('ploy'), markSample, about(first, { verdict: 'reported' }));
    expect(blank.data).toMatchObject({ code: 'field_required' });
    expect((await ask(as('ploy'), markSample, about(first))).ret).toBe(1);
    expect((await ask(as('tan'), markSample, about(first))).data.code).toBe('version_stale');
    expect((await ask(as('tan'), markSample, about(second, { verdict: 'reported', note: 'asks for money' }))).ret).toBe(
      1,
    );
    expect((await samples('reported')).items).toMatchObject([
      { note: 'asks for money', read_by: { work_name: 'tan' } },
    ]);

    // A reader also writes messages. Their own wait for somebody else, which the database enforces too.
    await get('mai', handOverSupport, { id: thread, to: 'compliance', note: 'please look' });
    await get('ploy', takeSupportThread, { id: thread });
    await answer('ploy', 'The transfer is there.');
    const own = (await samples()).items.at(-1);
    expect(own).toMatchObject({ is_own: true, by: { work_name: 'ploy' } });
    expect((await ask(as('ploy'), markSample, about(own))).data.code).toBe('conflict_of_interest');
    const mark = `UPDATE support.sample SET read_by = $2, read_at = now(), verdict = 'seen' WHERE id = $1`;
    const idOf = async (name: string) =>
      ((await app('SELECT id::text AS id FROM operators.operator WHERE work_name = $1', name)) as { id: string }[])[0]
        ?.id;
    await expect(app(mark, own?.id, await idOf('ploy'))).rejects.toThrow('by_another');
    await expect(app(mark, own?.id, await idOf('korn'))).rejects.toThrow('reads no messages of others');
    await expect(app(mark, first?.id, await idOf('tan'))).rejects.toThrow('was read already');
    expect((await ask(as('tan'), markSample, about(own))).ret).toBe(1);
    expect(await findViolations(platform.test.checker)).toEqual([]);
  });

  it('are on the dashboard, and late after a day', async () => {
    type Shown = ResultOf<typeof readDashboard>;
    const queue = async () => (await get<Shown>('ploy', readDashboard)).queues.find(({ kind }) => kind === 'sample');
    expect(await queue()).toMatchObject({ overdue: 0 });
    await runAsOwner(
      platform.test.owner,
      `SET session_replication_role = replica; UPDATE support.sample SET at = at - interval '25 hours' WHERE read_by IS NULL`,
    );
    const { counts } = await samples();
    expect(counts.late).toBe(counts.waiting);
    expect(counts.late).toBeGreaterThan(0);
  });
});
