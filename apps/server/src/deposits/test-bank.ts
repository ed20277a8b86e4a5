import { randomUUID } from 'node:crypto';
import type { Queries } from '../database/index.ts';
import { importBankLines } from './bank-lines.ts';

/** The demo's bank reports a payment as a bank line, like an imported one. Repeating a payment has no effect. */
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
