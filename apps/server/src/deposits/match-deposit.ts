import { matchDeposit } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { isLineOfAnother, readBankLine } from './bank-lines.ts';
import { payingRate, usdtFor } from './bank-rails.ts';
import { caseOf, MATCH_APPROVAL } from './deposit-case.ts';
import type { DepositRoom } from './deposit-room.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import { type DepositRow, findDeposit, lockDeposit } from './deposit-store.ts';
import { matchKind } from './match-kind.ts';

/** A transfer may take some minutes from the order to the bank's line. */
const GRACE_MS = 5 * 60_000;

export function matchDepositHandler(room: DepositRoom): Handler {
  const { database, ledger, approvals, audit, bahtRate, findWaiting, changed } = room;
  const kind = matchKind(room);

  /** The order's rate if the money arrived in time, otherwise the current rate. */
  const termsOf = async (row: DepositRow, paidAt: Date): Promise<{ amount: bigint; rate: bigint }> => {
    const isInTime = paidAt.getTime() <= (row.rate_until?.getTime() ?? 0) + GRACE_MS;
    const now = isInTime ? null : await bahtRate();
    const rate = now ? payingRate(now, DEPOSIT_SETTINGS.spreadBps) : (row.rate ?? 0n);
    return { rate, amount: now ? usdtFor(row.baht ?? 0n, rate) : row.amount };
  };

  return handle(matchDeposit, async ({ request, operator, intent, now }) => {
    const { id, version, line: lineId, note, fingerprint } = request;
    const row = await findDeposit(database, id);
    if (!row || row.baht === null) return refuse('deposit_unknown', { field: 'id' });
    const line = await readBankLine(database, lineId);
    if (!line) return refuse('line_unknown', { field: 'line' });
    const waiting = await findWaiting(database, MATCH_APPROVAL, id);
    const isLarge = row.baht >= DEPOSIT_SETTINGS.twoPeopleFromBaht;
    if (isLarge && waiting === null) {
      // The first operator only proposes the match; the second one's approval moves the money.
      const refused = await database.transaction(async (transaction) => {
        const fresh = await lockDeposit(transaction, id);
        if (!fresh || !['awaiting_slip', 'in_review'].includes(fresh.step)) return 'deposit_finished' as const;
        if (fresh.version !== version) return 'version_stale' as const;
        if (line.used_by !== null) return 'line_used' as const;
        if (line.amount !== fresh.baht) return 'line_amount_differs' as const;
        if (await isLineOfAnother(transaction, lineId, id)) return 'line_of_another' as const;
        await approvals.open(transaction, {
          kind: MATCH_APPROVAL,
          subject: id,
          fingerprintOf: { deposit: id, line: lineId, baht: String(fresh.baht) },
          need: 1,
          madeBy: operator.id,
          roles: ['finance'],
          about: [fresh.customer_id],
        });
        await audit.append(transaction, {
          operator,
          what: 'deposit.match_proposed',
          on: { kind: 'deposit', id },
          customer: fresh.customer_id,
          after: { line: lineId },
        });
        return null;
      });
      if (refused !== null) return refuse(refused);
    } else {
      const proposed = waiting && (JSON.parse(waiting.content) as { line: string }).line;
      if (waiting && proposed !== lineId) return refuse('fingerprint_stale');
      const posted = await ledger.post(
        kind,
        {
          id,
          version,
          line: lineId,
          ...(await termsOf(row, line.at)),
          operator,
          note,
          approval: waiting && { id: waiting.id, fingerprint: fingerprint ?? '' },
          at: now,
        },
        intent,
      );
      if (!posted.ok) return posted as Decision<never, 'house_short'>;
      await changed([id]);
    }
    const after = await findDeposit(database, id);
    return after ? accept(await caseOf(room, after, operator)) : refuse('deposit_unknown');
  });
}
