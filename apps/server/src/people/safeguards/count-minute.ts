import { countMinute } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

export function countMinuteHandler(safeguards: Safeguards): Handler {
  return handle(countMinute, async ({ customer }) => accept(await safeguards.countMinute(customer.id)));
}
