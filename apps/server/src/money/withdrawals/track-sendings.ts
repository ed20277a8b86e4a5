import { column, type Queries, statement, table } from '../../platform/database/index.ts';
import type { ChainReader, TransactionReceipt } from '../chain/index.ts';
import type { WithdrawalChain, WithdrawalsModule } from './withdrawals.ts';

interface OpenSending {
  readonly id: string;
  readonly kind: 'gas' | 'sweep' | 'return' | 'run' | 'surplus';
  readonly sender: string;
  readonly deposit_id: string | null;
  readonly hash: string;
}
const { uuid, text, nullable } = column;
const OPEN = table<OpenSending>({
  id: uuid,
  kind: text(),
  sender: text(),
  deposit_id: nullable(uuid),
  hash: text(),
});
// One row per attempt.
const READ_OPEN = statement(
  'withdrawals.read_sendings',
  `SELECT s.id, s.kind, s.sender, s.deposit_id, a.hash FROM withdrawals.sending s JOIN withdrawals.sending_attempt a ON a.sending_id = s.id
   WHERE s.chain = $1 AND s.step = 'sending' ORDER BY s.at, s.id LIMIT 1000`,
);
const END = statement(
  'withdrawals.end_sending',
  `UPDATE withdrawals.sending SET step = $2, hash = $3, block_height = $4, finished_at = $5 WHERE id = $1 AND step = 'sending' RETURNING id`,
);
const PAID = statement(
  'withdrawals.keep_gas_paid',
  'INSERT INTO withdrawals.gas_paid (hash, chain, sender, units, block_height) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
);

/** The cost of a final transaction of ours. */
export async function storeGasPaid(
  queries: Queries,
  chain: string,
  sender: string,
  { hash, gasPaid, height }: Pick<TransactionReceipt, 'hash' | 'gasPaid' | 'height'>,
): Promise<void> {
  await queries.query(PAID, [hash, chain, sender, gasPaid, height]);
}

/** The receipt that all nodes report, at the depth that the chain requires; null until then. */
export async function readFinalReceipt(
  readers: readonly ChainReader[],
  hash: string,
  confirmations: number,
): Promise<TransactionReceipt | null> {
  const said = await Promise.all(
    readers.map(async (reader) => {
      const [[receipt], head] = await Promise.all([reader.receipts([hash]), reader.head()]);
      if (!receipt || head.height - receipt.height + 1 < confirmations) return null;
      const [block] = await reader.blocks([receipt.height]);
      return block?.hash === receipt.blockHash ? receipt : null;
    }),
  );
  const [first] = said;
  const isSame = said.every((one) => one?.blockHash === first?.blockHash && one?.isSuccess === first?.isSuccess);
  return first && isSame ? first : null;
}

/**
 * Follows gas transfers, sweeps and returns until they are final. The deposit watcher books sweeps, because they arrive
 * at the wallet.
 */
export async function trackSendings(module: WithdrawalsModule, chain: WithdrawalChain, now: Date): Promise<void> {
  const { database, onFault, sentBack } = module;
  const { config, readers } = chain;
  const rows = await OPEN.query(database, READ_OPEN, [config.code]);
  if (rows.length === 0) return;
  const receipts = await readers[0].receipts(rows.map(({ hash }) => hash));
  for (const [n, { id, kind, sender, hash, deposit_id: deposit }] of rows.entries()) {
    const seen = receipts[n];
    if (!seen) continue;
    const receipt = await readFinalReceipt(readers, hash, config.confirmations);
    if (receipt === null) continue;
    const isDone = await database.transaction(async (transaction) => {
      const step = receipt.isSuccess ? 'done' : 'failed';
      const ended = await transaction.query(END, [id, step, hash, receipt.height, now]);
      if (ended.length === 0) return false;
      await storeGasPaid(transaction, config.code, sender, receipt);
      return true;
    });
    if (!isDone) continue;
    if (!receipt.isSuccess)
      onFault(
        new Error(
          kind === 'run'
            ? `alarm: the chain refused the payment run of transaction ${hash}; its withdrawals wait for another run`
            : `alarm: the chain refused a ${kind} of ${sender}; it is tried again in some hours`,
        ),
      );
    else if (deposit !== null) await sentBack(deposit, hash, now);
  }
}
