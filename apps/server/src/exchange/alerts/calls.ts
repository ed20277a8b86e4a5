import { addAlert, listAlerts, removeAlert, switchAlert } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Alerts } from './alerts.ts';

export const alertCalls = (alerts: Alerts): Handler[] => [
  handle(addAlert, async ({ customer, request, now }) => alerts.add(customer.id, request, now)),
  handle(listAlerts, async ({ customer }) => accept(await alerts.list(customer.id))),
  handle(removeAlert, async ({ customer, request, now }) => alerts.remove(customer.id, request.id, now)),
  handle(switchAlert, async ({ customer, request }) => alerts.switch(customer.id, request.id, request.on === '1')),
];
