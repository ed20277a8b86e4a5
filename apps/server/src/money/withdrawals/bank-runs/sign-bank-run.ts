import { signBankRun } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { fingerprintOfBankRun } from '@sathorn/treasury';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { WithdrawalsModule } from '../withdrawals.ts';
import { readOwnBankSigning } from './bank-run-signing.ts';
import { insertBankSignature, lockBankRun, readBankSignatures } from './bank-run-store.ts';

/** How many people sign a file. The database counts them. */
export const BANK_SIGNERS = 2;

export function signBankRunHandler(module: WithdrawalsModule): Handler {
  const { database, audit, stepUps, changed } = module;
  return handle(signBankRun, async ({ operator, request: { id, hash }, now }) => {
    let paid: readonly string[] = [];
    const answer = await database.transaction(async (transaction) => {
      const run = await lockBankRun(transaction, id);
      const signing = await readOwnBankSigning(module, transaction, { run, operator: operator.id, hash, now });
      if (!signing.ok) return signing;
      const payments = signing.effect;
      const fingerprint = fingerprintOfBankRun(id, payments);
      const signed = await stepUps.sign(transaction, operator, { act: 'bank_run.sign', subject: id, fingerprint });
      if (!signed.ok) return signed;
      await insertBankSignature(transaction, { run: id, operator: operator.id, step_up: signed.effect });
      await audit.append(transaction, {
        operator,
        what: 'bank_run.signed',
        on: { kind: 'bank_run', id },
        after: { hash },
      });
      const signatures = (await readBankSignatures(transaction, [id])).length;
      if (signatures >= BANK_SIGNERS) paid = payments.map(({ withdrawal }) => withdrawal);
      return accept({ signatures, needed: BANK_SIGNERS });
    });
    await changed(paid);
    return answer;
  });
}
