import type { CardView, WalletView, WithdrawalRate } from '@sathorn/api';
import { expect, test } from 'vitest';
import { channelPayeesOf } from './channel-payee.ts';

const rate = (channel: string, kind: WithdrawalRate['kind'], chain: string | null) =>
  ({ channel, kind, chain: chain === null ? null : { code: chain } }) as WithdrawalRate;
const rates = [rate('usdt-eth', 'crypto', 'eth'), rate('bank', 'bank', null)];
const book = {
  wallets: [{ id: 'w1', chain: 'eth' } as WalletView, { id: 'w2', chain: 'polygon' } as WalletView],
  cards: [{ id: 'c1', bank_name: 'KBANK' } as CardView],
};

test('a wallet uses its chain’s channel, and is left out if the chain is not offered', () => {
  expect(channelPayeesOf('wallet', book, rates).map(({ id, rate }) => [id, rate.channel])).toEqual([
    ['w1', 'usdt-eth'],
  ]);
});

test('a card uses the bank channel, and is left out if no bank is offered', () => {
  expect(channelPayeesOf('card', book, rates).map(({ id, rate }) => [id, rate.channel])).toEqual([['c1', 'bank']]);
  expect(channelPayeesOf('card', book, rates.slice(0, 1))).toEqual([]);
});
