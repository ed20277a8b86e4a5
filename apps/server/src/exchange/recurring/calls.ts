import {
  addRecurring,
  listRecurring,
  listRecurringExecutions,
  readRecurring,
  revokeRecurring,
  switchRecurring,
} from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Recurrings } from './recurring.ts';

export const recurringCalls = (recurring: Recurrings): Handler[] => [
  handle(addRecurring, ({ customer, request, intent, now }) => recurring.add(customer.id, request, intent, now)),
  handle(listRecurring, async ({ customer }) => accept(await recurring.list(customer.id))),
  handle(readRecurring, ({ customer, request }) => recurring.read(customer.id, request.id)),
  handle(listRecurringExecutions, ({ customer, request: { id, page } }) =>
    recurring.executions(customer.id, id, Number(page ?? '0') || null),
  ),
  handle(switchRecurring, ({ customer, request: { id, on }, now }) =>
    recurring.switch(customer.id, id, on === '1', now),
  ),
  handle(revokeRecurring, ({ customer, request, now }) => recurring.revoke(customer.id, request.id, now)),
];
