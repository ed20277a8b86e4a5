import { TOPICS, type TopicKey, topicName } from '@sathorn/api';
import type { Bus, BusEvents } from './bus.ts';
import { decodeEvents, encodeEvent } from './event-wire.ts';
import type { LiveLink } from './live-link.ts';

type BridgedEvent = readonly [name: keyof BusEvents, event: BusEvents[keyof BusEvents][0]];

/** A character has at most three bytes, and a NATS message at most a megabyte. */
const BATCH_MAX_LENGTH = 300_000;

/**
 * Sends this process's live events to the other processes, batched per turn of the event loop, and emits theirs here.
 * The link must not echo. Delivered at most once: events are lost while the link is down. A process that reconnects
 * emits `gap` here and to the others.
 */
export function bridgeBus(bus: Bus, link: LiveLink, onFault: (error: unknown) => void): void {
  let turn = new Map<string, BridgedEvent>();

  const add = (...event: BridgedEvent): void => {
    if (turn.size === 0) setImmediate(send);
    const key = keyOf(event, turn.size);
    const before = turn.get(key);
    turn.delete(key);
    turn.set(key, before ? merged(before, event) : event);
  };

  const send = (): void => {
    const events = turn;
    turn = new Map();
    if (!link.isUp()) return;
    let batch: string[] = [];
    let length = 0;
    const publish = (): void => {
      try {
        link.publish(`[${batch.join(',')}]`);
      } catch (error) {
        onFault(error);
      }
      batch = [];
      length = 0;
    };
    for (const event of events.values()) {
      const text = encodeEvent(event);
      if (length > 0 && length + text.length > BATCH_MAX_LENGTH) publish();
      batch.push(text);
      length += text.length;
    }
    publish();
  };

  const receive = (text: string): void => {
    for (const [name, event] of decodeEvents(text) as BridgedEvent[]) {
      try {
        bus.emitHere(name, ...([event] as BusEvents[typeof name]));
      } catch (error) {
        onFault(error);
      }
    }
  };

  bus.bridge(add);
  link.onReturn(() => bus.emit('gap', new Date()));
  link.receive((text) => {
    try {
      receive(text);
    } catch (fault) {
      onFault(fault);
    }
  });
}

const isTopic = (name: string): name is TopicKey => Object.hasOwn(TOPICS, name);

/** Merges events of one turn that have the same key: only the latest state is sent, and sets of owners are united. */
function keyOf([name, event]: BridgedEvent, place: number): string {
  if (event instanceof Set || event instanceof Date) return name;
  const topic = isTopic(name) ? TOPICS[name] : null;
  return topic?.merge === 'last' ? topicName(topic, { ...event }) : `${name} ${place}`;
}

function merged(before: BridgedEvent, event: BridgedEvent): BridgedEvent {
  if (before[1] instanceof Set && event[1] instanceof Set) return [event[0], new Set([...before[1], ...event[1]])];
  return event;
}
