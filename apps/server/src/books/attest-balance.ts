import { attestBalance } from '@sathorn/api';
import { parseMoney } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { houseAccount } from '../ledger/index.ts';
import { insertAttestation } from './attestation-store.ts';
import { viewAttestation } from './read-reconciliation.ts';
import type { BooksRoom } from './room.ts';

/** A statement of the future is a mistake; one of long ago says nothing about today. */
const OLDEST_MS = 31 * 86_400_000;

export function attestBalanceHandler(room: BooksRoom): Handler {
  const { database, ledger, audit } = room;
  return handle(attestBalance, async ({ request, operator, intent, now }) => {
    const { asset, as_of: asOf, statement } = request;
    const counted = parseMoney(asset, request.counted);
    if (!counted || counted.units < 0n) return refuse('amount_not_positive', { field: 'counted' });
    if (asOf > now || now.getTime() - asOf.getTime() > OLDEST_MS)
      return refuse('statement_time_wrong', { field: 'as_of' });
    // The ledger's balance at the statement's moment: what moved since is not in the statement either.
    const booked = -(await ledger.totalAt(houseAccount('reserve_bank', asset), asOf));
    const row = {
      id: intent.id,
      asset,
      counted: counted.units,
      booked,
      as_of: asOf,
      statement,
      operator: operator.id,
      at: now,
    };
    const stored = await database.transaction(async (transaction) => {
      const before = await insertAttestation(transaction, row);
      // The same request again: the answer is what was signed for then, and the log says it once.
      if (before) return before;
      await audit.append(transaction, {
        operator,
        what: 'reconciliation.attested',
        on: { kind: 'attestation', id: row.id },
        after: { asset, counted: String(counted.units), booked: String(booked), as_of: asOf.toISOString() },
        note: statement,
      });
      return { ...row, counted: String(counted.units), booked: String(booked) };
    });
    return accept(await viewAttestation(room, stored));
  });
}
