import * as v from 'valibot';
import { staffMember } from './admin-fields.ts';
import { call } from './call.ts';
import { choiceOf, emptyResult, id, isoTime, pagedListOf, remarkText } from './fields.ts';

const READERS = ['compliance', 'admin'] as const;

export const listSamples = call('GET /admin/support/samples', {
  who: 'operator',
  roles: READERS,
  summary:
    'Answers and notices by staff that another person reads: those that name money, a site or a code or carry a picture, and one in twenty of the rest; oldest first, or those that were reported.',
  request: v.object({ status: v.optional(choiceOf(['waiting', 'reported'])) }),
  result: v.object({
    ...pagedListOf(
      v.object({
        id: v.string(),
        /** The conversation; null for a notice. */
        thread: v.nullable(v.string()),
        /** Null for a visitor. */
        customer: v.nullable(v.object({ id: v.string(), username: v.string() })),
        by: staffMember,
        /** True if the reader wrote it and must leave it to somebody else. */
        is_own: v.boolean(),
        why: v.picklist(['named', 'picture', 'drawn']),
        text: v.string(),
        at: isoTime,
        due_at: isoTime,
        read_by: v.nullable(staffMember),
        /** The reason for the report. */
        note: v.nullable(v.string()),
      }),
    ).entries,
    counts: v.object({ waiting: v.number(), late: v.number() }),
  }),
});

export const markSample = call('POST /admin/support/sample', {
  who: 'operator',
  roles: READERS,
  summary: 'Say that a message by somebody else was read, or report it with a note. Once, and in the log.',
  request: v.object({
    id,
    verdict: choiceOf(['seen', 'reported']),
    note: v.optional(remarkText(1_000)),
  }),
  result: emptyResult,
  refusals: ['thread_unknown', 'conflict_of_interest', 'version_stale', 'field_required'],
});
