import { matchDeposit } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { isLineOfAnotherOrder, readBankLine } from './bank-lines.ts';
import { MATCH_APPROVAL_KIND, viewDepositCase } from './deposit-case.ts';
import { findDeposit, isDepositInCorrection, isMatchableDeposit, lockDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { type MatchRefusal, matchActOf, matchKind, type SignedMatch } from './match-kind.ts';
import { lockMatches, matchFactsOf, readMatchProof } from './match-rule.ts';
import { matchTermsOfLines } from './match-terms.ts';
import { alarmIfNotable } from './notable-matches.ts';

/** Parses a proposal: the line, and the confirmation under which the first operator signed it. */
function proposalOf(content: string): { readonly line: string; readonly signed: SignedMatch } {
  const said = JSON.parse(content) as { line: string; step_up: string; version: string };
  return { line: said.line, signed: { stepUp: said.step_up, version: Number(said.version) } };
}

/** A proposal lapses like other approvals, because it says nothing about the bank account of a later day. */
const WAITS_MS = 72 * 3_600_000;

export function matchDepositHandler(module: DepositsModule, onFault: (error: unknown) => void): Handler {
  const { database, ledger, approvals, stepUps, audit, findWaiting, concernedBy, changed } = module;
  const kind = matchKind(module);

  return handle(matchDeposit, async ({ request, operator, intent, now }) => {
    const { id, version, line: lineId, note, fingerprint } = request;
    const row = await findDeposit(database, id);
    if (!row || row.baht === null) return refuse('deposit_unknown', { field: 'id' });
    const line = await readBankLine(database, lineId);
    if (!line) return refuse('line_unknown', { field: 'line' });
    const found = await findWaiting(database, MATCH_APPROVAL_KIND, id);
    const hasLapsed = found?.expires_at != null && found.expires_at <= now;
    const waiting = hasLapsed ? null : found;
    const facts = matchFactsOf(row, line, operator.id);
    const proof = await readMatchProof(database, facts);
    if (!proof.ok) return proof;
    if (proof.effect === 'two_people' && waiting === null) {
      // The first operator only proposes the match; the second one's approval moves the money.
      const about = await concernedBy(row.customer_id);
      const refused = await database.transaction(async (transaction): Promise<Decision<null, MatchRefusal>> => {
        await lockMatches(transaction);
        const fresh = await lockDeposit(transaction, id);
        if (!fresh || !isMatchableDeposit(fresh)) return refuse('deposit_finished');
        if (fresh.version !== version) return refuse('version_stale');
        if ((await readBankLine(transaction, lineId))?.used_by !== null) return refuse('line_used', { field: 'line' });
        if (await isLineOfAnotherOrder(transaction, lineId, id)) return refuse('line_of_another', { field: 'line' });
        if (await isDepositInCorrection(transaction, id)) return refuse('deposit_finished');
        const allowed = await readMatchProof(transaction, matchFactsOf(fresh, line, operator.id));
        if (!allowed.ok) return allowed;
        const confirmed = await stepUps.sign(transaction, operator, matchActOf(id, lineId, version));
        if (!confirmed.ok) return confirmed;
        if (found && hasLapsed) await approvals.close(transaction, found.id, 'expired');
        await approvals.open(transaction, {
          kind: MATCH_APPROVAL_KIND,
          subject: id,
          fingerprintOf: {
            deposit: id,
            line: lineId,
            baht: String(line.amount.units),
            step_up: confirmed.effect,
            version: String(version),
          },
          need: 1,
          madeBy: operator.id,
          roles: ['finance'],
          about,
          expiresAt: new Date(now.getTime() + WAITS_MS),
        });
        await audit.append(transaction, {
          operator,
          what: 'deposit.match_proposed',
          on: { kind: 'deposit', id },
          customer: fresh.customer_id,
          after: { line: lineId },
        });
        return accept(null);
      });
      if (!refused.ok) return refused as Decision<never, 'deposit_finished'>;
    } else {
      const proposed = waiting && proposalOf(waiting.content);
      if (proposed && proposed.line !== lineId) return refuse('fingerprint_stale');
      const [terms] = await matchTermsOfLines(module, row, [line]);
      if (!terms?.ok) return terms ?? refuse('line_unknown', { field: 'line' });
      const posted = await ledger.post(
        kind,
        {
          id,
          version,
          line: lineId,
          ...terms.effect,
          operator,
          note,
          approval: proposed && {
            id: waiting.id,
            fingerprint: fingerprint ?? '',
            madeBy: waiting.made_by ?? operator.id,
            ...proposed.signed,
          },
          at: now,
        },
        intent,
      );
      if (!posted.ok) return posted as Decision<never, 'house_short'>;
      await changed([id]);
      await alarmIfNotable(database, id, onFault).catch(onFault);
    }
    const after = await findDeposit(database, id);
    return after ? accept(await viewDepositCase(module, after, operator)) : refuse('deposit_unknown');
  });
}
