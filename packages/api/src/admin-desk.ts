import * as v from 'valibot';
import { staff } from './admin-fields.ts';
import { time } from './fields.ts';
import { topic } from './topic.ts';

/** What waits, who works on what, and the newest log entry: the state that a desk of the console follows. */
export const deskShape = v.object({
  /** Number of the newest log entry, which every act of an operator increases. */
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
