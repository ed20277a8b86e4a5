import * as v from 'valibot';
import { staffMember } from './admin-fields.ts';
import { isoTime } from './fields.ts';
import { topic } from './topic.ts';

/** The state that a desk of the console follows: the waiting work, who works on what, and the newest log entry. */
const deskShape = v.object({
  /** The number of the newest log entry. Every act of an operator increases it. */
  log: v.string(),
  queues: v.array(
    v.object({
      kind: v.string(),
      waiting: v.number(),
      overdue: v.number(),
      oldest_at: v.nullable(isoTime),
      due_at: v.nullable(isoTime),
    }),
  ),
  claims: v.array(v.object({ kind: v.string(), id: v.string(), by: staffMember, since: isoTime, until: isoTime })),
});
export type DeskState = v.InferOutput<typeof deskShape>;

export const deskTopic = topic('desk', {
  who: 'operator',
  summary: 'Queues with their counts, claims, and the newest entry of the log; sent again when any of it has changed.',
  merge: 'reread',
  event: deskShape,
});
