import { useFindings } from '../parts/evidence/evidence-findings.ts';
import { listKeptPurchases } from '../parts/evidence/kept-terms.ts';
import { readPinnedKeys } from '../parts/evidence/pinned-keys.ts';
import { readSeenChains } from '../parts/evidence/watch-tick-chain.ts';

const writeUnits = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/**
 * Saves this device's findings, memory, kept purchases and trusted keys, so that others can verify the contradiction.
 */
export async function downloadEvidence(): Promise<void> {
  const evidence = {
    v: 'evidence/1',
    found: useFindings.getState().all,
    seen: await readSeenChains(),
    keys: await readPinnedKeys(),
    bought: await listKeptPurchases(0, Number.POSITIVE_INFINITY),
  };
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([`${JSON.stringify(evidence, writeUnits, 2)}\n`], { type: 'application/json' }),
  );
  link.download = 'evidence.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
