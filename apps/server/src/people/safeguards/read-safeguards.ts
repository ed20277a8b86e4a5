import { readSafeguards } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

export function readSafeguardsHandler(safeguards: Safeguards): Handler {
  return handle(readSafeguards, async ({ customer }) => accept(await safeguards.read(customer.id)));
}
