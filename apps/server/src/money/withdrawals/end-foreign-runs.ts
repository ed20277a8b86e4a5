import { column, statement, table } from '../../platform/database/index.ts';
import { readFinalReceipt } from './track-sendings.ts';
import type { WithdrawalChain, WithdrawalsModule } from './withdrawals.ts';

const FOUND = table<{ readonly id: string; readonly hash: string }>({ id: column.uuid, hash: column.text() });
const READ_FOUND = statement(
  'withdrawals.read_foreign_runs',
  `SELECT r.id, treasury.foreign_hash_of(r.id) AS hash FROM treasury.run r JOIN treasury.state s ON s.chain = r.chain AND s.nonce > r.nonce
   WHERE r.chain = $1 AND r.step IN ('signed', 'sending', 'refused') AND treasury.foreign_hash_of(r.id) IS NOT NULL`,
);
const END = statement(
  'withdrawals.end_foreign_run',
  `UPDATE treasury.run SET step = 'done', foreign_hash = $2, ended_at = $3 WHERE id = $1 AND step IN ('signed', 'sending', 'refused')`,
);

/**
 * Ends payment runs that somebody else has sent, once that transaction is final. Its withdrawals then go on as those of
 * any run. Whoever has a run's signatures can send it, so this is no fault.
 */
export async function endForeignRuns(module: WithdrawalsModule, chain: WithdrawalChain, now: Date): Promise<void> {
  const { database } = module;
  const { config, readers } = chain;
  if (config.treasury === null) return;
  for (const { id, hash } of await FOUND.query(database, READ_FOUND, [config.code])) {
    const receipt = await readFinalReceipt(readers, hash, config.confirmations);
    if (receipt?.isSuccess) await database.query(END, [id, hash, now]);
  }
}
