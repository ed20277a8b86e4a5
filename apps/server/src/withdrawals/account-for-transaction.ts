import { accountForTransaction } from '@sathorn/api';
import { accept, decideForeign, type ForeignPurpose, refuse } from '@sathorn/settlement';
import { quantityOf, RpcFault } from '../chain/index.ts';
import { type Queries, statement } from '../database/index.ts';
import { type Handler, handle } from '../edge/index.ts';
import type { ApprovalKind } from '../operators/index.ts';
import { hasRead, keepTransfer, leftByHand } from './foreign-store.ts';
import { finalReceipt } from './track-sendings.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';
import { findWithdrawal, type WithdrawalRow } from './withdrawal-store.ts';

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

/** Exactly what people decide on. The signer, the database and the checker read it. */
interface Content {
  readonly chain: string;
  readonly hash: string;
  /** Null if the wallet did not send it, or if the signer needs no word about its nonce. */
  readonly nonce: string | null;
  readonly to: string | null;
  readonly value: string;
  readonly transfers: readonly {
    readonly output: string;
    readonly to: string;
    readonly units: string;
    readonly purpose: ForeignPurpose;
  }[];
  readonly withdrawal: string | null;
}
type Sent = Pick<Content, 'chain' | 'hash' | 'to' | 'value' | 'withdrawal'> & { readonly nonce: number | null };

const namedOf = (row: WithdrawalRow) => ({
  isOpen: row.kind === 'crypto' && row.step === 'approved' && row.receiver === null,
  chain: row.chain,
  address: row.address,
  units: row.amount - row.fee,
});

/** The rule with what the database knows now. It takes no lock: the database holds the same rule when it is written. */
async function contentOf(queries: Queries, { nonce, ...sent }: Sent) {
  const { chain, hash } = sent;
  const outputs = await leftByHand(queries, chain, hash);
  const next = await nextNonce(queries, chain);
  const row = sent.withdrawal === null ? undefined : await findWithdrawal(queries, sent.withdrawal);
  // Before the first payout the signer asks the chain for its nonce, and waits for nothing.
  const isPassed = next === null || (nonce !== null && nonce < next);
  const decision = decideForeign({
    chain,
    nonce: nonce === null ? 'none' : isPassed ? 'passed' : nonce === next ? 'next' : 'later',
    outputs,
    withdrawal: row ? namedOf(row) : null,
  });
  if (!decision.ok) return decision;
  const transfers = decision.effect.map(({ output, receiver: to, units, purpose }) => ({
    output: String(output),
    to,
    units: String(units),
    purpose,
  }));
  return accept<Content>({ ...sent, nonce: nonce === null || isPassed ? null : String(nonce), transfers });
}

/**
 * Somebody moved money of the house's wallet by hand. One person names the transaction by its hash; when another one
 * agrees, the signer counts its nonce as used, the books follow what it moved, and payouts go on.
 */
export function accountForTransactionHandler({
  database,
  chain,
  approvals,
  audit,
  findWaiting,
}: WithdrawalRoom): Handler {
  return handle(accountForTransaction, async ({ request: { hash: given, withdrawal: paid, note }, operator }) => {
    const hash = given.toLowerCase();
    const field = 'hash';
    if (!chain) return refuse('hash_unknown', { field });
    const { config, readers } = chain;
    const [leader] = readers;
    try {
      const receipt = await finalReceipt(readers, hash, config.confirmations);
      // The chain's reader knows what the transaction moved after it has read the block.
      if (receipt === null || !(await hasRead(database, config.code, receipt.height)))
        return refuse('hash_unknown', { field });
      const sent = await leader.rpc.call<{ from: string; nonce: string; to: string | null; value: string } | null>(
        'eth_getTransactionByHash',
        [hash],
      );
      if (sent === null) return refuse('hash_unknown', { field });
      const named = paid === undefined ? undefined : await findWithdrawal(database, paid);
      if (paid !== undefined && named === undefined) return refuse('withdrawal_unknown', { field: 'withdrawal' });
      const nonce = sent.from.toLowerCase() === config.hot ? quantityOf(sent.nonce) : null;
      const decided = await database.transaction(async (transaction) => {
        const content = await contentOf(transaction, {
          chain: config.code,
          hash,
          nonce,
          to: sent.to,
          value: String(BigInt(sent.value)),
          withdrawal: paid ?? null,
        });
        if (!content.ok) return content;
        if (await findWaiting(transaction, KIND, hash)) return refuse('already_waiting');
        await approvals.open(transaction, {
          kind: KIND,
          subject: hash,
          fingerprintOf: content.effect as never,
          need: 1,
          madeBy: operator.id,
          roles: ['finance', 'compliance'],
          about: named ? [named.customer_id] : [],
        });
        await audit.append(transaction, {
          operator,
          what: 'payout_foreign.named',
          on: { kind: 'transaction', id: hash },
          after: content.effect as never,
          ...(note !== undefined && { note }),
        });
        return content;
      });
      if (decided.ok) return accept({ hash, nonce: decided.effect.nonce });
      const { refusal } = decided;
      const isOfPayout = refusal === 'withdrawal_decided' || refusal === 'hash_not_of_withdrawal';
      return refuse(refusal, { field: isOfPayout ? 'withdrawal' : field });
    } catch (error) {
      if (error instanceof RpcFault) return refuse('chain_unavailable');
      throw error;
    }
  });
}

/** The database holds that it is the next nonce, what left the wallet, and that two people agreed to exactly this. */
export const foreignKind = (): ApprovalKind => ({
  async apply(transaction, { id, content: text }) {
    const content = JSON.parse(text) as Content;
    const { chain, hash, nonce, withdrawal, transfers = [] } = content;
    const now = await contentOf(transaction, {
      ...content,
      nonce: nonce === null ? null : Number(nonce),
      withdrawal: withdrawal ?? null,
    });
    // A withdrawal may have been signed meanwhile. Then this is not what people saw, and nothing is written.
    if (!now.ok || JSON.stringify(now.effect.transfers) !== JSON.stringify(transfers.map(inOrder))) return false;
    if (nonce !== null) await transaction.query(KEEP, [chain, Number(nonce), hash, id]);
    for (const one of transfers)
      await keepTransfer(transaction, {
        chain,
        hash,
        output: Number(one.output),
        receiver: one.to,
        units: BigInt(one.units),
        purpose: one.purpose,
        withdrawal_id: one.purpose === 'payout' ? withdrawal : null,
        approval: id,
      });
    return true;
  },
  customerOf: () => null,
});

/** The canonical text sorts members by name. */
const inOrder = ({ output, to, units, purpose }: Content['transfers'][number]) => ({ output, to, units, purpose });
