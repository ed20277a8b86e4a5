import { randomUUID } from 'node:crypto';
import { type Money, zero } from '@sathorn/money';
import { type Database, statement } from '../../platform/database/index.ts';
import { importBankStatement } from './bank-lines.ts';
import { DEMO_BANK } from './bank-rails.ts';

const LOCK = statement('deposits.lock_test_line', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');
const KNOWN = statement('deposits.find_test_line', 'SELECT id FROM deposits.bank_line WHERE bank_reference = $1');

/**
 * Reports a payment of the demo's bank as a statement of one line, marked as the demo's. Repeating a payment has no
 * effect.
 */
export async function payByTestBank(database: Database, baht: Money<'THB'>, reference: string): Promise<void> {
  const at = new Date();
  const line = {
    id: randomUUID(),
    row: '1',
    bankReference: `TEST-${reference}`,
    at,
    amount: baht,
    payer: 'TEST PAYER',
    reference,
  };
  await database.transaction(async (transaction) => {
    await transaction.query(LOCK, [line.bankReference]);
    if ((await transaction.query(KNOWN, [line.bankReference])).length > 0) return;
    await importBankStatement(
      transaction,
      {
        account: DEMO_BANK.number,
        from: new Date(at.getTime() - 1_000),
        to: at,
        opening: zero('THB'),
        closing: baht,
        paidOut: zero('THB'),
        lines: [line],
        repeated: 0,
      },
      { kind: 'demo' },
    );
  });
}
