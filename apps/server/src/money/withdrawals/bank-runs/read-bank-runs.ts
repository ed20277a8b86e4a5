import { type BankLineView, type BankRunHead, readBankRuns } from '@sathorn/api';
import { maskedNumber } from '@sathorn/identity';
import { formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { RUN_LINES_MAX } from '@sathorn/treasury';
import { allowOnAnyClock, type Handler, handle } from '../../../platform/edge/index.ts';
import type { WithdrawalRow } from '../withdrawal-store.ts';
import type { WithdrawalsModule } from '../withdrawals.ts';
import { clearedOf, findBankPayable, readBankRows, readPaymentsOf } from './bank-payments.ts';
import { readOwnBankSigning } from './bank-run-signing.ts';
import {
  type BankRunRow,
  readBankExamined,
  readBankLines,
  readBankSignatures,
  readOpenBankRun,
  readRecentBankRuns,
} from './bank-run-store.ts';

/** The lines as operators see them. */
async function viewLines(module: WithdrawalsModule, rows: readonly WithdrawalRow[]): Promise<BankLineView[]> {
  const { database, usernameOf, workNameOf } = module;
  const examined = await readBankExamined(
    database,
    rows.map(({ id }) => id),
  );
  const payments = readPaymentsOf(module, rows);
  return Promise.all(
    rows.map(async ({ id, order_number, customer_id: customer }, n) => {
      const { bank = '', branch = '', account = '', name = '', amount = '0' } = payments[n] ?? {};
      const by = examined.get(id) ?? [];
      return {
        withdrawal: {
          id,
          order_number,
          customer: { id: String(customer), username: await usernameOf(customer) },
          examined_by: await Promise.all(
            by.map(async (one) => ({ id: one, work_name: await workNameOf(BigInt(one)) })),
          ),
        },
        bank,
        branch,
        account,
        name,
        amount,
      };
    }),
  );
}

async function viewHeads(
  { database, workNameOf }: WithdrawalsModule,
  runs: readonly BankRunRow[],
): Promise<readonly BankRunHead[]> {
  const signatures = await readBankSignatures(
    database,
    runs.map(({ id }) => id),
  );
  const person = async (id: bigint) => ({ id: String(id), work_name: await workNameOf(id) });
  return Promise.all(
    runs.map(async ({ id, step, count, baht, opened_by: by, opened_at: opened, lapses_at: lapses }) => ({
      id,
      step,
      count,
      total: formatMoney(baht),
      opened_by: await person(by),
      opened_at: opened.toISOString(),
      lapses_at: lapses.toISOString(),
      signatures: await Promise.all(
        signatures
          .filter(({ run }) => run === id)
          .map(async ({ operator, at }) => ({ by: await person(operator), at: at.toISOString() })),
      ),
    })),
  );
}

export function readBankRunsHandler(module: WithdrawalsModule): Handler[] {
  const { database, hasBank } = module;
  const linesOf = async (run: string) => readBankRows(database, await readBankLines(database, run));
  return allowOnAnyClock(
    handle(readBankRuns, async ({ operator, now }) => {
      const run = await readOpenBankRun(database);
      const [[shown], recent, { rows }] = await Promise.all([
        viewHeads(module, run === null ? [] : [run]),
        viewHeads(module, await readRecentBankRuns(database)),
        findBankPayable(module),
      ]);
      const cleared = await clearedOf(module, rows);
      const next = rows.filter(({ id }) => cleared.has(id)).slice(0, RUN_LINES_MAX);
      const signing = await readOwnBankSigning(module, database, { run, operator: operator.id, hash: null, now });
      return accept({
        has_bank: hasBank,
        run: shown && run ? { ...shown, lines: await viewLines(module, await linesOf(run.id)) } : null,
        recent: [...recent],
        waiting: (await viewLines(module, next)).map((line) => ({ ...line, account: maskedNumber(line.account) })),
        later: rows.length - next.length,
        refusal: signing.ok ? null : signing.refusal,
      });
    }),
  );
}
