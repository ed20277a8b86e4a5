import * as v from 'valibot';
import { staffMember } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import { boundedText, chosenTime, id, isoTime, noFields, pagedListOf, pageField, remarkText } from './fields.ts';

export const entryShape = v.object({
  n: v.string(),
  at: isoTime,
  /** Null when the platform acted by itself. */
  who: v.nullable(staffMember),
  roles: v.array(v.string()),
  device: v.nullable(v.string()),
  what: v.string(),
  on: v.object({ kind: v.string(), id: v.string() }),
  customer: v.nullable(v.string()),
  before: v.unknown(),
  after: v.unknown(),
  reason: v.nullable(v.string()),
  note: v.nullable(v.string()),
  /** The entry exactly as it was hashed; `hash` is SHA-256(prev ‖ text). */
  text: v.string(),
  hash: v.string(),
});
export type EntryView = v.InferOutput<typeof entryShape>;

export const listEntries = call('GET /admin/audit/lists', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'The log, newest first. Support and content see their own entries.',
  request: v.object({
    who: v.optional(boundedText(1, 24)),
    what: v.optional(boundedText(1, 60)),
    on: v.optional(id),
    /** Lists all entries forward from this one, for verifying the chain. */
    since: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/))),
    page: pageField('[0-9]{1,15}'),
  }),
  result: pagedListOf(entryShape),
});

export const readLogHead = call('GET /admin/audit/checkpoint', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'The newest entry’s number and hash.',
  request: noFields,
  result: v.object({ n: v.string(), hash: v.string() }),
});

export const exportEntries = call('POST /admin/audit/export', {
  who: 'operator',
  roles: ['compliance', 'admin'],
  summary:
    'A piece of the log as a signed file, at most 31 days and 10,000 entries. Its address works once, for a minute, for this operator.',
  request: v.object({
    who: v.optional(boundedText(1, 24)),
    what: v.optional(boundedText(1, 60)),
    on: v.optional(id),
    since: chosenTime,
    until: chosenTime,
    reason: remarkText(500),
  }),
  result: v.object({ url: v.string(), expires_at: isoTime, count: v.number() }),
  refusals: ['range_too_wide', 'hour_budget_spent'],
});

export const readExport = call('GET /admin/audit/file', {
  who: 'operator',
  roles: ['compliance', 'admin'],
  summary: 'The file of an address, once: JSON that `npx sathorn-verify` and the console check by the published keys.',
  request: v.object({ ticket: boundedText(43, 43) }),
  result: v.object({ name: v.string(), file: v.string() }),
  refusals: ['export_unknown'],
});

/** The acts of staff on a customer's account, shown to that customer. */
export const listStaffActions = call('GET /users/staff', {
  who: 'customer',
  summary: 'What staff looked at, decided or changed on this account, newest first.',
  request: v.object({ page: pageField('[0-9]{1,15}') }),
  result: pagedListOf(
    v.object({
      id: v.string(),
      at: isoTime,
      what: v.string(),
      by: v.nullable(v.string()),
      on: v.object({ kind: v.string(), id: v.string() }),
      reason: v.nullable(v.string()),
      /** Null for acts other than freezes, and for freezes without an end. */
      until: v.nullable(isoTime),
    }),
  ),
});
