import { accept, type Decision } from '@sathorn/settlement';
import { type BankPayment, type BankRunSigningRefusal, decideBankRunSigning, hashOfBankFile } from '@sathorn/treasury';
import type { Queries } from '../../../platform/database/index.ts';
import type { WithdrawalsModule } from '../withdrawals.ts';
import { clearedOf, readBankRows, readPaymentsOf } from './bank-payments.ts';
import { type BankRunRow, readBankExamined, readBankLines, readBankSignatures } from './bank-run-store.ts';

/** Whether this operator may sign this run, and what they sign. `hash` is what the operator's console computed. */
export async function readOwnBankSigning(
  module: WithdrawalsModule,
  queries: Queries,
  {
    run,
    operator,
    hash,
    now,
  }: {
    readonly run: BankRunRow | null;
    readonly operator: bigint;
    readonly hash: string | null;
    readonly now: Date;
  },
): Promise<Decision<readonly BankPayment[], BankRunSigningRefusal>> {
  const ids = run === null ? [] : await readBankLines(queries, run.id);
  const [rows, signatures, examined] = await Promise.all([
    readBankRows(queries, ids),
    readBankSignatures(queries, run === null ? [] : [run.id]),
    readBankExamined(queries, ids),
  ]);
  const payments = readPaymentsOf(module, rows);
  const computed = hashOfBankFile(payments);
  const cleared = await clearedOf(module, rows);
  const decision = decideBankRunSigning({
    step: run?.step ?? null,
    hasLapsed: run !== null && run.lapses_at <= now,
    hasSigned: signatures.some((one) => one.operator === operator),
    hasExamined: [...examined.values()].some((by) => by.includes(String(operator))),
    isSameHash: computed === run?.hash && (hash ?? computed) === computed,
    isHeld: (await module.heldSince(queries)) !== null,
    isCleared: rows.every(({ id }) => cleared.has(id)),
  });
  return decision.ok ? accept(payments) : decision;
}
