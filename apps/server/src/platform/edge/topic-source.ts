import {
  type DeclaredTopicOf,
  type LiveTopic,
  TOPICS,
  type TopicKey,
  type TopicSnapshotOf,
  topicName,
} from '@sathorn/api';
import type { Reader } from '@sathorn/text';
import type { OperatorSession } from './sessions.ts';

/** A public topic as its module provides it. */
interface PublicSource {
  readonly who: 'anyone';
  readonly key: TopicKey;
  /** Reads the state of each topic, by its name; null if there is none. Clients cannot create new names. */
  readonly states: ReadonlyMap<string, () => unknown>;
}

/** A customer's own topic. */
interface CustomerSource {
  readonly who: 'customer';
  readonly key: TopicKey;
  /** The bus event after which its state is read again, for a topic without events of its own. */
  readonly rereadOn: 'funds' | null;
  state(owner: bigint, reader: Reader): Promise<unknown>;
}

/**
 * A topic of operators. It has no events, because customers, other processes or the passing of time change much of what
 * a desk shows. Each second the state is read for the operators who follow it, and sent if it has changed.
 */
interface OperatorSource {
  readonly who: 'operator';
  readonly key: TopicKey;
  state(operator: OperatorSession): Promise<unknown>;
}

export type TopicSource = PublicSource | CustomerSource | OperatorSource;

type KeysOf<Who> = { [Key in TopicKey]: (typeof TOPICS)[Key]['who'] extends Who ? Key : never }[TopicKey];
type Of<Key extends TopicKey> = DeclaredTopicOf<(typeof TOPICS)[Key]>;
type State<Key extends TopicKey> = TopicSnapshotOf<(typeof TOPICS)[Key]>;
type MaybeLater<Value> = Value | Promise<Value>;

/** `values`: all possible values of each parameter of the topic's name. */
export function publicTopic<
  Key extends KeysOf<'anyone'>,
  const Values extends { [Name in keyof Of<Key>]: readonly Of<Key>[Name][] },
>(
  key: Key,
  values: Values,
  state: (
    of: { readonly [Name in keyof Values]: Values[Name] extends readonly (infer Value)[] ? Value : never },
  ) => MaybeLater<State<Key> | null>,
): PublicSource {
  let every: Record<string, unknown>[] = [{}];
  for (const [name, all] of Object.entries<readonly unknown[]>(values))
    every = every.flatMap((of) => all.map((value) => ({ ...of, [name]: value })));
  const topic: LiveTopic = TOPICS[key];
  return { who: 'anyone', key, states: new Map(every.map((of) => [topicName(topic, of), () => state(of as never)])) };
}

export function customerTopic<Key extends KeysOf<'customer'>>(
  key: Key,
  state: (owner: bigint, reader: Reader) => Promise<State<Key>>,
  rereadOn: CustomerSource['rereadOn'] = null,
): CustomerSource {
  return { who: 'customer', key, state, rereadOn };
}

export function operatorTopic<Key extends KeysOf<'operator'>>(
  key: Key,
  state: (operator: OperatorSession) => Promise<State<Key>>,
): OperatorSource {
  return { who: 'operator', key, state };
}

/** Every topic that this edge serves, by its name. */
export class TopicTable {
  readonly sources: readonly TopicSource[];
  readonly #public = new Map<string, () => unknown>();
  readonly #own = new Map<string, CustomerSource>();
  readonly #staff = new Map<string, OperatorSource>();

  constructor(sources: readonly TopicSource[]) {
    this.sources = sources;
    for (const source of sources) {
      if (source.who === 'customer') this.#own.set(source.key, source);
      else if (source.who === 'operator') this.#staff.set(source.key, source);
      else for (const [name, state] of source.states) this.#public.set(name, state);
    }
  }

  isPublic(name: string): boolean {
    return this.#public.has(name);
  }

  isOfCustomer(name: string): boolean {
    return this.#own.has(name);
  }

  isOfOperator(name: string): boolean {
    return this.#staff.has(name);
  }

  /** Topics that end with the session. */
  *ofSession(): Iterable<string> {
    yield* this.#own.keys();
    yield* this.#staff.keys();
  }

  async readPublic(name: string): Promise<unknown> {
    return this.#public.get(name)?.();
  }

  async readStaff(name: string, operator: OperatorSession): Promise<unknown> {
    return this.#staff.get(name)?.state(operator);
  }

  async readOwn(name: string, owner: bigint, reader: Reader): Promise<unknown> {
    return this.#own.get(name)?.state(owner, reader);
  }
}
