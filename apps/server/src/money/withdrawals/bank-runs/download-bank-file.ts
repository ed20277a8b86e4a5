import { downloadBankFile } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { fingerprintOfBankRun, hashOfBankFile, writeBankFile } from '@sathorn/treasury';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { WithdrawalsModule } from '../withdrawals.ts';
import { readBankRows, readPaymentsOf } from './bank-payments.ts';
import { readBankLines, readBankRun, readBankSignatures } from './bank-run-store.ts';
import { BANK_SIGNERS } from './sign-bank-run.ts';

export function downloadBankFileHandler(module: WithdrawalsModule): Handler {
  const { database, audit, stepUps, clearedUpTo, onFault } = module;
  return handle(downloadBankFile, async ({ operator, request: { id } }) => {
    const run = await readBankRun(database, id);
    if (run === null) return refuse('run_unknown', { field: 'id' });
    if (run.step !== 'signed') return refuse('run_unsigned');
    // The checker verifies signatures too. While it has a finding, the bank gets nothing.
    if (clearedUpTo() === null) return refuse('payments_unchecked');
    const payments = readPaymentsOf(module, await readBankRows(database, await readBankLines(database, id)));
    const of = { act: 'bank_run.sign', subject: id, fingerprint: fingerprintOfBankRun(id, payments) };
    let valid = 0;
    // Rows of the database are no signatures of people: whoever has its login can write some.
    for (const { operator: signer, step_up: stepUp } of await readBankSignatures(database, [id]))
      if (await stepUps.wasSigned(database, signer, of, stepUp)) valid += 1;
    if (hashOfBankFile(payments) !== run.hash || valid < BANK_SIGNERS) {
      onFault(new Error(`alarm: the bank's file ${id} is not what two people signed: nobody gets it`));
      return refuse('run_unsigned');
    }
    await database.transaction((transaction) =>
      audit.append(transaction, {
        operator,
        what: 'bank_file.downloaded',
        on: { kind: 'bank_run', id },
        after: { hash: run.hash },
      }),
    );
    return accept({ csv: writeBankFile(payments), hash: run.hash });
  });
}
