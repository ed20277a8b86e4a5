import { column, statement, table } from '../../platform/database/index.ts';
import { readFinalReceipt } from './track-sendings.ts';
import type { WithdrawalChain, WithdrawalsModule } from './withdrawals.ts';

const FOUND = table<{ readonly id: string; readonly hash: string }>({ id: column.uuid, hash: column.text() });
const READ_FOUND = statement(
  'withdrawals.read_foreign_runs',
  `SELECT ${FOUND.names} FROM withdrawals.foreign_run WHERE chain = $1`,
);
const END = statement('withdrawals.end_foreign_run', 'SELECT withdrawals.end_foreign_run($1, $2)');

/**
 * Ends payment runs that somebody else has sent, once that transaction is final. Their withdrawals then go on as those
 * of any run. Whoever has a run's signatures can send it, so this is no fault.
 */
export async function endForeignRuns({ database }: WithdrawalsModule, chain: WithdrawalChain): Promise<void> {
  const { config, readers } = chain;
  for (const { id, hash } of await FOUND.query(database, READ_FOUND, [config.code])) {
    const receipt = await readFinalReceipt(readers, hash, config.confirmations);
    if (receipt?.isSuccess) await database.query(END, [id, hash]);
  }
}
