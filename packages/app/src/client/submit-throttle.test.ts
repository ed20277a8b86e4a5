import { expect, test } from 'vitest';
import { createIntentKey } from './intent-key.ts';
import { createSubmitThrottle } from './submit-throttle.ts';

test('the same submit waits for its answer, and a double tap is one order however quick the answer is', () => {
  let time = 0;
  const throttle = createSubmitThrottle(5, () => time);
  expect(throttle.enter('/coin/order/add', 'quantity=100')).toBe('entered');
  expect(throttle.enter('/coin/order/add', 'quantity=200')).toBe('still_loading');
  time = 30;
  throttle.leave('/coin/order/add');
  time = 200;
  expect(throttle.enter('/coin/order/add', 'quantity=100')).toBe('still_loading');
  time = 530;
  expect(throttle.enter('/coin/order/add', 'quantity=100')).toBe('entered');
});

test('a corrected submit may be sent again at once', () => {
  const throttle = createSubmitThrottle(5, () => 0);
  expect(throttle.enter('/users/login', 'password=wrong')).toBe('entered');
  throttle.leave('/users/login');
  expect(throttle.enter('/users/login', 'password=right')).toBe('entered');
});

test('refuses a sixth submit while five are in flight', () => {
  const throttle = createSubmitThrottle();
  for (const name of ['a', 'b', 'c', 'd', 'e']) expect(throttle.enter(name, '')).toBe('entered');
  expect(throttle.enter('f', '')).toBe('too_many');
  throttle.leave('a');
  expect(throttle.enter('f', '')).toBe('entered');
});

test('an intention keeps its key until it is answered or changed', () => {
  let made = 0;
  const intent = createIntentKey(() => `key-${made++}`);
  expect(intent.keyFor('quantity=100')).toBe('key-0');
  // No answer came, so the retry is the same order.
  expect(intent.keyFor('quantity=100')).toBe('key-0');
  // The customer changed the amount, so this is another order.
  expect(intent.keyFor('quantity=200')).toBe('key-1');
  intent.answered();
  expect(intent.keyFor('quantity=200')).toBe('key-2');
});
