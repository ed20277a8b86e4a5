import { expect, it } from 'vitest';
import { refuseWallet, type WalletFacts } from './decide-wallet.ts';

const [old, lost, other] = ['0xaa', '0xbb', '0xcc'];
const first: WalletFacts = { known: [], hasAddresses: false, own: null, replaces: null };

it.each<[string, Partial<WalletFacts>, ReturnType<typeof refuseWallet>]>([
  ['no key at the first start', {}, null],
  ['the key that was put there before the first start', { own: other }, null],
  ['no key where a wallet is known', { known: [lost] }, 'key_missing'],
  ['no key where customers have addresses', { hasAddresses: true }, 'key_missing'],
  ['a key where customers have addresses, from before wallets were noted', { hasAddresses: true, own: lost }, null],
  ['the key of the wallet', { known: [lost, old], own: lost }, null],
  ['the key of an earlier wallet', { known: [lost, old], own: old }, null],
  ['the key of another wallet', { known: [lost, old], own: other }, 'key_of_another'],
  ['another key, with the newest wallet given up', { known: [lost, old], own: other, replaces: lost }, null],
  ['no key, with the newest wallet given up', { known: [lost], replaces: lost }, null],
  ['no key and no known wallet, with one given up', { hasAddresses: true, replaces: lost }, null],
  ['no key, with an earlier wallet given up', { known: [lost, old], replaces: old }, 'key_missing'],
  ['another key, with an earlier wallet given up', { known: [lost, old], own: other, replaces: old }, 'key_of_another'],
])('%s', (_what, facts, refusal) => {
  expect(refuseWallet({ ...first, ...facts })).toBe(refusal);
});
