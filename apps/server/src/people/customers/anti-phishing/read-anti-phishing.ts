import { readAntiPhishing } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { Room } from '../room.ts';

export async function viewAntiPhishing({ antiPhishing, database }: Room, customer: bigint) {
  const known = await antiPhishing.read(database, customer);
  return { word: known?.word ?? null, changed_at: known?.changedAt.toISOString() ?? null };
}

export function readAntiPhishingHandler(room: Room): Handler {
  return handle(readAntiPhishing, async ({ customer: { id } }) => accept(await viewAntiPhishing(room, id)));
}
