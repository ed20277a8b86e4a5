import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, fieldFault, isoTime, noFields } from './fields.ts';
import { richText } from './rich-text.ts';

/** An entry's id in both APIs: random, or derived from the name of a shipped text. */
export const entryId = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[A-Za-z0-9_-]{16}$/, fieldFault('id_malformed')),
);

const activity = v.object({
  id: v.string(),
  kind: v.picklist(['activity', 'welfare']),
  title: v.string(),
  /** Empty if there is no picture. */
  picture: v.string(),
  summary: v.string(),
  from: isoTime,
  to: v.nullable(isoTime),
  is_over: v.boolean(),
});
export type Activity = v.InferOutput<typeof activity>;

export const listActivities = call('GET /content/sale', {
  who: 'anyone',
  summary: 'Activities and welfare: those that run, and those that ended in the last half year.',
  request: noFields,
  result: v.object({ lists: v.array(activity) }),
});

export const readActivity = call('GET /content/sale/info', {
  who: 'anyone',
  summary:
    'One activity, whole. `content` is its text as a tree; `link` is the page that its button leads to, or empty.',
  request: v.object({ id: entryId }),
  result: v.object({ ...activity.entries, content: richText, link: v.string(), changed_at: isoTime }),
  refusals: ['activity_unknown'],
});
export type ActivityDetails = v.InferOutput<typeof readActivity.result>;

export const PAGE_TEXTS = ['about', 'intro', 'company'] as const;
export const readPageText = call('GET /content/page', {
  who: 'anyone',
  summary: 'What the platform says about itself: about, introduction, company profile.',
  request: v.object({ of: choiceOf(PAGE_TEXTS) }),
  result: v.object({ title: v.string(), picture: v.string(), content: richText, changed_at: v.nullable(isoTime) }),
  refusals: ['page_text_missing'],
});
