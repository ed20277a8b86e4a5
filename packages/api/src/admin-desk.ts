import * as v from 'valibot';
import { staff } from './admin-fields.ts';
import { time } from './fields.ts';
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
      oldest_at: v.nullable(time),
      due_at: v.nullable(time),
    }),
  ),
  claims: v.array(v.object({ kind: v.string(), id: v.string(), by: staff, since: time, until: time })),
});
export type Desk = v.InferOutput<typeof deskShape>;

export const deskTopic = topic('desk', {
  who: 'operator',
  summary: 'Queues with their counts, claims, and the newest entry of the log; sent again when any of it has changed.',
  merge: 'reread',
  event: deskShape,
});
