import { type LiveTopic, TOPICS, topicName } from '@sathorn/api';
import type { Bus, BusEvents } from '../bus/index.ts';
import type { TopicSource } from './topic-source.ts';

/** The next frame's content for one customer's connections: all events, or a new read of the state. */
export interface CustomerChanges {
  readonly events: ReadonlyMap<string, readonly unknown[]>;
  readonly renewed: ReadonlySet<string>;
}

interface OwnGathered {
  readonly events: Map<string, unknown[]>;
  readonly renewed: Set<string>;
}

/** Items added to a list, oldest first. */
interface Added {
  readonly items: readonly unknown[];
  /** Items were dropped, so a snapshot is sent instead. */
  readonly isCut: boolean;
}

export interface TopicChange {
  readonly topic: string;
  readonly data: unknown;
  /** The whole state, which replaces earlier events. */
  readonly isSnapshot: boolean;
}

interface Subscribers {
  /** Called immediately, because a snapshot that was read earlier is now outdated. */
  onTopic(topic: string): void;
  /** True when the customer has a connection in this process. */
  isConnected(owner: bigint): boolean;
}

/** An event of any topic in the form that the bus carries. `data` may be computed on demand. */
interface AnyTopicEvent {
  readonly owner?: bigint;
  readonly data: unknown;
}

/** Collects the bus events since the last frame and merges them as each topic declares. */
export class StreamChanges {
  readonly #bus: Bus;
  readonly #subscribers: Subscribers;
  /** The newest item of each code, by topic. */
  readonly #byCode = new Map<string, Map<string, unknown>>();
  readonly #last = new Map<string, unknown>();
  readonly #added = new Map<string, Added>();
  readonly #own = new Map<bigint, OwnGathered>();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(bus: Bus, sources: readonly TopicSource[], subscribers: Subscribers) {
    this.#bus = bus;
    this.#subscribers = subscribers;
    for (const source of sources) {
      const { key } = source;
      // Topics of operators have no events; the stream reads them periodically.
      if (source.who === 'operator') continue;
      if (source.who === 'anyone') this.#listen(key, (event: AnyTopicEvent) => this.#onPublic(TOPICS[key], event));
      else if (source.rereadOn === null) this.#listen(key, (event: AnyTopicEvent) => this.#onOwn(key, event));
      else
        this.#listen(source.rereadOn, (owners: ReadonlySet<bigint>) => {
          for (const owner of owners) this.#ownOf(owner)?.renewed.add(key);
        });
    }
  }

  close(): void {
    for (const stop of this.#unsubscribe) stop();
  }

  /** Called when the customer's last connection closes. */
  forget(owner: bigint): void {
    this.#own.delete(owner);
  }

  /** Yields the changes of public topics and clears them. */
  *takeTopics(): Generator<TopicChange> {
    for (const [topic, items] of this.#byCode) yield { topic, data: [...items.values()], isSnapshot: false };
    for (const [topic, data] of this.#last) yield { topic, data, isSnapshot: false };
    for (const [topic, { items, isCut }] of this.#added)
      yield { topic, data: isCut ? items.toReversed() : items, isSnapshot: isCut };
    this.#byCode.clear();
    this.#last.clear();
    this.#added.clear();
  }

  /** Yields the changes of customers' topics and clears them. */
  *takeOwn(): Generator<readonly [owner: bigint, CustomerChanges]> {
    yield* this.#own;
    this.#own.clear();
  }

  #listen<Event>(name: keyof BusEvents, listener: (event: Event) => void): void {
    this.#unsubscribe.push(listenToBus(this.#bus, name, listener as (...event: unknown[]) => void));
  }

  #onPublic(topic: LiveTopic, event: AnyTopicEvent): void {
    const name = topicName(topic, { ...event });
    this.#subscribers.onTopic(name);
    if (topic.merge === 'last') this.#last.set(name, event.data);
    else if (topic.merge === 'by_code') {
      const items = this.#byCode.get(name) ?? new Map<string, unknown>();
      for (const item of event.data as readonly { code: string }[]) items.set(item.code, item);
      this.#byCode.set(name, items);
    } else this.#add(name, event.data as readonly unknown[], topic.max);
  }

  #add(name: string, items: readonly unknown[], max: number): void {
    const before = this.#added.get(name);
    const all = before === undefined ? items : [...before.items, ...items];
    const isCut = before?.isCut === true || all.length > max;
    this.#added.set(name, { items: all.slice(-max), isCut });
  }

  #onOwn(name: TopicSource['key'], event: AnyTopicEvent): void {
    const own = this.#ownOf(event.owner ?? 0n);
    if (own === null) return;
    if (TOPICS[name].merge === 'reread') {
      own.renewed.add(name);
      return;
    }
    const items = event.data as readonly unknown[];
    const earlier = own.events.get(name);
    if (earlier === undefined) own.events.set(name, [...items]);
    else earlier.push(...items);
  }

  /** Null if this process has no connection of the customer. */
  #ownOf(owner: bigint): OwnGathered | null {
    if (!this.#subscribers.isConnected(owner)) return null;
    let own = this.#own.get(owner);
    if (own === undefined) {
      own = { events: new Map(), renewed: new Set() };
      this.#own.set(owner, own);
    }
    return own;
  }
}

/** Adds a listener and returns a function that removes it. */
export function listenToBus<Name extends keyof BusEvents>(
  bus: Bus,
  name: Name,
  listener: (...event: BusEvents[Name]) => void,
): () => void {
  // EventEmitter's own types can't follow a generic name.
  const listening = listener as unknown as Parameters<typeof bus.on>[1];
  bus.on(name, listening);
  return () => bus.off(name, listening);
}
