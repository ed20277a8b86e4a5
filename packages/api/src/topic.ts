import type * as v from 'valibot';
import type { CallerKind } from './call.ts';
import type { Interval } from './fields.ts';

/**
 * The way in which the server merges a topic's events since the last frame. `last`: only the newest event, because each
 * is the whole state. `by_code`: the newest item of each `code`. `every`: all items, oldest first, or a snapshot if
 * there are more than `max`. `reread`: no event; the server reads the state again for each reader.
 */
type TopicMerge = 'last' | 'by_code' | 'every' | 'reread';

/** One topic of the live stream. `{code}` and `{interval}` in its pattern are parameters. */
export interface LiveTopic<
  Pattern extends string = string,
  Reader extends CallerKind = CallerKind,
  Event extends v.GenericSchema = v.GenericSchema,
  Snapshot extends v.GenericSchema = v.GenericSchema,
> {
  readonly pattern: Pattern;
  readonly who: Reader;
  readonly summary: string;
  readonly merge: TopicMerge;
  readonly max: number;
  readonly event: Event;
  readonly snapshot: Snapshot;
}

const DECLARED = new Map<string, LiveTopic>();

/** Returns a topic's declaration by name; undefined until its module is loaded. */
export const findDeclaredTopic = (name: string): LiveTopic | undefined => DECLARED.get(name.split(':')[0] ?? '');

/** Declares a topic. Unlike `call` it has a side effect, so bundlers keep it: `readServerFrame` needs its schema. */
export function topic<
  const Pattern extends string,
  const Reader extends CallerKind,
  const Event extends v.GenericSchema,
  const Snapshot extends v.GenericSchema = Event,
>(
  pattern: Pattern,
  definition: { who: Reader; summary: string; merge: TopicMerge; max?: number; event: Event; snapshot?: Snapshot },
): LiveTopic<Pattern, Reader, Event, Snapshot> {
  const { event, snapshot = event as unknown as Snapshot, max = Number.POSITIVE_INFINITY } = definition;
  const declared = { ...definition, pattern, max, event, snapshot };
  DECLARED.set(pattern.split(':')[0] ?? '', declared);
  return declared;
}

/** The parameters' names within a pattern. */
export type TopicNameOf<Pattern extends string> = Pattern extends `${infer Before}{${infer Of}}${infer After}`
  ? `${Before}${Of extends 'interval' ? Interval : string}${TopicNameOf<After>}`
  : Pattern;

type Parameter<Pattern extends string> = Pattern extends `${string}{${infer Of}}${infer After}`
  ? Of | Parameter<After>
  : never;

/** The parameters that distinguish topics of one pattern. */
export type DeclaredTopicOf<Topic extends LiveTopic> = {
  readonly [Of in Parameter<Topic['pattern']>]: Of extends 'interval' ? Interval : string;
};

export type TopicEventOf<Topic extends LiveTopic> = v.InferOutput<Topic['event']>;
export type TopicSnapshotOf<Topic extends LiveTopic> = v.InferOutput<Topic['snapshot']>;

/** The name of one topic: pattern `candle:{code}:{interval}` gives `candle:BTC:1m`. */
export function topicName({ pattern }: LiveTopic, of: Readonly<Record<string, unknown>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => String(of[name]));
}
