import type { Contradiction, ForkKind } from '@sathorn/proof';
import type { LogContradiction } from '@sathorn/transparency';
import { create } from 'zustand';
import { openEvidenceStore } from './evidence-store.ts';
import type { AcknowledgementFinding } from './follow-acknowledgements.ts';
import type { OwnChainFinding } from './follow-own-chain.ts';
import type { ChargeFinding } from './judge-charges.ts';
import type { LiabilityFinding } from './judge-liability.ts';
import type { LogFinding } from './judge-log.ts';
import type { OrderFinding } from './judge-orders.ts';
import type { PurchaseFindings } from './judge-purchase.ts';

/** A contradiction of something that this device received or showed earlier. */
export type EvidenceFinding =
  | {
      readonly kind: 'fork';
      readonly coin: string;
      readonly fork: Exclude<ForkKind, 'withheld'>;
      readonly sequence: string;
      /** The hash that this device received under the same number. */
      readonly seenHash: string;
      /** The hash that the server shows now; null if its chain ends earlier. */
      readonly shown: unknown;
      readonly foundAt: number;
    }
  /** Received ticks are gone because the platform was restored from an older copy and has published that. */
  | {
      readonly kind: 'restored';
      readonly restoredAt: string;
      /** The end of the restored copy. */
      readonly endsAt: string;
      readonly foundAt: number;
    }
  /** Two signed texts about the same thing that differ. */
  | {
      readonly kind: 'contradiction';
      /** The kind and the thing, so that one thing is reported once. */
      readonly id: string;
      readonly contradiction: Contradiction;
      readonly foundAt: number;
    }
  | OwnChainFinding
  | AcknowledgementFinding
  | LiabilityFinding
  | LogFinding
  | OrderFinding
  | ChargeFinding
  | { readonly kind: 'key_refused' | 'key_withdrawn'; readonly id: string; readonly foundAt: number }
  | {
      readonly kind: 'purchase';
      readonly order: string;
      readonly findings: PurchaseFindings;
      readonly foundAt: number;
    };

/** What proves a finding by itself, as a file; null if it is this device's word. */
export function proofOf(finding: EvidenceFinding): Contradiction | LogContradiction | null {
  return finding.kind === 'contradiction' || finding.kind === 'log' ? finding.contradiction : null;
}

interface Findings {
  readonly all: readonly EvidenceFinding[];
  /** True if the customer has closed the finding for this visit. */
  readonly isHidden: boolean;
}

export const useFindings = create<Findings>(() => ({ all: [], isHidden: false }));

const NAME = 'findings';
const KEPT_MAX = 200;

/** Names a finding, so that one thing is reported once. */
export const idOf = (finding: EvidenceFinding): string => {
  if (finding.kind === 'fork') return `fork ${finding.coin} ${finding.sequence}`;
  if (finding.kind === 'restored') return `restored ${finding.restoredAt}`;
  return finding.kind === 'purchase' ? `purchase ${finding.order}` : `${finding.kind} ${finding.id}`;
};

let loading: Promise<void> | undefined;

/** Findings of earlier visits are kept, because they are evidence. */
export function loadFindings(): Promise<void> {
  loading ??= (async () => {
    const kept = await openEvidenceStore().read(NAME);
    if (Array.isArray(kept)) merge(kept as EvidenceFinding[]);
  })();
  return loading;
}

function merge(found: readonly EvidenceFinding[]): boolean {
  const { all } = useFindings.getState();
  const known = new Set(all.map(idOf));
  const fresh = found.filter((finding) => !known.has(idOf(finding)));
  if (fresh.length > 0) useFindings.setState({ all: [...all, ...fresh].slice(-KEPT_MAX), isHidden: false });
  return fresh.length > 0;
}

/** Shows findings to the customer at once and stores them for the next visit. */
export async function reportFindings(found: readonly EvidenceFinding[]): Promise<void> {
  await loadFindings();
  if (merge(found)) await openEvidenceStore().write(NAME, useFindings.getState().all);
}

export const hideFindings = (): void => useFindings.setState({ isHidden: true });
