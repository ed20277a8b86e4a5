import type { BoughtOption } from '@sathorn/api';
import { readProofKeys } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { type PurchaseTimes, readOptionTerms } from '@sathorn/proof';
import { reportFindings } from '../parts/evidence/evidence-findings.ts';
import { readFirstKeyIds } from '../parts/evidence/first-key-ids.ts';
import {
  isCleanPurchase,
  judgePurchase,
  type OrderedOption,
  type PurchaseFindings,
} from '../parts/evidence/judge-purchase.ts';
import { keepPurchase, readKeptPurchase } from '../parts/evidence/kept-purchase.ts';
import { judgePublishedKeys } from '../parts/evidence/pinned-keys.ts';
import { readRulesHash } from '../parts/evidence/rules-in-force.ts';

/** Loaded before the purchase, so that its answer can be checked without further requests. */
export interface PreparedEvidence {
  readonly rulesHash: string | null;
}

let prepared: Promise<PreparedEvidence> | undefined;

/** Reads the rules that the customer sees, once per visit. */
export function prepareEvidence(): Promise<PreparedEvidence> {
  prepared ??= readRulesHash().then(
    (rulesHash) => {
      if (rulesHash === null) prepared = undefined;
      return { rulesHash };
    },
    () => ({ rulesHash: null }),
  );
  return prepared;
}

/** Returns the hash of the rules that these terms must name. */
async function rulesHashFor(terms: BoughtOption['terms']): Promise<string | null> {
  const { rulesHash } = await prepareEvidence();
  const named = terms && readOptionTerms(terms.body)?.rules;
  if (rulesHash === null || named === undefined || named === rulesHash) return rulesHash;
  // The rules may have changed since the visit began. The new ones count if the server shows them to everybody.
  prepared = undefined;
  return (await prepareEvidence()).rulesHash;
}

/** Stores the signed terms of an answer. Checks them in the background and shows any fault. */
export async function keepPurchaseAnswer(
  bought: BoughtOption,
  ordered: OrderedOption,
  times: PurchaseTimes,
): Promise<void> {
  const { terms } = bought;
  const keptAt = Date.now();
  const keep = (rulesHash: string | null, findings: PurchaseFindings | null): Promise<boolean> =>
    terms === undefined
      ? Promise.resolve(false)
      : keepPurchase(bought.id, { terms, rulesHash, keptAt, from: 'answer', findings, times });
  await keep(null, null);
  judgeAnswer(bought, ordered, times, keep).catch(() => undefined);
}

async function judgeAnswer(
  bought: BoughtOption,
  ordered: OrderedOption,
  times: PurchaseTimes,
  keep: (rulesHash: string | null, findings: PurchaseFindings | null) => Promise<boolean>,
): Promise<void> {
  const rulesHash = await rulesHashFor(bought.terms);
  const keys = await callServer(readProofKeys, {});
  const { trusted } = keys.ok ? await judgePublishedKeys(keys.data.keys, readFirstKeyIds()) : { trusted: null };
  const findings = await judgePurchase(bought, ordered, times, trusted, rulesHash);
  await keep(rulesHash, findings);
  // A repeated answer must have the first one's terms.
  const kept = await readKeptPurchase(bought.id);
  if (bought.terms && kept && kept.terms.body !== bought.terms.body) {
    const { reportContradictions } = await import('../parts/evidence/report-contradictions.ts');
    await reportContradictions([bought.terms]);
  }
  if (!isCleanPurchase(findings))
    await reportFindings([{ kind: 'purchase', order: bought.id, findings, foundAt: Date.now() }]);
}
