import { expect, it } from 'vitest';
import { type PayeeAddress, type PayeeRefusal, payeeRefusal } from './decide-payee.ts';

const address: PayeeAddress = { customer: 7n, owner: null, isHouse: false, isContract: false };

it.each<[string, Partial<PayeeAddress>, PayeeRefusal | null]>([
  ['a wallet of somebody outside', {}, null],
  ['another customer’s deposit address', { owner: 8n }, null],
  ['the customer’s own deposit address', { owner: 7n }, 'address_own_deposit'],
  ['a contract', { isContract: true }, 'address_contract'],
  ['an address of the house', { isHouse: true }, 'address_of_house'],
  ['an address of the house that is a contract', { isHouse: true, isContract: true }, 'address_of_house'],
  ['an address of the house that became a deposit address', { isHouse: true, owner: 8n }, 'address_of_house'],
])('a payee: %s', (_name, change, refusal) => {
  expect(payeeRefusal({ ...address, ...change })).toBe(refusal);
});
