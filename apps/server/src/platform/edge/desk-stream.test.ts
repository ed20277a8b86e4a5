import { randomUUID } from 'node:crypto';
import {
  type Call,
  type DeskState,
  freezeOperator,
  handOverSupport,
  type ListedOperator,
  leaveClaim,
  listOperators,
  sendSupport,
  takeClaim,
  typeSupport,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { insertConfirmedStepUp, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { StreamListener } from './testing-stream.ts';

describe('a desk that follows the live stream', () => {
  let platform: TestPlatform;
  const tokens: Record<string, string> = {};
  const act = async (who: string, call: Call, fields: TestForm) =>
    (await platform.send(call, fields, { token: tokens[who] ?? '', 'idempotency-key': randomUUID() })).answer;
  const follow = async (token: string, topics: readonly string[]) => {
    const line = new StreamListener(platform.url);
    await line.until(({ frames }) => frames[0]?.op === 'hello');
    line.send({ op: 'auth', token });
    line.send({ op: 'subscribe', topics });
    return line;
  };
  const desks = (line: StreamListener): DeskState[] => line.events.map(({ data }) => data as unknown as DeskState);

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
    tokens.nicha = await platform.signIn(DEMO_CUSTOMER);
    for (const name of ['mai', 'bua', 'tan', 'arun', 'ploy'])
      tokens[name] = (await signInDemoOperator(platform, name)).token;
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('shows each role its own queues, and a colleague’s claim without polling', async () => {
    const mai = await follow(tokens.mai ?? '', ['desk']);
    const bua = await follow(tokens.bua ?? '', ['desk']);
    const first = await mai.until((line) => desks(line)[0]);
    expect(first.queues.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['withdrawal', 'certification']));
    expect((await bua.until((line) => desks(line)[0])).queues).toEqual([]);
    await act('tan', takeClaim, { kind: 'withdrawal', id: 'W-1' });
    const claim = await mai.until((line) => desks(line).at(-1)?.claims[0]);
    expect(claim).toMatchObject({ kind: 'withdrawal', id: 'W-1', by: { work_name: 'tan' } });
    await act('tan', leaveClaim, { kind: 'withdrawal', id: 'W-1' });
    await mai.until((line) => desks(line).at(-1)?.claims.length === 0);
    // The server sends nothing while nothing changes.
    const count = mai.events.length;
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(mai.events).toHaveLength(count);
  });

  it('shows a desk which of its conversations changed, without their words', async () => {
    const mai = await follow(tokens.mai ?? '', ['inbox']);
    const ploy = await follow(tokens.ploy ?? '', ['inbox']);
    const idsOf = (line: StreamListener): string[] | undefined =>
      (line.events.at(-1)?.data as { threads: { id: string }[] } | undefined)?.threads.map(({ id }) => id);
    await mai.until(idsOf);
    await ploy.until(idsOf);
    await platform.send(sendSupport, { id: randomUUID(), text: 'where is my money' }, { token: tokens.nicha ?? '' });
    const [id = ''] = (await mai.until((line) => (idsOf(line)?.length ? idsOf(line) : undefined))) ?? [];
    expect(JSON.stringify(mai.events)).not.toContain('money');
    // Compliance sees only the conversations that were handed over to it.
    expect(idsOf(ploy)).toEqual([]);
    await act('mai', handOverSupport, { id, to: 'compliance', note: 'please' });
    expect(await ploy.until((line) => (idsOf(line)?.length ? idsOf(line) : undefined))).toEqual([id]);
    const count = mai.events.length;
    await platform.send(typeSupport, {}, { token: tokens.nicha ?? '' });
    await mai.until((line) => line.events.length > count);
  });

  it('is open to operators only, and customers’ topics are open to customers only', async () => {
    for (const [token, topic] of [
      [tokens.nicha ?? '', 'desk'],
      [tokens.mai ?? '', 'balances'],
      [`op_${'A'.repeat(43)}`, 'desk'],
    ] as const) {
      const line = await follow(token, [topic]);
      await line.until(({ frames }) => frames.find((frame) => frame.op === 'refused' && frame.topic === topic));
      await line.settled();
      expect(line.events).toEqual([]);
    }
  });

  it('ends with the session of an operator who is frozen', async () => {
    const line = await follow(tokens.bua ?? '', ['desk']);
    await line.until((one) => desks(one)[0]);
    const { answer } = await platform.send(listOperators, {}, { token: tokens.arun ?? '' });
    const bua = (answer.data as unknown as ListedOperator[]).find(({ work_name: name }) => name === 'bua');
    const { id = '', fingerprint = '' } = bua ?? {};
    const step_up = await insertConfirmedStepUp(platform, tokens.arun ?? '', {
      op: 'operator.freeze',
      id,
      fingerprint,
    });
    expect((await act('arun', freezeOperator, { id, reason: 'a try', fingerprint, step_up })).ret).toBe(1);
    await line.until(({ frames }) => frames.find((frame) => frame.op === 'refused'));
  });
});
