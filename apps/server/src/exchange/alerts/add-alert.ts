import { addAlert } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Alerts } from './alerts.ts';

export function addAlertHandler(alerts: Alerts): Handler {
  return handle(addAlert, async ({ customer, request, now }) => alerts.add(customer.id, request, now));
}
