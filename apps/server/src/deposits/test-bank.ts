import { randomUUID } from 'node:crypto';
import type { Queries } from '../database/index.ts';
import { importBankLines } from './bank-lines.ts';

/** A demonstration's bank tells of a payment: a line like those that are imported. The same payment once. */
export async function payByTestBank(queries: Queries, baht: bigint, reference: string): Promise<void> {
  const line = {
    id: randomUUID(),
    bankReference: `TEST-${reference}`,
    at: new Date(),
    amount: baht,
    payer: 'TEST PAYER',
    reference,
  };
  await importBankLines(queries, [line], null);
}
