import { presentationText } from '@sathorn/text';
import { CoalescedReads } from './coalesced-reads.ts';
import type { OperatorSession } from './sessions.ts';
import { EncodedEvent, eventJson, type StreamClient } from './stream-client.ts';
import type { TopicTable } from './topic-source.ts';

/**
 * Snapshots of the live stream's topics. Each is read and encoded once for all clients that need it at the same time.
 */
export class SnapshotParts {
  readonly #topics: TopicTable;
  /**
   * Snapshots of public topics, kept until an event outdates them, so that ten thousand clients that reconnect at once
   * share them.
   */
  readonly #publicParts = new Map<string, Promise<EncodedEvent | null>>();
  /** Snapshots of customers' topics: many connections of one customer cost no more than one. */
  readonly #ownParts = new CoalescedReads<EncodedEvent>();

  readonly #staffParts = new CoalescedReads<EncodedEvent>();

  constructor(topics: TopicTable) {
    this.#topics = topics;
  }

  /** Null when there is nothing to show. */
  async of({ customer, operator, reader }: StreamClient, topic: string): Promise<EncodedEvent | null> {
    if (this.#topics.isOfOperator(topic)) return operator && this.#ofStaff(operator, topic);
    if (!this.#topics.isOfCustomer(topic)) return this.#ofPublic(topic);
    if (customer === null) return null;
    return this.#ownParts.read(
      `${customer.id} ${topic} ${reader.language} ${presentationText(reader)}`,
      async () => new EncodedEvent(eventJson(topic, await this.#topics.readOwn(topic, customer.id, reader), true)),
    );
  }

  #ofStaff(operator: OperatorSession, topic: string): Promise<EncodedEvent> {
    return this.#staffParts.read(
      `${operator.id} ${operator.roles.join()} ${topic}`,
      async () => new EncodedEvent(eventJson(topic, await this.#topics.readStaff(topic, operator), true)),
    );
  }

  outdate(topic: string): void {
    this.#publicParts.delete(topic);
  }

  outdateAll(): void {
    this.#publicParts.clear();
  }

  #ofPublic(topic: string): Promise<EncodedEvent | null> {
    const known = this.#publicParts.get(topic);
    if (known !== undefined) return known;
    const reading = this.#topics
      .readPublic(topic)
      .then((data) => (data === null ? null : new EncodedEvent(eventJson(topic, data, true))))
      .catch((error: unknown) => {
        this.#publicParts.delete(topic);
        throw error;
      });
    this.#publicParts.set(topic, reading);
    return reading;
  }
}
