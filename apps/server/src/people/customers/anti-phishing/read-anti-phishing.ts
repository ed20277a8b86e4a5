import { readAntiPhishing } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';

export async function viewAntiPhishing({ antiPhishing, database }: CustomersModule, customer: bigint) {
  const known = await antiPhishing.read(database, customer);
  return { word: known?.word ?? null, changed_at: known?.changedAt.toISOString() ?? null };
}

export function readAntiPhishingHandler(module: CustomersModule): Handler {
  return handle(readAntiPhishing, async ({ customer: { id } }) => accept(await viewAntiPhishing(module, id)));
}
