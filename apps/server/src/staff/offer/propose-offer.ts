import type { ApprovalView } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ProposalRefusal } from '../operators/index.ts';
import type { OfferModule, OfferProposal, ProposeOfferRefusal } from './offer.ts';
import { OFFER_APPROVAL, type OfferCheckRefusal, PROPOSER_ROLES } from './offer-kind.ts';

type Refusal = ProposeOfferRefusal | OfferCheckRefusal | ProposalRefusal | 'approval_open' | 'role_missing';

const CHECKERS = { products: ['compliance'], coins: ['compliance'], brand: ['compliance'] } as const;
const hours = (ms: number): string => String(ms / 3_600_000);

/**
 * Opens the approval. Terms take effect only after another person has approved them and the notice period has passed.
 */
export async function proposeOffer(
  module: OfferModule,
  operator: OperatorSession,
  proposal: OfferProposal & { readonly reason: string },
  now: Date,
): Promise<Decision<ApprovalView, Refusal>> {
  const { database, approvals, audit, findWaiting, viewApproval } = module;
  const prepared = await module.prepare(database, proposal, now, operator);
  if (!prepared.ok) return prepared;
  const { kind, change, checks, noticeMs } = prepared.effect;
  const failed = checks.find(({ ok }) => !ok);
  if (failed) return refuse(failed.code as OfferCheckRefusal, { field: 'fields' });
  const subject = `${change.kind}/${change.subject}`;
  const opened = await database.transaction(async (transaction) => {
    if (await findWaiting(transaction, OFFER_APPROVAL, subject)) return null;
    const made = await approvals.propose(transaction, operator, {
      kind: OFFER_APPROVAL,
      subject,
      fingerprintOf: {
        kind: change.kind,
        subject: change.subject,
        version: String(change.version),
        before: change.before,
        after: change.after,
        effective_from: change.effectiveFrom.toISOString(),
        notice_hours: hours(noticeMs),
      },
      roles: [...new Set([...PROPOSER_ROLES[kind.page], ...CHECKERS[kind.page]])],
      reason: proposal.reason,
      // A later approval would give customers less notice than promised.
      expiresAt: new Date(change.effectiveFrom.getTime() - noticeMs),
    });
    if (!made.ok) return made;
    await audit.append(transaction, {
      operator,
      what: 'offer.proposed',
      on: { kind: OFFER_APPROVAL, id: subject },
      ...(change.before !== null && { before: change.before }),
      after: { approval: made.effect.id, effective_from: change.effectiveFrom.toISOString(), ...change.after },
      note: proposal.reason,
    });
    return made;
  });
  if (opened === null) return refuse('approval_open', { field: 'subject' });
  return opened.ok ? accept(await viewApproval(opened.effect.id, operator)) : opened;
}
