import type { Duplex } from 'node:stream';
import type { ServerFrame } from '@sathorn/api';
import { DEFAULT_LANGUAGE, type Reader } from '@sathorn/text';
import type { WebSocket } from 'ws';
import type { SignedInCustomer } from './handle.ts';
import type { LimitedNetwork } from './networks.ts';
import type { OperatorSession } from './sessions.ts';
import { ConnectionUsage, dropUnreadBytes } from './stream-guard.ts';

/** How long the close frame has to be sent. */
const LINGER_MS = 250;

/** One client's subscription to one topic. */
interface Subscription {
  /** True if the next thing sent must be a snapshot; events before it are dropped. */
  needsSnapshot: boolean;
  isLoading: boolean;
  /** An event arrived while the snapshot was being read, so the snapshot may be older than the event. */
  isOvertaken: boolean;
}

/** One encoded event, shared by all clients that receive it. */
export class EncodedEvent {
  static #made = 0;
  readonly id = ++EncodedEvent.#made;
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

export function eventJson(topic: string, data: unknown, isSnapshot: boolean): string {
  return `{"topic":${JSON.stringify(topic)},"data":${JSON.stringify(data)}${isSnapshot ? ',"snapshot":true' : ''}}`;
}

/** One connection of the live stream: its subscriptions and the frames that wait to be sent. */
export class StreamClient {
  readonly socket: WebSocket;
  /** The TCP or TLS socket under the WebSocket. */
  readonly wire: Duplex;
  /** The networks against whose limits the connection counts. */
  readonly networks: readonly LimitedNetwork[];
  readonly address: string;
  readonly usage = new ConnectionUsage();
  customer: SignedInCustomer | null = null;
  /** Never set together with a customer. */
  operator: OperatorSession | null = null;
  /** The last state sent for each topic of operators, so that only changes are sent. */
  readonly sent = new Map<string, string>();
  /** Empty where an API key has opened the stream. */
  token = '';
  reader: Reader = { language: DEFAULT_LANGUAGE };
  /** Frames are handled one after the other, so that a subscription waits for the sign-in before it. */
  serving: Promise<void> = Promise.resolve();
  readonly topics = new Map<string, Subscription>();
  /** Parts of the next frame. */
  pending: EncodedEvent[] = [];
  isAlive = true;
  /** True once no more frames are read from the client. */
  isOver = false;
  /** When its backlog first became too large; null while it keeps up. */
  slowSince: number | null = null;

  constructor(socket: WebSocket, wire: Duplex, networks: readonly LimitedNetwork[], address = '') {
    this.socket = socket;
    this.wire = wire;
    this.networks = networks;
    this.address = address;
  }

  /** Stops reading at once, sends the close code if the client still reads, and closes shortly after. */
  hangUp(code: number): void {
    if (this.isOver) return;
    this.isOver = true;
    // Pauses through `ws`, which would otherwise resume the socket itself.
    this.socket.pause();
    this.socket.close(code);
    setTimeout(() => this.end(), LINGER_MS).unref();
  }

  end(): void {
    this.isOver = true;
    dropUnreadBytes(this.wire);
    this.socket.terminate();
  }

  /** Sends a frame immediately, for answers to the client's frames. */
  send(frame: ServerFrame): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** A topic that the client already follows continues with its events; the new snapshot comes among them. */
  follow(topic: string): void {
    if (!this.topics.has(topic)) this.topics.set(topic, { needsSnapshot: true, isLoading: false, isOvertaken: false });
  }

  /** Queues an event for the next frame, unless a snapshot must come first. */
  queue(topic: string, part: EncodedEvent): void {
    const subscription = this.topics.get(topic);
    if (subscription === undefined) return;
    if (subscription.isLoading) subscription.isOvertaken = true;
    if (!subscription.needsSnapshot) this.pending.push(part);
  }

  /** Drops all pending events; every topic restarts with a snapshot. */
  restart(): void {
    this.pending = [];
    for (const subscription of this.topics.values()) subscription.needsSnapshot = true;
  }
}
