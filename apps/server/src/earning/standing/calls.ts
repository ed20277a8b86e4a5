import {
  addFromDeposits,
  addRenewal,
  listStanding,
  listStandingRuns,
  readStanding,
  revokeStanding,
} from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { StandingOrders } from './standing.ts';

export const standingCalls = (standing: StandingOrders): Handler[] => [
  handle(addRenewal, ({ customer, request, intent, now }) => standing.addRenewal(customer.id, request, intent, now)),
  handle(addFromDeposits, ({ customer, request, intent, now }) =>
    standing.addFromDeposits(customer.id, request, intent, now),
  ),
  handle(listStanding, async ({ customer, request: { kind = null } }) =>
    accept(await standing.list(customer.id, kind)),
  ),
  handle(readStanding, ({ customer, request }) => standing.read(customer.id, request.id)),
  handle(listStandingRuns, ({ customer, request: { id, page } }) =>
    standing.runs(customer.id, id, Number(page ?? '0') || null),
  ),
  handle(revokeStanding, ({ customer, request, now }) => standing.revoke(customer.id, request.id, now)),
];
