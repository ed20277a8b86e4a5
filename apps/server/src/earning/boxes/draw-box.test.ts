import { randomBytes, randomUUID } from 'node:crypto';
import { type BoxFile, type DrawReceipt, trustKeys, verifyBox, verifyDraw } from '@sathorn/proof';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { openTestPlatform, type TestPlatform } from '../../whole/testing-platform.ts';

let platform: TestPlatform;
let token: string;
beforeAll(async () => {
  platform = await openTestPlatform({});
  token = await platform.signIn(DEMO_CUSTOMER);
});
afterAll(() => platform.close());

const keysOf = async () => {
  const { answer } = await platform.send('GET /proof/keys');
  return (await trustKeys((answer.data as unknown as { keys: never[] }).keys ?? [], [])).trusted;
};

it('needs a session, costs points, is drawn, and can be verified by anybody', async () => {
  const send: TestPlatform['send'] = (call, fields) =>
    platform.send(call, fields, { token, 'idempotency-key': randomUUID() });
  const signed = await send('POST /task/sign');
  expect(signed.answer.data).toMatchObject({ days: 1, points: '5', usdt: '0.000000', score: '5' });
  expect((await send('POST /task/sign')).answer.data.code).toBe('already_signed_in');
  expect((await send('GET /task/level')).answer.data.sign).toMatchObject({ days: 1, signed_today: true, score: '5' });

  // The demo's boxes appear only after the start.
  const box = await vi.waitFor(
    async () => {
      const { answer: listed } = await platform.send('GET /box/lists');
      const boxes = listed.data.lists as { id: string; price: string; state: string }[];
      const offered = boxes.find(({ price }) => price === '5');
      expect(offered?.state).toBe('open');
      return offered;
    },
    { timeout: 120_000, interval: 200 },
  );
  const drawn = await send('POST /box/draw', { id: box?.id ?? '' });
  expect(drawn.answer.data).toMatchObject({ i: 1, state: 'open', result: null });
  const id = String(drawn.answer.data.id);
  const seed = randomBytes(32).toString('hex');
  const seeded = await send('POST /box/seed', { id, client_seed: seed });
  expect(seeded.answer.data).toMatchObject({ state: 'resolved', client_seed: seed });
  expect((await send('POST /box/seed', { id, client_seed: seed })).answer.ret).toBe(1);

  const keys = await keysOf();
  const {
    box: of,
    result,
    reservation,
    client_seed,
    path,
  } = seeded.answer.data as never as {
    box: { signed: DrawReceipt['box'] };
    result: Omit<DrawReceipt, 'box' | 'reservation'>;
  } & Pick<DrawReceipt, 'reservation' | 'client_seed' | 'path'>;
  const verdict = await verifyDraw({ ...result, box: of.signed, reservation, client_seed, path }, keys);
  expect(verdict).toMatchObject({ verified: true });
  const { answer: file } = await platform.send('GET /box/file', { id: box?.id ?? '' });
  expect(await verifyBox(file.data as never as BoxFile, keys)).toMatchObject({ verified: true, resolved: 1, open: 0 });
});
