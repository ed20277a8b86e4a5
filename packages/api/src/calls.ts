import * as account from './account.ts';
import * as accountRecords from './account-records.ts';
import * as activities from './activities.ts';
import * as adminApprovals from './admin-approvals.ts';
import * as adminAudit from './admin-audit.ts';
import * as adminCertifications from './admin-certifications.ts';
import * as adminContent from './admin-content.ts';
import * as adminCorrections from './admin-corrections.ts';
import * as adminCustomers from './admin-customers.ts';
import * as adminDeposits from './admin-deposits.ts';
import * as adminDisputes from './admin-disputes.ts';
import * as adminFactorResets from './admin-factor-resets.ts';
import * as adminIncidents from './admin-incidents.ts';
import * as adminLedger from './admin-ledger.ts';
import * as adminOffer from './admin-offer.ts';
import * as adminOperators from './admin-operators.ts';
import * as adminPauses from './admin-pauses.ts';
import * as adminRestoration from './admin-restoration.ts';
import * as adminSamples from './admin-samples.ts';
import * as adminSession from './admin-session.ts';
import * as adminStepUp from './admin-step-up.ts';
import * as adminSupport from './admin-support.ts';
import * as adminWithdrawals from './admin-withdrawals.ts';
import * as alerts from './alerts.ts';
import * as antiPhishing from './anti-phishing.ts';
import * as boxes from './boxes.ts';
import type { Call } from './call.ts';
import * as candles from './candles.ts';
import * as certifications from './certifications.ts';
import * as consents from './consents.ts';
import * as content from './content.ts';
import * as contracts from './contracts.ts';
import * as corrections from './corrections.ts';
import * as customers from './customers.ts';
import * as demo from './demo.ts';
import * as deposits from './deposits.ts';
import * as disputes from './disputes.ts';
import * as earning from './earning.ts';
import * as invites from './invites.ts';
import * as kept from './kept.ts';
import * as levels from './levels.ts';
import * as market from './market.ts';
import * as messages from './messages.ts';
import * as optionReceipts from './option-receipts.ts';
import * as optionTotals from './option-totals.ts';
import * as options from './options.ts';
import * as payees from './payees.ts';
import * as pictures from './pictures.ts';
import * as proofs from './proofs.ts';
import * as push from './push.ts';
import * as quotes from './quotes.ts';
import * as rewards from './rewards.ts';
import * as rules from './rules.ts';
import * as safeguards from './safeguards.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import * as signIn from './sign-in.ts';
import * as status from './status.ts';
import * as support from './support.ts';
import * as withdrawals from './withdrawals.ts';

function isCall(entry: unknown): entry is Call {
  return typeof entry === 'object' && entry !== null && 'path' in entry && 'refusals' in entry;
}

/** Every call by its name. A handler's file is this name in kebab case. */
export const CALLS: Readonly<Record<string, Call>> = Object.fromEntries(
  Object.entries({
    ...account,
    ...accountRecords,
    ...adminApprovals,
    ...adminAudit,
    ...adminContent,
    ...adminCorrections,
    ...adminCustomers,
    ...adminCertifications,
    ...adminDeposits,
    ...adminFactorResets,
    ...adminIncidents,
    ...adminLedger,
    ...adminOffer,
    ...adminPauses,
    ...consents,
    ...adminOperators,
    ...adminDisputes,
    ...adminSamples,
    ...adminSession,
    ...adminRestoration,
    ...adminWithdrawals,
    ...adminStepUp,
    ...boxes,
    ...adminSupport,
    ...alerts,
    ...antiPhishing,
    ...candles,
    ...certifications,
    ...content,
    ...activities,
    ...contracts,
    ...corrections,
    ...customers,
    ...demo,
    ...deposits,
    ...invites,
    ...kept,
    ...levels,
    ...disputes,
    ...earning,
    ...market,
    ...messages,
    ...optionReceipts,
    ...optionTotals,
    ...options,
    ...payees,
    ...pictures,
    ...proofs,
    ...push,
    ...quotes,
    ...rewards,
    ...rules,
    ...safeguards,
    ...secondFactor,
    ...sessions,
    ...signIn,
    ...status,
    ...support,
    ...withdrawals,
  }).filter(([, entry]) => isCall(entry)),
) as Record<string, Call>;
