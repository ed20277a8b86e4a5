import { readAntiPhishing, readOutbox, sendSmsCode, setAntiPhishing } from '@sathorn/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../testing-customers.ts';

let room: TestCustomers;
let mali: SignedUpCustomer;
beforeAll(async () => {
  room = await openTestCustomers();
  mali = await room.signUp();
});
afterAll(async () => {
  await room.close();
  expect(room.faults).toEqual([]);
});

const set = (fields: Record<string, string>) =>
  room.call(setAntiPhishing, { paypass: mali.paypass, ...fields }, { token: mali.token });

it.each(['abc', 'https://x.example', 'a'.repeat(25), 'two  spaces', '<b>word</b>', 'line\nbreak'])(
  'refuses %j, which could carry more than a word',
  async (word) => {
    expect((await set({ word })).fields).toEqual(['word']);
  },
);

it.each(['علی\u200cرضا', '\u202aश्री\u200dकांत 9\u202c'])('accepts %s with its joiner', async (word) => {
  expect((await set({ word })).data.word).toBe(word.replace(/[\u202a\u202c]/g, ''));
});

it('is set with the payment password only, and appears in messages to that customer and to nobody else', async () => {
  expect(await set({ word: 'เรือหางยาว 9', paypass: '284917' })).toMatchObject({ refusal: 'paypass_wrong' });
  expect((await set({ word: ' เรือหางยาว 9 ' })).data.word).toBe('เรือหางยาว 9');
  const read = await room.call(readAntiPhishing, {}, { token: mali.token });
  expect(read.data.word).toBe('เรือหางยาว 9');

  const other = await room.signUp();
  room.clock.advance(2 * 24 * 3_600_000);
  const textTo = async (phone: string): Promise<string> => {
    await room.call(sendSmsCode, { userphone: phone, must: 'forget' });
    return (await room.call(readOutbox, { to: phone })).data[0]?.text ?? '';
  };
  expect(await textTo(mali.phone)).toContain('เรือหางยาว 9');
  expect(await textTo(other.phone)).not.toContain('เรือหางยาว');

  expect((await set({})).data).toEqual({ word: null, changed_at: null });
  room.clock.advance(2 * 24 * 3_600_000);
  expect(await textTo(mali.phone)).not.toContain('เรือหางยาว');
});
