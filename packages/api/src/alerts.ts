import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, coinCode, decimalText, id, isoTime, noFields, storedPrice } from './fields.ts';
import { topic } from './topic.ts';

const ALERT_SIDES = ['above', 'below'] as const;
const ALERT_MODES = ['once', 'each'] as const;

const alert = v.object({
  id: v.string(),
  code: v.string(),
  side: v.picklist(ALERT_SIDES),
  price: decimalText,
  /** `each`: fires again after the price has returned to the other side, at most once per hour. */
  mode: v.picklist(ALERT_MODES),
  on: v.boolean(),
  created_at: isoTime,
  /** The tick that last fired it. */
  fired: v.nullable(v.object({ at: isoTime, price: decimalText, sequence: v.string() })),
});
export type PriceAlert = v.InferOutput<typeof alert>;
const alerts = v.object({ items: v.array(alert), max: v.number() });

export const listAlerts = call('GET /users/alerts', {
  who: 'customer',
  summary: 'Price alerts, newest first.',
  request: noFields,
  result: alerts,
});

export const addAlert = call('POST /users/alerts/add', {
  who: 'customer',
  summary: 'Be alerted when the index of a coin rises to a price, or falls to it.',
  request: v.object({
    code: coinCode,
    side: choiceOf(ALERT_SIDES),
    price: storedPrice,
    mode: choiceOf(ALERT_MODES),
  }),
  result: alerts,
  refusals: ['alert_passed', 'price_off_tick', 'too_many_alerts', 'coin_not_offered', 'self_excluded', 'time_out'],
});

export const switchAlert = call('POST /users/alerts/switch', {
  who: 'customer',
  summary: 'Turn an alert off, or on again.',
  request: v.object({ id, on: choiceOf(['0', '1']) }),
  result: alerts,
  refusals: ['alert_unknown', 'alert_passed'],
});

export const removeAlert = call('POST /users/alerts/del', {
  who: 'customer',
  summary: 'Remove an alert.',
  request: v.object({ id }),
  result: alerts,
  refusals: ['alert_unknown'],
});

export const alertsTopic = topic('alerts', {
  who: 'customer',
  summary: 'The customer’s price alerts, when one has gone off or was changed.',
  merge: 'reread',
  event: v.object({ changed: v.number() }),
  snapshot: alerts,
});
