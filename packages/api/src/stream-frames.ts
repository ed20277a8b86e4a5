import * as v from 'valibot';
import { declaredTopic } from './topic.ts';

export type ClientFrame =
  | {
      op: 'auth';
      token: string;
      /** As in the HTTP headers; decides the language of notices. */
      lang?: string | undefined;
      presentation?: string | undefined;
    }
  | { op: 'subscribe' | 'unsubscribe'; topics: string[] }
  | { op: 'ping' };

/** At most one frame per client every 100 ms, with everything that changed. */
export type ServerFrame =
  | { op: 'hello'; at: string }
  | { op: 'pong'; at: string }
  | { op: 'refused'; code: 'session_required' | 'topic_unknown' | 'too_many_topics'; topic?: string }
  | { op: 'event'; at: string; events: { topic: string; data: unknown; snapshot?: true }[] };

/**
 * Parses a frame and drops events that do not match their topic's schema. A topic's schema is known only once its
 * subject is loaded, so that an app's first page does not carry all schemas.
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
