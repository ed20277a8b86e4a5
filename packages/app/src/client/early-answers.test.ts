import { afterEach, expect, test } from 'vitest';
import { takeEarlyAnswer } from './early-answers.ts';

const headers = { lang: 'th', token: 'a' };
const answer = Promise.resolve(new Response('{}'));
const early = () => {
  globalThis.earlyAnswers = [{ address: '/api/coin/lists', headers: JSON.stringify(headers), answer }];
};
afterEach(() => {
  globalThis.earlyAnswers = undefined;
});

test('uses each early answer once', () => {
  early();
  expect(takeEarlyAnswer('/api/coin/lists', headers)).toBe(answer);
  expect(takeEarlyAnswer('/api/coin/lists', headers)).toBeUndefined();
});

test('ignores an answer to other headers or another address', () => {
  early();
  expect(takeEarlyAnswer('/api/coin/lists', { lang: 'en', token: 'a' })).toBeUndefined();
  expect(takeEarlyAnswer('/api/coin/lists', { lang: 'th', token: 'b' })).toBeUndefined();
  expect(takeEarlyAnswer('/api/content/slide', headers)).toBeUndefined();
});

test('returns nothing without early answers, so that the app sends its own request', () => {
  expect(takeEarlyAnswer('/api/coin/lists', headers)).toBeUndefined();
});
