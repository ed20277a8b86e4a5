import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, isoTime, pagedListOf, pageField } from './fields.ts';

const invited = v.object({
  /** Masked. */
  name: v.string(),
  at: isoTime,
  certified: v.boolean(),
  /** The result; null until both the invited person and the inviter are certified. */
  finding: v.nullable(v.picklist(['rewarded', 'same_device', 'same_payee', 'day_full', 'not_allowed'])),
  points: decimalText,
});
export type Invited = v.InferOutput<typeof invited>;

export const listInvites = call('GET /users/invites', {
  who: 'customer',
  summary: 'People whom this customer invited, masked, and the points that they brought: one level, for certification.',
  request: v.object({ page: pageField('[0-9]{13}\\.[0-9]{10}') }),
  result: v.object({
    ...pagedListOf(invited).entries,
    came: v.number(),
    certified: v.number(),
    points: decimalText,
    rule: v.object({ points: decimalText, per_day: v.number() }),
  }),
});
