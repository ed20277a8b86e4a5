import { accountForTransaction } from '@sathorn/api';
import { type AdoptRefusal, accept, adoptAs, type Outflow, refuse } from '@sathorn/settlement';
import { outputsOf, quantityOf, RpcFault } from '../chain/index.ts';
import { type Queries, statement } from '../database/index.ts';
import { type Handler, handle } from '../edge/index.ts';
import type { ApprovalKind } from '../operators/index.ts';
import { findMatching, isOutflowRead, readNextNonce } from './restoration-store.ts';
import { finalReceipt } from './track-sendings.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';

const KIND = 'payout_foreign';
const KEEP = statement(
  'withdrawals.keep_foreign',
  `INSERT INTO withdrawals.foreign_transaction (chain, wallet, nonce, hash, approval, is_first, what, withdrawal_id, customer_id, payee_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8::uuid, $9::bigint, $10)`,
);

/** What two people agree to about a transaction that the signer of this database has not signed. */
interface Content {
  readonly chain: string;
  readonly wallet: string;
  readonly hash: string;
  readonly nonce: string;
  readonly to: string | null;
  readonly value: string;
  /** The first that this platform knows of the wallet: it and all before it are of another time. */
  readonly is_first: boolean;
  readonly what: 'foreign' | 'payout' | 'found';
  readonly withdrawal: string | null;
  readonly customer: string | null;
  readonly payee: string | null;
}

/**
 * A transaction left the house's addresses and the signer of this database has not signed it: somebody sent it by
 * hand, or a restoration has forgotten it. One person names it by its hash. When another one agrees, its nonce counts
 * as used, and what it paid is booked: to an open withdrawal, or to the owner of the wallet that it went to.
 */
export function accountForTransactionHandler(room: WithdrawalRoom): Handler {
  const { database, chain, approvals, audit, findWaiting, payees } = room;
  return handle(accountForTransaction, async ({ request: { hash: given, withdrawal, customer, note }, operator }) => {
    const hash = given.toLowerCase();
    const field = 'hash';
    if (!chain) return refuse('hash_unknown', { field });
    const { config, readers, addresses } = chain;
    const [leader] = readers;
    try {
      const receipt = await finalReceipt(readers, hash, config.confirmations);
      if (receipt === null) return refuse('hash_unknown', { field });
      const sent = await leader.rpc.call<{ from: string; nonce: string; to: string | null; value: string } | null>(
        'eth_getTransactionByHash',
        [hash],
      );
      const wallet = sent?.from.toLowerCase() ?? '';
      if (sent === null || (wallet !== config.hot && !(await addresses.ownersOf([wallet])).has(wallet)))
        return refuse('hash_not_of_wallet', { field });
      const outflows: Outflow[] = outputsOf(receipt)
        .filter(({ token, from, units }) => token === config.token && from === config.hot && units > 0n)
        .map(({ to, units }) => ({ receiver: to, units }));
      const nonce = quantityOf(sent.nonce);
      const refused = await database.transaction(async (transaction) => {
        const next = await readNextNonce(transaction, config.code, wallet);
        if (await findWaiting(transaction, KIND, hash)) return 'already_waiting' as const;
        const [outflow] = outflows;
        // Until its block was read nobody knows which open withdrawal it may have paid.
        if (outflow && !(await isOutflowRead(transaction, config.code, hash))) return 'hash_unknown' as const;
        const holders = outflow ? await payees.holdersOf(transaction, config.code, outflow.receiver) : [];
        const decided = adoptAs({
          outflows,
          withdrawals: await findMatching(transaction, config.code, hash),
          payees: holders,
          withdrawal: withdrawal ?? null,
          customer: customer === undefined ? null : BigInt(customer),
        });
        if (!decided.ok) return decided.refusal satisfies AdoptRefusal;
        const { what, withdrawal: adopted = null, payee = null } = decided.effect;
        const owner = payee?.customer ?? adopted?.customer ?? null;
        const content: Content = {
          chain: config.code,
          wallet,
          hash,
          nonce: String(nonce),
          to: outflow?.receiver ?? sent.to,
          value: outflow ? String(outflow.units) : String(BigInt(sent.value)),
          is_first: next === 0 && nonce > 0 && (await room.heldSince(transaction)) === null,
          what,
          withdrawal: adopted?.id ?? null,
          customer: payee ? String(payee.customer) : null,
          payee: payee?.id ?? null,
        };
        await approvals.open(transaction, {
          kind: KIND,
          subject: hash,
          fingerprintOf: { ...content },
          need: 1,
          madeBy: operator.id,
          roles: ['finance', 'compliance'],
          ...(owner !== null && { about: [owner] }),
        });
        await audit.append(transaction, {
          operator,
          what: 'payout_foreign.named',
          on: { kind: 'transaction', id: hash },
          ...(owner !== null && { customer: owner }),
          after: { ...content },
          ...(note !== undefined && { note }),
        });
        return null;
      });
      return refused === null
        ? accept({ hash, nonce: String(nonce) })
        : refuse(
            refused,
            refused === 'hash_ambiguous' || refused === 'withdrawal_unknown' ? { field: 'withdrawal' } : { field },
          );
    } catch (error) {
      if (error instanceof RpcFault) return refuse('chain_unavailable');
      throw error;
    }
  });
}

const isKnown = async (queries: Queries, hash: string): Promise<boolean> =>
  (await queries.query<{ hash: string }>(FIND, [hash])).length > 0;
const FIND = statement('withdrawals.find_foreign', 'SELECT hash FROM withdrawals.foreign_transaction WHERE hash = $1');

/** The database holds that two people agreed to exactly this, and that it paid exactly what they say. */
export const foreignKind = (): ApprovalKind => ({
  async apply(transaction, { id, content }) {
    const said = JSON.parse(content) as Content;
    if (await isKnown(transaction, said.hash)) return false;
    // Of an approval from before there were several wallets and ends.
    const { wallet = '', is_first = false, what = 'foreign', withdrawal = null, customer = null, payee = null } = said;
    await transaction.query(KEEP, [
      said.chain,
      wallet,
      Number(said.nonce),
      said.hash,
      id,
      is_first,
      what,
      withdrawal,
      customer,
      payee,
    ]);
    return true;
  },
  customerOf: ({ about }) => about,
});
