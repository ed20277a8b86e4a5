import * as v from 'valibot';
import { findDeclaredTopic } from './topic.ts';

export type ClientFrame =
  | {
      op: 'auth';
      token: string;
      /** Has the same meaning as the HTTP header and decides the language of notices. */
      lang?: string | undefined;
      presentation?: string | undefined;
    }
  | { op: 'subscribe' | 'unsubscribe'; topics: string[] }
  | { op: 'ping' };

/** The server sends at most one frame per client every 100 ms, with all changes. */
export type ServerFrame =
  | { op: 'hello'; at: string }
  | { op: 'pong'; at: string }
  | { op: 'refused'; code: 'session_required' | 'topic_unknown' | 'too_many_topics'; topic?: string }
  | { op: 'event'; at: string; events: { topic: string; data: unknown; snapshot?: true }[] };

/**
 * Parses a frame and drops events that do not match their topic's schema. A topic's schema is known only after its
 * subject's code is loaded, so that an app's first page does not contain all schemas.
 */
export function readServerFrame(text: string): ServerFrame {
  const frame = JSON.parse(text) as ServerFrame;
  if (frame.op !== 'event') return frame;
  const isAllowed = ({ topic, data }: { topic: string; data: unknown }): boolean => {
    const declared = findDeclaredTopic(topic);
    return declared === undefined || v.is(declared.snapshot, data);
  };
  return { ...frame, events: frame.events.filter(isAllowed) };
}
