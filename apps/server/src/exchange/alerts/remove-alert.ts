import { removeAlert } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Alerts } from './alerts.ts';

export function removeAlertHandler(alerts: Alerts): Handler {
  return handle(removeAlert, async ({ customer, request, now }) => alerts.remove(customer.id, request.id, now));
}
