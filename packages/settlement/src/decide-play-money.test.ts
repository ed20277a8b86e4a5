import { expect, it } from 'vitest';
import { decidePlayMoney, type PlayMoney } from './decide-play-money.ts';

const WISH: PlayMoney = { units: 10n, giftMax: 10n, owned: 5n, ownedMax: 15n, fund: 10n };

it('gives what was asked for, up to each limit', () => {
  expect(decidePlayMoney(WISH)).toEqual({ ok: true, effect: 10n });
  expect(decidePlayMoney({ ...WISH, owned: 1_000n, ownedMax: null })).toMatchObject({ ok: true });
});

// In the order in which the rule asks: each row also breaks every rule after it.
it.each<[string, Partial<PlayMoney>]>([
  ['amount_not_positive', { units: 0n, giftMax: -1n, owned: 16n, fund: -1n }],
  ['amount_not_positive', { units: -1n }],
  ['exceeds_demo_limit', { giftMax: 9n, owned: 6n, fund: 0n }],
  ['exceeds_practice_balance', { owned: 6n, fund: 9n }],
  ['demo_fund_empty', { fund: 9n }],
])('refuses %s', (refusal, change) => {
  expect(decidePlayMoney({ ...WISH, ...change })).toEqual({ ok: false, refusal });
});
