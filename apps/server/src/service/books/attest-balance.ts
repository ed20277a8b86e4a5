import { attestBalance, attestedText } from '@sathorn/api';
import { formatMoney, parseMoney } from '@sathorn/money';
import { sha256, toHex, utf8Bytes } from '@sathorn/proof';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { houseAccount } from '../../ledger/index.ts';
import type { Transaction } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { type AttestationRow, findAttestation, insertAttestation } from './attestation-store.ts';
import type { BooksDependencies } from './books.ts';
import { viewAttestation } from './read-reconciliation.ts';

/** A statement with a future date is a mistake; one of long ago says nothing about today. */
const OLDEST_MS = 31 * 86_400_000;

type StatementRefusal = Extract<Awaited<ReturnType<BooksDependencies['attestStatement']>>, { ok: false }>;
/** Thrown to roll the attestation back. */
class StatementRefused extends Error {
  readonly refused: StatementRefusal;
  constructor(refused: StatementRefusal) {
    super(refused.refusal);
    this.refused = refused;
  }
}

export function attestBalanceHandler(module: BooksDependencies): Handler {
  const { database, ledger, audit, stepUps, attestStatement } = module;
  return handle(attestBalance, async ({ request, operator, intent, now }) => {
    const { asset, as_of: asOf, statement } = request;
    const counted = parseMoney(asset, request.counted);
    if (!counted || counted.units < 0n) return refuse('amount_not_positive', { field: 'counted' });
    if (asOf > now || now.getTime() - asOf.getTime() > OLDEST_MS)
      return refuse('statement_time_wrong', { field: 'as_of' });
    // Uses the ledger's balance at the statement's moment, because the statement lacks later movements too.
    const bank = await ledger.totalsAt(houseAccount('reserve_bank', asset).owner, new Set(['reserve_bank']), [asOf]);
    const booked = -(bank.find(({ account }) => account.asset === asset)?.totals[0] ?? 0n);
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
    type Refusal =
      | 'step_up_required'
      | 'step_up_expired'
      | 'vote_unsigned'
      | 'statement_unknown'
      | 'statement_balance_differs'
      | 'own_import'
      | 'already_attested';
    const attest = async (transaction: Transaction): Promise<Decision<AttestationRow, Refusal>> => {
      // A request repeated after a lost answer gets the first attestation, which the log contains once.
      const before = await findAttestation(transaction, row);
      if (before && request.bank_statement === undefined) return accept(before);
      if (before?.id === row.id) return accept(before);
      const fingerprint = toHex(sha256(utf8Bytes(attestedText({ ...request, counted: formatMoney(counted) }))));
      const confirmed = await stepUps.sign(transaction, operator, {
        act: 'balance.attest',
        subject: asset,
        fingerprint,
      });
      if (!confirmed.ok) return confirmed;
      const bankStatement = request.bank_statement ?? null;
      await insertAttestation(transaction, row, { stepUp: confirmed.effect, bankStatement });
      if (request.bank_statement !== undefined) {
        const marked = await attestStatement(transaction, {
          statement: request.bank_statement,
          attestation: row.id,
          by: operator.id,
          closing: counted,
          to: asOf,
        });
        if (!marked.ok) throw new StatementRefused(marked);
      }
      await audit.append(transaction, {
        operator,
        what: 'reconciliation.attested',
        on: { kind: 'attestation', id: row.id },
        after: {
          asset,
          counted: String(counted.units),
          booked: String(booked),
          as_of: asOf.toISOString(),
          ...(request.bank_statement !== undefined && { bank_statement: request.bank_statement }),
        },
        note: statement,
      });
      return accept({ ...row, counted: String(counted.units), booked: String(booked) });
    };
    const stored = await database.transaction(attest).catch((error: unknown) => {
      if (error instanceof StatementRefused) return error.refused;
      throw error;
    });
    return stored.ok ? accept(await viewAttestation(module, stored.effect)) : stored;
  });
}
