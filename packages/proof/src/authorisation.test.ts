import * as ed25519 from '@noble/ed25519';
import { money, zero } from '@sathorn/money';
import { expect, test } from 'vitest';
import { type AuthorisedWithdrawal, authorisationText, refuseAuthorisation } from './authorisation.ts';
import { toHex } from './hash.ts';
import { keyIdOf, signText } from './signature.ts';

const [seed, stranger] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
const publicKeyHex = toHex(ed25519.getPublicKey(seed));
const keys = [{ id: keyIdOf(publicKeyHex), publicKeyHex }];

const row: AuthorisedWithdrawal = {
  withdrawal: '7c9f8ab0-3a5e-4a41-9d7e-0d1f5b3f2a10',
  customer: '17',
  channel: 'testnet',
  chain: 'testnet',
  address: `0x${'ab'.repeat(20)}`,
  payee: 'AAAAAAAAAAAAAAAAAAAAAA',
  amount: money('USDT', 998_000_000n),
  fee: money('USDT', 1_998_000n),
  quote: '0d1f5b3f-3a5e-4a41-9d7e-7c9f8ab02a10',
  atMs: 1_764_000_000_000,
};
const signed = signText(authorisationText(row), seed);

test('the text has its members in order and its amounts as decimal strings', () => {
  expect(authorisationText(row)).toBe(
    `{"address":"0x${'ab'.repeat(20)}","amount":"998000000","at":"1764000000000","chain":"testnet","channel":"testnet","customer":"17","fee":"1998000","payee":"AAAAAAAAAAAAAAAAAAAAAA","quote":"0d1f5b3f-3a5e-4a41-9d7e-7c9f8ab02a10","v":"authorisation/1","withdrawal":"7c9f8ab0-3a5e-4a41-9d7e-0d1f5b3f2a10"}`,
  );
});

test('accepts what the edge signed, also without a quote and for a bank', async () => {
  expect(await refuseAuthorisation(signed, row, keys)).toBeNull();
  const bank = { ...row, chain: null, channel: 'bank', address: 'cd'.repeat(32), quote: null };
  expect(await refuseAuthorisation(signText(authorisationText(bank), seed), bank, keys)).toBeNull();
});

test.each<[Partial<AuthorisedWithdrawal>, string]>([
  [{ withdrawal: '00000000-3a5e-4a41-9d7e-0d1f5b3f2a10' }, 'withdrawal_differs'],
  [{ customer: '18' }, 'customer_differs'],
  [{ channel: 'bank' }, 'channel_differs'],
  [{ chain: null }, 'chain_differs'],
  [{ address: `0x${'ac'.repeat(20)}` }, 'address_differs'],
  [{ payee: 'BAAAAAAAAAAAAAAAAAAAAA' }, 'payee_differs'],
  [{ amount: money('USDT', 998_000_001n) }, 'amount_differs'],
  [{ fee: zero('USDT') }, 'fee_differs'],
  [{ quote: null }, 'quote_differs'],
  [{ atMs: row.atMs + 1 }, 'at_differs'],
])('a row with %o is refused: %s', async (change, refusal) => {
  expect(await refuseAuthorisation(signed, { ...row, ...change }, keys)).toBe(refusal);
});

test.each<[string, Parameters<typeof refuseAuthorisation>[0], string]>([
  ['nothing', null, 'authorisation_missing'],
  ['a stranger’s signature', signText(signed.body, stranger), 'key_unknown'],
  ['a stranger’s signature under our key', { ...signText(signed.body, stranger), key: signed.key }, 'signature_wrong'],
  ['no signature', { ...signed, signature: '0'.repeat(128) }, 'signature_wrong'],
  ['one more member', signText(signed.body.replace('{', '{"aa":"",'), seed), 'text_malformed'],
  ['another type', signText(signed.body.replace('authorisation/1', 'authorisation/2'), seed), 'text_malformed'],
  ['no JSON', { ...signed, body: 'yes' }, 'text_malformed'],
  ['a list', { ...signed, body: '[]' }, 'text_malformed'],
])('%s is refused', async (_name, stored, refusal) => {
  expect(await refuseAuthorisation(stored, row, keys)).toBe(refusal);
});
