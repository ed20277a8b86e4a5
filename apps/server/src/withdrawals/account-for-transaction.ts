import { accountForTransaction } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { quantityOf, RpcFault } from '../chain/index.ts';
import { type Queries, statement } from '../database/index.ts';
import { type Handler, handle } from '../edge/index.ts';
import type { ApprovalKind } from '../operators/index.ts';
import { finalReceipt } from './track-sendings.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';

const KIND = 'payout_foreign';
const LAST = statement('withdrawals.last_nonce', 'SELECT withdrawals.last_nonce($1) AS nonce');
const KEEP = statement(
  'withdrawals.keep_foreign',
  'INSERT INTO withdrawals.foreign_transaction (chain, nonce, hash, approval) VALUES ($1, $2, $3, $4)',
);

/** The wallet's next nonce as the database knows it; null before the first one. */
async function nextNonce(queries: Queries, chain: string): Promise<number | null> {
  const [row] = await queries.query<{ nonce: bigint | null }>(LAST, [chain]);
  return row?.nonce == null ? null : Number(row.nonce) + 1;
}

/**
 * Somebody sent a transaction with the house's key by hand. One person names it by its hash; when another one agrees,
 * the signer counts its nonce as used and payouts go on. What it moved is the checker's matter.
 */
export function accountForTransactionHandler({
  database,
  chain,
  approvals,
  audit,
  findWaiting,
}: WithdrawalRoom): Handler {
  return handle(accountForTransaction, async ({ request: { hash: given, note }, operator }) => {
    const hash = given.toLowerCase();
    const field = 'hash';
    if (!chain) return refuse('hash_unknown', { field });
    const { config, readers } = chain;
    const [leader] = readers;
    try {
      if ((await finalReceipt(readers, hash, config.confirmations)) === null) return refuse('hash_unknown', { field });
      const sent = await leader.rpc.call<{ from: string; nonce: string; to: string | null; value: string } | null>(
        'eth_getTransactionByHash',
        [hash],
      );
      if (sent?.from.toLowerCase() !== config.hot) return refuse('hash_not_of_wallet', { field });
      const nonce = quantityOf(sent.nonce);
      const refused = await database.transaction(async (transaction) => {
        // One after the other: the signer goes on only when none is left out.
        if ((await nextNonce(transaction, config.code)) !== nonce) return 'hash_not_next' as const;
        if (await findWaiting(transaction, KIND, hash)) return 'already_waiting' as const;
        const content = {
          chain: config.code,
          hash,
          nonce: String(nonce),
          to: sent.to,
          value: String(BigInt(sent.value)),
        };
        await approvals.open(transaction, {
          kind: KIND,
          subject: hash,
          fingerprintOf: content,
          need: 1,
          madeBy: operator.id,
          roles: ['finance', 'compliance'],
        });
        await audit.append(transaction, {
          operator,
          what: 'payout_foreign.named',
          on: { kind: 'transaction', id: hash },
          after: content,
          ...(note !== undefined && { note }),
        });
        return null;
      });
      return refused === null ? accept({ hash, nonce: String(nonce) }) : refuse(refused, { field });
    } catch (error) {
      if (error instanceof RpcFault) return refuse('chain_unavailable');
      throw error;
    }
  });
}

/** The database holds that it is the next nonce, and that two people agreed to exactly this. */
export const foreignKind = (): ApprovalKind => ({
  async apply(transaction, { id, content }) {
    const { chain, hash, nonce } = JSON.parse(content) as { chain: string; hash: string; nonce: string };
    if ((await nextNonce(transaction, chain)) !== Number(nonce)) return false;
    await transaction.query(KEEP, [chain, Number(nonce), hash, id]);
    return true;
  },
  customerOf: () => null,
});
