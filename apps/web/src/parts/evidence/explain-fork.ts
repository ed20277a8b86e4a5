import { listRestorations } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import type { EvidenceFinding } from './evidence-findings.ts';
import { findRestoration } from './find-restoration.ts';

type Fork = Extract<EvidenceFinding, { kind: 'fork' }>;

/** Returns the fork as a finding, or the published restoration that explains it; null without the server's answer. */
export async function explainFork(fork: Fork, since: number | undefined): Promise<EvidenceFinding | null> {
  const published = await callServer(listRestorations, {});
  if (!published.ok) return null;
  const { coin, sequence, foundAt } = fork;
  const restoration = findRestoration(published.data.items, { coin, sequence: BigInt(sequence), sinceMs: since });
  if (restoration === undefined) return fork;
  return { kind: 'restored', restoredAt: restoration.restored_at, endsAt: restoration.ends_at, foundAt };
}
