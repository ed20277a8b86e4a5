import { accountForTransaction } from '@sathorn/api';
import { accept, decideForeign, type ForeignPurpose, refuse, type WalletOwner } from '@sathorn/settlement';
import { type Queries, statement } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import { numberOfHex, RpcFault } from '../chain/index.ts';
import type { PayeeHolder } from '../payees/index.ts';
import { hasReadBlock, isTransactionExplained, readUnexplainedOutputs, storeForeignTransfer } from './foreign-store.ts';
import { readNextNonce } from './restoration-store.ts';
import { readFinalReceipt } from './track-sendings.ts';
import { readWithdrawals } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const KIND = 'payout_foreign';
const KEEP = statement(
  'withdrawals.keep_foreign',
  `INSERT INTO withdrawals.foreign_transaction (chain, wallet, nonce, hash, approval, is_first) VALUES ($1, $2, $3, $4, $5, $6)`,
);

interface Sent {
  readonly chain: string;
  readonly hash: string;
  /** The house's address that sent the transaction; null if another address did. */
  readonly wallet: string | null;
  /** Null together with `wallet`. */
  readonly nonce: string | null;
  readonly to: string | null;
  readonly value: string;
  /** The withdrawal that people chose if several match. */
  readonly withdrawal: string | null;
  readonly customer: string | null;
}
interface Transfer {
  readonly output: string;
  readonly to: string;
  readonly units: string;
  readonly purpose: ForeignPurpose;
  readonly withdrawal: string | null;
  readonly customer: string | null;
  readonly payee: string | null;
}
/** The exact content that people decide on. The signer, the database and the checker read it. */
interface Content extends Sent {
  /** True for the first known transaction of the wallet, which stands for all from before this database. */
  readonly is_first: boolean;
  readonly transfers: readonly Transfer[];
}
type Room = Pick<WithdrawalsModule, 'payees' | 'heldSince'>;

/** Evaluates the rule without a lock, because the database checks the same rule on the write. */
async function contentOf({ payees, heldSince }: Room, queries: Queries, sent: Sent) {
  const { chain, hash, wallet, nonce, withdrawal, customer } = sent;
  const isRestored = (await heldSince(queries)) !== null;
  const openings = new Map<string, Buffer>();
  const ownerOf = ({ id, customer: owner, opening }: PayeeHolder): WalletOwner => {
    openings.set(id, opening);
    return { payee: id, customer: owner };
  };
  const outputs = [];
  for (const left of await readUnexplainedOutputs(queries, chain, hash))
    outputs.push({ ...left, owners: (await payees.holdersOf(queries, chain, left.receiver)).map(ownerOf) });
  const isKnown = wallet !== null && (await isTransactionExplained(queries, hash));
  const decision = decideForeign({
    nonce: wallet === null ? 'none' : isKnown ? 'known' : 'new',
    outputs,
    isRestored,
    withdrawal,
    customer: customer === null ? null : BigInt(customer),
  });
  if (!decision.ok) return decision;
  const transfers = decision.effect.map(
    ({ output, receiver: to, units, purpose, withdrawal: paid, owner }): Transfer => ({
      output: String(output),
      to,
      units: String(units),
      purpose,
      withdrawal: paid,
      customer: owner && String(owner.customer),
      payee: owner?.payee ?? null,
    }),
  );
  const isFirst =
    wallet !== null && !isRestored && Number(nonce) > 0 && (await readNextNonce(queries, chain, wallet)) === 0;
  return accept({ content: { ...sent, is_first: isFirst, transfers } satisfies Content, isKnown, openings });
}

/**
 * Accounts for a transaction that moved the house's money although this database's signer has not signed it: somebody
 * sent it by hand, or a restoration lost its row. One person names it by its hash. When another person agrees, its
 * nonce counts as used, the books follow its transfers, and payouts continue.
 */
