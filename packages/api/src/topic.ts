import type * as v from 'valibot';
import type { Who } from './call.ts';
import type { Interval } from './candles.ts';

/**
 * How several events of a topic since the last frame are merged. `last`: the newest, since each is the whole state.
 * `by_code`: the newest item of each `code`. `every`: all items, oldest first, or a snapshot when there are more than
 * `max`. `reread`: no event, but the state, read again for each reader.
 */
export type Merge = 'last' | 'by_code' | 'every' | 'reread';

/** One topic of the live stream. `{code}` and `{interval}` in its pattern are its parameters. */
export interface LiveTopic<
  Pattern extends string = string,
  Reader extends Who = Who,
  Event extends v.GenericSchema = v.GenericSchema,
  Snapshot extends v.GenericSchema = v.GenericSchema,
> {
  readonly pattern: Pattern;
  readonly who: Reader;
  readonly summary: string;
  readonly merge: Merge;
  readonly max: number;
  readonly event: Event;
  readonly snapshot: Snapshot;
}

const DECLARED = new Map<string, LiveTopic>();

/** The declaration of a topic, by its name; undefined while that is not loaded. */
export const declaredTopic = (name: string): LiveTopic | undefined => DECLARED.get(name.split(':')[0] ?? '');

/**
 * Declares a topic. Unlike a call it is kept, unused, in what an app bundles of its file: `readServerFrame` checks by
 * it.
 */
export function topic<
  const Pattern extends string,
  const Reader extends Who,
  const Event extends v.GenericSchema,
  const Snapshot extends v.GenericSchema = Event,
>(
  pattern: Pattern,
  definition: { who: Reader; summary: string; merge: Merge; max?: number; event: Event; snapshot?: Snapshot },
): LiveTopic<Pattern, Reader, Event, Snapshot> {
  const { event, snapshot = event as unknown as Snapshot, max = Number.POSITIVE_INFINITY } = definition;
  const declared = { ...definition, pattern, max, event, snapshot };
  DECLARED.set(pattern.split(':')[0] ?? '', declared);
  return declared;
}

/** The names that a pattern stands for: `book:{code}` for `book:BTC`. */
export type NameOf<Pattern extends string> = Pattern extends `${infer Before}{${infer Of}}${infer After}`
  ? `${Before}${Of extends 'interval' ? Interval : string}${NameOf<After>}`
  : Pattern;

type Parameter<Pattern extends string> = Pattern extends `${string}{${infer Of}}${infer After}`
  ? Of | Parameter<After>
  : never;

/** The parameter that distinguishes the topics of one pattern. */
export type TopicOf<Topic extends LiveTopic> = {
  readonly [Of in Parameter<Topic['pattern']>]: Of extends 'interval' ? Interval : string;
};

export type EventOf<Topic extends LiveTopic> = v.InferOutput<Topic['event']>;
export type SnapshotOf<Topic extends LiveTopic> = v.InferOutput<Topic['snapshot']>;

/** The name of one topic: `candle:{code}:{interval}` is `candle:BTC:1m`. */
export function topicName({ pattern }: LiveTopic, of: Readonly<Record<string, unknown>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => String(of[name]));
}
