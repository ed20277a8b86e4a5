import { ENTRIES_MAX, listAccountEntries, readStatementHead } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../platform/edge/handle.ts';
import type { AccountChains } from './account-chains.ts';

export const chainCalls = (chains: AccountChains): Handler[] => [
  handle(readStatementHead, async ({ customer }) => accept(await chains.statementOf(customer.id))),
  handle(listAccountEntries, async ({ customer, request: { account, asset, from, limit = ENTRIES_MAX } }) => {
    const { prev, items } = await chains.entriesOf(customer.id, { name: account, asset }, BigInt(from), limit);
    return accept({ prev, items: [...items] });
  }),
];
