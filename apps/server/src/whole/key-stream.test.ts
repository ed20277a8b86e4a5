import { randomUUID } from 'node:crypto';
import { removeApiKey, type ServerFrame } from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { signRequest, signWithSecret, type TestApiKey } from '../people/customers/api-keys/testing-api-key.ts';
import { openKeyMaker } from './testing-own-keys.ts';
import { openTestPlatform, type TestPlatform } from './testing-platform.ts';

const STREAM = { method: 'GET', path: '/stream' } as const;

describe('the live stream, opened by an API key', () => {
  let platform: TestPlatform;
  let token = '';
  let reader: TestApiKey;
  let trader: TestApiKey;

  /** The frame that a program sends first. `over` changes what is signed. */
  const authOf = (key: TestApiKey, over: Parameters<typeof signRequest>[3] = {}) => {
    const { headers } = signRequest(key, STREAM, {}, over);
    const of = (name: string): string => headers[name] ?? '';
    const [time, nonce, signature] = [of('Api-Time'), of('Api-Nonce'), of('Api-Signature')];
    return { op: 'auth', key: key.id, time, nonce, signature };
  };
  const listen = async () => {
    const socket = new WebSocket(`${platform.url.replace('http', 'ws')}/api/stream`);
    onTestFinished(() => socket.close());
    const frames: ServerFrame[] = [];
    socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data)) as ServerFrame));
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    const topics = () =>
      frames.flatMap((frame) => (frame.op === 'event' ? frame.events.map(({ topic }) => topic) : []));
    const refused = () => frames.flatMap((frame) => (frame.op === 'refused' ? frame.code : []));
    return { send: (frame: object) => socket.send(JSON.stringify(frame)), topics, refused };
  };
  const own = { op: 'subscribe', topics: ['balances', 'contracts'] };

  beforeAll(async () => {
    platform = await openTestPlatform({ SIM_SEED: 'key-stream', ROLES: 'edge,index,matcher,settler' });
    token = await platform.signIn(DEMO_CUSTOMER, 'a phone');
    const make = await openKeyMaker(platform, { token, paypass: DEMO_CUSTOMER.paypass });
    const [reads, trades] = [await make({ name: 'r', scopes: 'read' }), await make({ name: 't', scopes: 'trade' })];
    reader = { id: reads.id, signer: signWithSecret(reads.secret ?? '') };
    trader = { id: trades.id, signer: signWithSecret(trades.secret ?? '') };
  });
  afterAll(async () => {
    await platform?.close();
    expect(platform?.faults).toEqual([]);
  });

  it('has the customer’s own topics, which a visitor does not get', async () => {
    const visitor = await listen();
    visitor.send(own);
    await expect.poll(visitor.refused).toEqual(['session_required', 'session_required']);
    const program = await listen();
    program.send(authOf(reader));
    program.send(own);
    await expect.poll(() => program.topics().sort()).toEqual(['balances', 'contracts']);
    expect(program.refused()).toEqual([]);
  });

  it.each<[string, () => object, string]>([
    ['a key that may not read', () => authOf(trader), 'api_key_scope'],
    ['a signature over another request', () => authOf(reader, { target: '/api/users/info' }), 'api_key_signature'],
    ['a time that is six seconds off', () => authOf(reader, { timeMs: String(Date.now() - 6_000) }), 'api_key_time'],
    ['a key that nobody made', () => authOf({ ...reader, id: 'A'.repeat(22) }), 'api_key_unknown'],
    ['a header that is malformed', () => ({ ...authOf(reader), nonce: 'short' }), 'api_key_malformed'],
  ])('is refused to %s', async (_who, frame, refusal) => {
    const program = await listen();
    program.send(frame());
    program.send(own);
    await expect.poll(program.refused).toEqual([refusal, 'session_required', 'session_required']);
    expect(program.topics()).toEqual([]);
  });

  it('is not opened twice by one frame that somebody has read', async () => {
    const frame = authOf(reader);
    const [first, second] = [await listen(), await listen()];
    first.send(frame);
    first.send(own);
    await expect.poll(() => first.topics().length).toBeGreaterThan(0);
    second.send(frame);
    await expect.poll(second.refused).toEqual(['api_key_replayed']);
  });

  it('ends at once when its key is removed', async () => {
    const program = await listen();
    program.send(authOf(reader));
    program.send(own);
    await expect.poll(() => program.topics().length).toBe(2);
    const { answer } = await platform.send(removeApiKey, { id: reader.id }, { token, 'idempotency-key': randomUUID() });
    expect(answer.ret).toBe(1);
    await expect.poll(program.refused).toEqual(['session_required']);
  });
});
