import {
  listAccountEntries,
  readProofKeys,
  readStatementHead as readSignedHeads,
  type SignedStatement,
} from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { isSignedIn } from '@sathorn/app/session';
import type { AccountEntry, ChainAccount } from '@sathorn/proof';
import { create } from 'zustand';
import { type EvidenceFinding, reportFindings } from './evidence-findings.ts';
import { openEvidenceStore } from './evidence-store.ts';
import { readFirstKeyIds } from './first-key-ids.ts';
import type { OwnChain, OwnChainDoor, OwnChainFinding } from './follow-own-chain.ts';
import { OWN_CHAIN_PREFIX } from './kept-statements.ts';
import { restorationThatLost } from './restoration-that-lost.ts';

/** What this device has checked of the signed-in customer's own chain. */
interface CheckedChain {
  readonly chain: OwnChain | null;
}

export const useOwnChain = create<CheckedChain>(() => ({ chain: null }));

const TRIES = 2;
const TRY_EVERY_MS = 5_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function readKept(customer: string): Promise<OwnChain | undefined> {
  const value = await openEvidenceStore().read(OWN_CHAIN_PREFIX + customer);
  const isKept = typeof value === 'object' && value !== null && 'statement' in value && 'walked' in value;
  return isKept ? (value as OwnChain) : undefined;
}

export async function readEntryPage(
  account: ChainAccount,
  from: bigint,
  limit: number,
): Promise<{ readonly prev: string; readonly items: readonly AccountEntry[] } | null> {
  const { name, asset } = account;
  const answer = await callServer(listAccountEntries, {
    account: name,
    asset,
    from: String(from),
    limit: String(limit),
  });
  return answer.ok ? answer.data : null;
}

/** Null without an answer from the server: then the next visit verifies. */
async function openDoor(): Promise<OwnChainDoor | null> {
  const [keys, { judgePublishedKeys }, { verifyStatement }] = await Promise.all([
    callServer(readProofKeys, {}),
    import('./pinned-keys.ts'),
    import('@sathorn/proof'),
  ]);
  if (!keys.ok) return null;
  const { trusted } = await judgePublishedKeys(keys.data.keys, readFirstKeyIds());
  return {
    readEntries: readEntryPage,
    verify: (statement) => verifyStatement(statement, trusted),
    pause: () => wait(0),
    nowMs: () => Date.now(),
  };
}

/** The published restoration after which the kept heads may differ, as a finding; null if none explains it. */
async function explained({ kept, foundAt }: OwnChainFinding): Promise<EvidenceFinding | null | undefined> {
  const { readStatementHead } = await import('@sathorn/proof');
  const signedMs = kept === null ? undefined : readStatementHead(kept.signed.body)?.atMs;
  const restoration = signedMs === undefined ? null : await restorationThatLost(signedMs);
  return restoration && { kind: 'restored', restoredAt: restoration.restored_at, endsAt: restoration.ends_at, foundAt };
}

async function check(): Promise<void> {
  let finding: OwnChainFinding | null = null;
  for (let n = 0; n < TRIES; n += 1) {
    if (n > 0) await wait(TRY_EVERY_MS);
    const answer = await callServer(readSignedHeads, {});
    if (!answer.ok) return;
    const shown: SignedStatement = answer.data;
    const { customer } = shown.account;
    const kept = await readKept(customer);
    // Nothing has moved since: the proof code need not be loaded.
    if (kept?.isWhole && kept.statement.signed.body === shown.signed.body) return useOwnChain.setState({ chain: kept });
    const [door, { followOwnChain }] = await Promise.all([openDoor(), import('./follow-own-chain.ts')]);
    if (door === null) return;
    const followed = await followOwnChain(kept, shown, door);
    if (followed.chain !== null) await openEvidenceStore().write(OWN_CHAIN_PREFIX + customer, followed.chain);
    useOwnChain.setState({ chain: followed.chain ?? (followed.finding === null ? (kept ?? null) : null) });
    ({ finding } = followed);
    if (finding === null) return;
  }
  if (finding === null) return;
  const restored = await explained(finding);
  // Without an answer it is unknown whether a restoration explains it, so the next visit asks again.
  if (restored === undefined) return;
  await reportFindings([restored ?? finding]);
  // The finding has the evidence, so the memory begins again with what is shown now.
  await openEvidenceStore().write(OWN_CHAIN_PREFIX + finding.shown.account.customer, null);
}

let checking: Promise<void> | undefined;

/** Checks the signed-in customer's own chain; one check at a time. A check that fails is left to the next visit. */
export function checkOwnChain(): Promise<void> {
  if (!isSignedIn()) return Promise.resolve();
  checking ??= check()
    .catch(() => undefined)
    .finally(() => {
      checking = undefined;
    });
  return checking;
}

// Each opening of the app checks once; the statement does it again when it has a new row.
void checkOwnChain();
