import {
  answerRealityCheck,
  cancelOwnLimit,
  countMinute,
  excludeMyself,
  readSafeguards,
  setOwnLimit,
  setRealityCheck,
  takeBreak,
} from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

const EXCLUSIONS = { '6_months': '6 months', '1_year': '1 year', '5_years': '5 years' } as const;
const BREAKS = { '24_hours': '24 hours', '7_days': '7 days', '30_days': '30 days' } as const;

export const safeguardCalls = (safeguards: Safeguards): Handler[] => [
  handle(answerRealityCheck, async ({ customer }) => {
    await safeguards.answerCheck(customer.id);
    return accept({});
  }),
  handle(cancelOwnLimit, async ({ customer, request }) => safeguards.cancelLimit(customer.id, request.id)),
  handle(countMinute, async ({ customer }) => accept(await safeguards.countMinute(customer.id))),
  handle(excludeMyself, async ({ customer, request, now }) =>
    safeguards.pause(customer.id, 'self_exclusion', EXCLUSIONS[request.length], now),
  ),
  handle(readSafeguards, async ({ customer }) => accept(await safeguards.read(customer.id))),
  handle(setOwnLimit, async ({ customer, request, now }) =>
    safeguards.setLimit(customer.id, request.kind, request.value ?? null, now),
  ),
  handle(setRealityCheck, async ({ customer, request }) =>
    accept(await safeguards.setReality(customer.id, request.minutes === undefined ? null : Number(request.minutes))),
  ),
  handle(takeBreak, async ({ customer, request, now }) =>
    safeguards.pause(customer.id, 'time_out', BREAKS[request.length], now),
  ),
];
