import { listAlerts } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Alerts } from './alerts.ts';

export function listAlertsHandler(alerts: Alerts): Handler {
  return handle(listAlerts, async ({ customer }) => accept(await alerts.list(customer.id)));
}
