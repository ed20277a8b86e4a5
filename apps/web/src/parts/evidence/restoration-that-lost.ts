import { listRestorations, type ResultOf } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';

type Restoration = ResultOf<typeof listRestorations>['items'][number];

/** The published restoration that lost what was signed then; null if none did, undefined without an answer. */
export async function restorationThatLost(atMs: number): Promise<Restoration | null | undefined> {
  const published = await callServer(listRestorations, {});
  if (!published.ok) return undefined;
  const lost = ({ restored_at, ends_at }: Restoration) => atMs > Date.parse(ends_at) && atMs < Date.parse(restored_at);
  return published.data.items.find(lost) ?? null;
}
