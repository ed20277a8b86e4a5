import { listActivities, listRates, readRules } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';
import { ACTIVITY_KINDS, viewActivity } from './view-activity.ts';

const RATES_ROWS = 20;

export const contentCalls = (content: Content): Handler[] => [
  handle(listActivities, async ({ customer, language, now }) => {
    const shown = await content.shownTo(customer?.id ?? null, ACTIVITY_KINDS, now, true);
    return accept({ lists: shown.map((one) => viewActivity(one, language, now)) });
  }),
  handle(listRates, async ({ request }) => accept(await content.rates.list(request.code)), {
    rowsOf: () => RATES_ROWS,
  }),
  handle(readRules, async ({ request: { of, hash }, language }) => {
    if (hash === undefined) return accept({ ...content.shownRules(of, language), hash: content.rules.hash(of) });
    const rules = await content.rulesUnder(of, hash);
    return rules === undefined
      ? refuse('rules_unknown', { field: 'hash' })
      : accept({ content: rules, hash, next: null });
  }),
];
