import { readOutbox, sendEmailCode, sendSmsCode } from '@sathorn/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestCustomers, type TestCustomers } from '../testing-customers.ts';

let room: TestCustomers;
beforeAll(async () => {
  room = await openTestCustomers();
  await room.call(sendSmsCode, { userphone: '0812345678', must: 'register' });
  room.clock.advance(60_000);
  await room.call(sendSmsCode, { userphone: '+66812345678', must: 'register' });
  await room.call(sendEmailCode, { email: 'Mali.C@Example.org', must: 'register' });
  await room.call(sendSmsCode, { userphone: '0899999999', must: 'register' });
});
afterAll(() => room.close());

it.each(['0812345678', '812345678', '66812345678', '+66812345678', ' 66812345678', '081-234-5678'])(
  '%j finds the phone, newest first',
  async (to) => {
    const { data } = await room.call(readOutbox, { to });
    expect(data.map(({ to, kind, at }) => [to, kind, at])).toEqual([
      ['+66812345678', 'sms', '2036-11-21T08:01:00.000Z'],
      ['+66812345678', 'sms', '2036-11-21T08:00:00.000Z'],
    ]);
    expect(data[0]?.text).toContain(data[0]?.code);
  },
);

it('finds a mail whatever the letter case of the address', async () => {
  const { data } = await room.call(readOutbox, { to: 'MALI.c@example.ORG' });
  expect(data).toMatchObject([{ to: 'mali.c@example.org', kind: 'email' }]);
});

it('shows nothing without a contact except on its page, nor for an unknown or malformed one', async () => {
  expect(await room.call(readOutbox, {})).toMatchObject({ refusal: 'malformed_request', fields: ['to'] });
  for (const to of ['0811111111', 'x', '%', "' OR 1=1 --", '+818012345678'])
    expect((await room.call(readOutbox, { to })).data).toEqual([]);
});
