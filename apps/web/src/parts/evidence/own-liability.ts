import { readOwnLiability, readProofKeys } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import type { LiabilityProof } from '@sathorn/proof';
import { reportFindings } from './evidence-findings.ts';
import { openEvidenceStore } from './evidence-store.ts';
import { readFirstKeyIds } from './first-key-ids.ts';
import type { JudgedLiability } from './judge-liability.ts';
import { checkOwnChain, readEntryPage, useOwnChain } from './own-chain.ts';
import { restorationThatLost } from './restoration-that-lost.ts';

/** The newest signed text that this device has seen, whose customer it may be. */
const KEPT = 'liabilities';

async function readKept(): Promise<LiabilityProof['signed'] | null> {
  const value = await openEvidenceStore().read(KEPT);
  return typeof value === 'object' && value !== null && 'body' in value ? (value as LiabilityProof['signed']) : null;
}

/** Checks that the signed sums of what the platform owes include this customer's balances; null if that is unknown. */
export async function checkOwnLiability(): Promise<JudgedLiability['holds']> {
  const customer = useSession.getState().user?.id;
  if (customer === undefined) return null;
  await checkOwnChain();
  const { chain } = useOwnChain.getState();
  const answer = await callServer(readOwnLiability, {});
  if (!answer.ok || answer.data === null || !chain?.isWhole) return null;
  const [{ readLiabilities, verifyLiability }, { judgeLiability }, { judgePublishedKeys }, keys] = await Promise.all([
    import('@sathorn/proof'),
    import('./judge-liability.ts'),
    import('./pinned-keys.ts'),
    callServer(readProofKeys, {}),
  ]);
  if (!keys.ok) return null;
  const { trusted } = await judgePublishedKeys(keys.data.keys, readFirstKeyIds());
  const { holds, finding } = await judgeLiability(answer.data, chain.walked, await readKept(), {
    verify: (proof) => verifyLiability(proof, customer, trusted),
    readEntries: readEntryPage,
    nowMs: () => Date.now(),
  });
  const keptMs = finding?.kept ? readLiabilities(finding.kept.body)?.atMs : undefined;
  const restoration = keptMs === undefined ? null : await restorationThatLost(keptMs);
  // Without an answer it is unknown whether a restoration explains it, so the next visit asks again.
  if (restoration === undefined) return null;
  if (finding === null || restoration !== null) await openEvidenceStore().write(KEPT, answer.data.signed);
  else await reportFindings([finding]);
  return holds;
}
