import { EventEmitter } from 'node:events';
import type { DeclaredTopicOf, LiveTopic, TOPICS, TopicEventOf, TopicKey } from '@sathorn/api';
import type { CommandBus } from './commands.ts';

/** Signals between processes, besides the topics of the live stream. */
interface Signals {
  /** Customers whose balances a ledger commit has changed. */
  funds: [owners: ReadonlySet<bigint>];
  /** A new tick exists; the settler listens. */
  ticked: [at: Date];
  /** The index has committed a second; following processes read it. */
  published: [at: Date];
  session_ended: [event: { sessionId: string }];
  /** Events may have been lost: listeners that build their state from events must read it again. */
  gap: [at: Date];
}

/**
 * One event of a topic. A customer topic is addressed by its owner, a public topic by its parameters (such as the
 * coin). `data` may be computed on demand.
 */
type TopicEvent<Topic extends LiveTopic> = (Topic['who'] extends 'customer'
  ? { readonly owner: bigint }
  : DeclaredTopicOf<Topic>) & { readonly data: TopicEventOf<Topic> };

/**
 * Live events from the roles that produce them to the edges that send them. Delivered at most once: after a `gap`,
 * listeners read a snapshot.
 */
export type BusEvents = Signals & { [Key in TopicKey]: [event: TopicEvent<(typeof TOPICS)[Key]>] };

type Bridge = <Name extends keyof BusEvents>(name: Name, event: BusEvents[Name][0]) => void;

/**
 * Events report what has already happened, so a failing listener must not affect the emitter: the error goes to
 * `onFault` and the other listeners still run. Without `onFault` the error is thrown to the emitter.
 */
export class Bus extends EventEmitter<BusEvents> {
  readonly #onFault: (error: unknown) => void;
  #bridge: Bridge | null = null;

  constructor(onFault?: (error: unknown) => void) {
    super();
    this.setMaxListeners(100);
    this.#onFault =
      onFault ??
      ((error) => {
        throw error;
      });
  }

  /** Emits to this process and, where there is a bridge, to the others. */
  override emit<Name extends keyof BusEvents>(name: Name, ...event: BusEvents[Name]): boolean {
    this.#bridge?.(name, event[0]);
    return this.emitHere(name, ...event);
  }

  /** Emits to this process only: for events from other processes, and for those that each process produces itself. */
  emitHere<Name extends keyof BusEvents>(name: Name, ...event: BusEvents[Name]): boolean {
    const listeners = this.rawListeners(name) as ((...event: unknown[]) => void)[];
    for (const listener of listeners) {
      try {
        listener.apply(this, event);
      } catch (error) {
        this.#onFault(error);
      }
    }
    return listeners.length > 0;
  }

  /** True if an event of this name has a listener. */
  hasListeners(name: keyof BusEvents): boolean {
    return this.#bridge !== null || this.listenerCount(name) > 0;
  }

  bridge(bridge: Bridge): void {
    this.#bridge = bridge;
  }
}

export interface OpenedBus {
  readonly bus: Bus;
  readonly commands: CommandBus;
  close(): Promise<void>;
}
