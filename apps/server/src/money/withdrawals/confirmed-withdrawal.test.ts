import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { codeOfStep, codeStepAt } from '../../platform/authenticator.ts';
import { decodeBase32 } from '../../platform/testing-authenticator.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

let platform: TestPlatform;
let customer = '';
beforeAll(async () => {
  platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100' });
  customer = await platform.signIn(DEMO_CUSTOMER);
});
afterAll(() => platform.close());

const ask = async (route: string, fields: TestForm = {}): Promise<Envelope> =>
  (await platform.send(route, fields, { token: customer, 'idempotency-key': randomUUID() })).answer;
const get = async (route: string, fields: TestForm = {}): Promise<Envelope['data']> => {
  const answer = await ask(route, fields);
  if (answer.ret !== 1) throw new Error(`${route}: ${answer.msg} ${JSON.stringify(answer.data)}`);
  return answer.data;
};

it('a proof for one quote confirms no other withdrawal', async () => {
  const { paypass } = DEMO_CUSTOMER;
  const key = decodeBase32(String((await get('POST /users/second/start', { paypass })).key));
  const step = codeStepAt(new Date());
  await get('POST /users/second/confirm', { otp: codeOfStep(key, step) });
  const { wallets } = (await get('GET /users/bank')) as unknown as { wallets: { id: string }[] };
  const order = { channel: 'testnet', target: wallets[0]?.id ?? '', amount: '20' };
  const [shown, other] = [await get('POST /users/extract/quote', order), await get('POST /users/extract/quote', order)];
  expect(shown).toMatchObject({ second_factor_required: true });
  const begun = await get('POST /users/second/step/start', { operation: 'withdrawal', subject: String(shown.quote) });
  // Uses the code of the next step, because each code works once.
  const proof = { id: String(begun.id), otp: codeOfStep(key, step + 1) };
  const otp = String((await get('POST /users/second/step/finish', proof)).proof);
  const send = (more: TestForm) => ask('POST /users/extract', { ...order, paypass, otp, ...more });
  const wrong = { ret: 0, data: { code: 'second_factor_wrong' } };
  expect(await send({ quote: String(other.quote) })).toMatchObject(wrong);
  expect(await send({})).toMatchObject(wrong);
  expect(await send({ quote: String(shown.quote) })).toMatchObject({ ret: 1, data: { step: 'delayed' } });
});
