import * as v from 'valibot';
import type { KeyRefusal } from './api-keys.ts';
import { findDeclaredTopic } from './topic.ts';

interface FrameReader {
  /** Has the same meaning as the HTTP header and decides the language of notices. */
  lang?: string | undefined;
  presentation?: string | undefined;
}

export type ClientFrame =
  | ({ op: 'auth'; token: string } & FrameReader)
  /** An API key signs `GET /api/stream` (docs/keys.md). */
  | ({ op: 'auth'; key: string; time: string; nonce: string; signature: string } & FrameReader)
  | { op: 'subscribe' | 'unsubscribe'; topics: string[] }
  | { op: 'ping' };

export const STREAM_REFUSALS = ['session_required', 'topic_unknown', 'too_many_topics'] as const;

/** The server sends at most one frame per client every 100 ms, with all changes. */
export type ServerFrame =
  | { op: 'hello'; at: string }
  | { op: 'pong'; at: string }
  | { op: 'refused'; code: (typeof STREAM_REFUSALS)[number] | KeyRefusal; topic?: string }
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
