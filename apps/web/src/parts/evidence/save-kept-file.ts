import type { Contradiction } from '@sathorn/proof';
import type { LogContradiction } from '@sathorn/transparency';
import { saveFile } from '../money/save-file.ts';
import { loadFindings, useFindings } from './evidence-findings.ts';
import { makeKeptFile } from './make-kept-file.ts';
import { readSeenChains } from './watch-tick-chain.ts';

const save = (content: unknown, name: string): void =>
  saveFile(new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: 'application/json' }), name);

/** Saves all that this device has kept, for `npx sathorn-verify --kept`. */
export async function saveKeptFile(): Promise<void> {
  await loadFindings();
  const { all: findings } = useFindings.getState();
  const seen = await readSeenChains();
  save(await makeKeptFile({ platform: location.origin, nowMs: Date.now(), seen, findings }), 'kept.json');
}

/** Saves two signed texts that contradict each other, for `npx sathorn-verify`. */
export const saveContradiction = (contradiction: Contradiction | LogContradiction): void =>
  save(contradiction, 'contradiction.json');
