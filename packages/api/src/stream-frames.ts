import * as v from 'valibot';
import { declaredTopic } from './topic.ts';

export type ClientFrame =
  | {
      op: 'auth';
      token: string;
      /** The same as in the headers; notices are worded accordingly. */
      lang?: string | undefined;
      presentation?: string | undefined;
    }
  | { op: 'subscribe' | 'unsubscribe'; topics: string[] }
  | { op: 'ping' };

/** At most one frame per client in 100 ms, with everything that changed. */
export type ServerFrame =
  | { op: 'hello'; at: string }
  | { op: 'pong'; at: string }
  | { op: 'refused'; code: 'session_required' | 'topic_unknown' | 'too_many_topics'; topic?: string }
  | { op: 'event'; at: string; events: { topic: string; data: unknown; snapshot?: true }[] };

/**
 * A frame without the events that their topics' schemas don't allow. A topic is checked once its declaration is loaded,
 * which comes with the calls of its subject: an app's first page does not carry the schemas of all the others.
 */
export function readServerFrame(text: string): ServerFrame {
  const frame = JSON.parse(text) as ServerFrame;
  if (frame.op !== 'event') return frame;
  const isAllowed = ({ topic, data }: { topic: string; data: unknown }): boolean => {
    const declared = declaredTopic(topic);
    return declared === undefined || v.is(declared.snapshot, data);
  };
  return { ...frame, events: frame.events.filter(isAllowed) };
}
