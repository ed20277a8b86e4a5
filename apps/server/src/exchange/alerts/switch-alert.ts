import { switchAlert } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Alerts } from './alerts.ts';

export function switchAlertHandler(alerts: Alerts): Handler {
  return handle(switchAlert, async ({ customer, request }) =>
    alerts.switch(customer.id, request.id, request.on === '1'),
  );
}