export function accountForTransactionHandler(module: WithdrawalsModule): Handler {
  const { database, chain, approvals, audit, findWaiting } = module;
  return handle(accountForTransaction, async ({ request, operator }) => {
    const { withdrawal = null, customer = null, note } = request;
    const hash = request.hash.toLowerCase();
    const field = 'hash';
    if (!chain) return refuse('hash_unknown', { field });
    const { config, readers, addresses } = chain;
    const [leader] = readers;
    try {
      const receipt = await readFinalReceipt(readers, hash, config.confirmations);
      // Only after the chain's reader has read the block is it known what the transaction moved.
      if (receipt === null || !(await hasReadBlock(database, config.code, receipt.height)))
        return refuse('hash_unknown', { field });
      const sent = await leader.rpc.call<{ from: string; nonce: string; to: string | null; value: string } | null>(
        'eth_getTransactionByHash',
        [hash],
      );
      if (sent === null) return refuse('hash_unknown', { field });
      const sender = sent.from.toLowerCase();
      const isOurs = sender === config.hot || (await addresses.ownersOf([sender])).has(sender);
      const decided = await database.transaction(async (transaction) => {
        const found = await contentOf(module, transaction, {
          chain: config.code,
          hash,
          wallet: isOurs ? sender : null,
          nonce: isOurs ? String(numberOfHex(sent.nonce)) : null,
          to: sent.to,
          value: String(BigInt(sent.value)),
          withdrawal,
          customer,
        });
        if (!found.ok) return found;
        if (await findWaiting(transaction, KIND, hash)) return refuse('already_waiting');
        const { content } = found.effect;
        const paid = content.transfers.flatMap((one) => one.withdrawal ?? []);
        const about = [
          ...(await readWithdrawals(transaction, paid)).map((row) => row.customer_id),
          ...content.transfers.flatMap((one) => (one.customer === null ? [] : [BigInt(one.customer)])),
        ];
        const proposed = await approvals.propose(transaction, operator, {
          kind: KIND,
          subject: hash,
          fingerprintOf: content as never,
          roles: ['finance', 'compliance'],
          about,
        });
        if (!proposed.ok) return proposed;
        await audit.append(transaction, {
          operator,
          what: 'payout_foreign.named',
          on: { kind: 'transaction', id: hash },
          after: content as never,
          ...(note !== undefined && { note }),
        });
        return accept(content);
      });
      if (decided.ok) return accept({ hash, nonce: decided.effect.nonce });
      const { refusal } = decided;
      const chosen = {
        hash_not_of_withdrawal: 'withdrawal',
        hash_not_of_customer: 'customer',
        step_up_required: 'step_up',
        step_up_expired: 'step_up',
        vote_unsigned: 'step_up',
      } as const;
      return { ...decided, field: chosen[refusal as keyof typeof chosen] ?? field };
    } catch (error) {
      if (error instanceof RpcFault) return refuse('chain_unavailable');
      throw error;
    }
  });
}

/** The database checks what left the wallet, its receivers, and that two people agreed to exactly this. */
export const foreignTransactionKind = (module: Room): ApprovalKind => ({
  async apply(transaction, { id, content: text }) {
    const said = JSON.parse(text) as Content;
    const { chain, hash, wallet, nonce, is_first, transfers } = said;
    const now = await contentOf(module, transaction, said);
    // A withdrawal signed in the meantime changes the content that people saw, so nothing is written.
    if (!now.ok || now.effect.content.is_first !== is_first) return false;
    const { content, isKnown, openings } = now.effect;
    if (JSON.stringify(content.transfers) !== JSON.stringify(transfers.map(inOrder))) return false;
    if (wallet !== null && !isKnown) await transaction.query(KEEP, [chain, wallet, Number(nonce), hash, id, is_first]);
    for (const one of transfers)
      await storeForeignTransfer(
        transaction,
        {
          chain,
          hash,
          output: Number(one.output),
          receiver: one.to,
          units: BigInt(one.units),
          purpose: one.purpose,
          withdrawal_id: one.withdrawal,
          customer_id: one.customer === null ? null : BigInt(one.customer),
          payee_id: one.payee,
          approval: id,
        },
        one.payee === null ? null : (openings.get(one.payee) ?? null),
      );
    return true;
  },
  customerOf: () => null,
});

/** Sorts the members by name, as canonical texts do. */
const inOrder = ({ output, to, units, purpose, withdrawal, customer, payee }: Transfer): Transfer => ({
  output,
  to,
  units,
  purpose,
  withdrawal,
  customer,
  payee,
});
