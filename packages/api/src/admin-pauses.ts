import { isCoinCode } from '@sathorn/money';
import * as v from 'valibot';
import { stepUpId, TEXT_REFUSALS } from './admin-fields.ts';
import { call } from './call.ts';
import { choiceOf, fieldFault, isoTime, noFields, pagedListOf, remarkText, uuid } from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';

export const PAUSE_KINDS = ['coin', 'product', 'channel'] as const;
export const PAUSABLE_PRODUCTS = ['options', 'contracts', 'lockup', 'liquidity', 'withdrawals', 'deposits'] as const;

const subject = v.pipe(v.string(fieldFault('required')), v.regex(/^[A-Za-z0-9_-]{1,32}$/, fieldFault('malformed')));
const STOPPERS = ['compliance', 'finance', 'admin'] as const;

export const listPauses = call('GET /admin/pauses/lists', {
  who: 'operator',
  roles: STOPPERS,
  summary: 'What is paused, and what was.',
  request: noFields,
  result: v.object({
    ...pagedListOf(
      v.object({
        id: v.string(),
        kind: v.picklist(PAUSE_KINDS),
        subject: v.string(),
        texts: v.record(v.string(), v.string()),
        started_at: isoTime,
        started_by: v.string(),
        ended_at: v.nullable(isoTime),
        /** The approval that would end the pause. */
        waiting: v.nullable(v.string()),
      }),
    ).entries,
    /** The channels that can be paused. */
    channels: v.array(v.string()),
  }),
});

export const startPause = call('POST /admin/pauses/start', {
  who: 'operator',
  roles: STOPPERS,
  summary: 'Pause a coin, a product or a channel at once, with the words that customers read. One person is enough.',
  request: v.pipe(
    v.object({
      kind: choiceOf(PAUSE_KINDS),
      subject,
      text_en: remarkText(300),
      text_th: remarkText(300),
      text_zh: v.optional(remarkText(300)),
      text_jp: v.optional(remarkText(300)),
      text_ar: v.optional(remarkText(300)),
      text_hi: v.optional(remarkText(300)),
    }),
    // Rejects unknown names, because a pause of nothing would look like a real pause.
    v.forward(
      v.check(({ kind, subject: name }) => kind !== 'coin' || isCoinCode(name), fieldFault('coin_unknown')),
      ['subject'],
    ),
    v.forward(
      v.check(
        ({ kind, subject: name }) => kind !== 'product' || PAUSABLE_PRODUCTS.some((product) => product === name),
        fieldFault('choice_unknown'),
      ),
      ['subject'],
    ),
  ),
  result: v.object({ id: v.string() }),
  refusals: ['already_paused', 'channel_unknown', ...TEXT_REFUSALS],
});

export const endPause = call('POST /admin/pauses/end', {
  who: 'operator',
  roles: STOPPERS,
  summary: 'Ask a second person to end a pause, signed by `step_up`.',
  request: v.object({ id: uuid, reason: remarkText(500), step_up: stepUpId }),
  result: v.object({ approval: v.string() }),
  refusals: [...PROPOSED_REFUSALS, 'pause_unknown', 'approval_open'],
});

export const listPublicPauses = call('GET /offer/pauses', {
  who: 'anyone',
  summary: 'What is paused now and why, in the caller’s language.',
  request: noFields,
  result: v.array(v.object({ kind: v.picklist(PAUSE_KINDS), subject: v.string(), text: v.string(), since: isoTime })),
});
