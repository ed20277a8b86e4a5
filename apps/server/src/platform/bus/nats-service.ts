import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { createInbox, type Msg, nanos, nuid } from '@nats-io/transport-node';
import type { WireValue } from './commands.ts';
import type { NatsLink } from './nats-link.ts';
import { ANSWER_TO_HEADER, streamNameOf, wireSubjectOf } from './nats-wire.ts';

const COMMANDS_MAX = 200_000;
const UNACKNOWLEDGED_MAX = 4_096;
const REDELIVER_AFTER_MS = 250;
/** No command takes this long, so none is redelivered while its reader lives. */
const ACK_WAIT_MS = 60_000;
const HEARTBEAT_MS = 500;
const SILENCE_MAX_MS = 2_000;
/** A consumer without a reader is removed after this time. */
const INACTIVE_MS = 2_000;
const RETRY_MS = 100;
const OTHER_SERVES_MS = 500;
const NAME_IN_USE_WITH_OTHER_SETTINGS = 10_058;

interface NatsService {
  readonly link: NatsLink;
  readonly manager: JetStreamManager;
  /** Older commands are dropped: their callers got a time-out long ago. */
  readonly ageMaxMs: number;
  readonly onFault: (error: unknown) => void;
}

/**
 * Reads a subject's stream until the signal aborts. Each reader has its own consumer, and the work queue allows only
 * one: a new reader deletes the previous consumer and gets all unacknowledged commands at once, in order. A reader that
 * loses its consumer waits until no process serves.
 */
export async function serveFromNats(
  { link, manager, ageMaxMs, onFault }: NatsService,
  subject: string,
  signal: AbortSignal,
  handler: (command: WireValue) => Promise<WireValue>,
): Promise<void> {
  const { connection } = link;
  const stream = streamNameOf(subject);
  const underWay = new Set<Promise<void>>();
  let own: string | null = null;

  const handle = async (message: Msg): Promise<void> => {
    let answer: WireValue;
    try {
      answer = await handler(message.json<WireValue>());
    } catch (error) {
      onFault(error);
      if (!connection.isClosed()) message.respond(`-NAK {"delay": ${nanos(signal.aborted ? 0 : REDELIVER_AFTER_MS)}}`);
      return;
    }
    if (connection.isClosed()) return;
    // Answers first and then acknowledges: if the connection loses the answer it also loses the acknowledgement, and
    // the command is delivered again.
    const answerTo = message.headers?.get(ANSWER_TO_HEADER);
    if (answerTo) connection.publish(answerTo, JSON.stringify(answer));
    message.respond('+ACK');
  };

  const begin = (message: Msg): void => {
    const work = handle(message).catch(onFault);
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  /** False if another reader serves. Only a reader that was explicitly started may replace it. */
  const take = async (deliverTo: string, isCalled: boolean): Promise<boolean> => {
    await ensureStream(manager, subject, ageMaxMs);
    const readers = await manager.consumers.list(stream).next();
    // A reader that is about to stop replaces no other.
    if (signal.aborted || (!isCalled && readers.some(({ name }) => name !== own))) return false;
    for (const { name } of readers) await manager.consumers.delete(stream, name);
    own = nuid.next();
    await manager.consumers.add(stream, {
      name: own,
      deliver_subject: deliverTo,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: UNACKNOWLEDGED_MAX,
      idle_heartbeat: nanos(HEARTBEAT_MS),
      inactive_threshold: nanos(INACTIVE_MS),
    });
    return true;
  };

  /** Resolves when the server was unavailable, the consumer is deleted, or the signal aborts. */
  const read = async (isCalled: boolean): Promise<boolean> => {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const deliverTo = createInbox();
    let lastMessageMs = performance.now();
    const subscription = connection.subscribe(deliverTo, {
      callback: (error, message) => {
        lastMessageMs = performance.now();
        if (error) return onFault(error);
        const isHeartbeat = message.headers?.code === 100;
        if (!isHeartbeat && !ending.signal.aborted) begin(message);
      },
    });
    const forget = link.onReturn(end);
    const watch = setInterval(() => {
      if (performance.now() - lastMessageMs > SILENCE_MAX_MS) end();
    }, HEARTBEAT_MS);
    signal.addEventListener('abort', end);
    try {
      if (!(await take(deliverTo, isCalled))) return false;
      if (!signal.aborted && !ending.signal.aborted)
        await new Promise((resolve) => ending.signal.addEventListener('abort', resolve, { once: true }));
      return true;
    } finally {
      signal.removeEventListener('abort', end);
      clearInterval(watch);
      forget();
      subscription.unsubscribe();
    }
  };

  let isCalled = true;
  while (!signal.aborted) {
    try {
      if (await read(isCalled)) isCalled = false;
      else await pause(OTHER_SERVES_MS, signal);
    } catch (error) {
      if (!link.isUp()) continue;
      onFault(error);
      await pause(RETRY_MS, signal);
    } finally {
      while (!link.isUp() && !signal.aborted) await pause(RETRY_MS, signal);
    }
  }
  await Promise.all(underWay);
  if (own !== null && link.isUp()) await manager.consumers.delete(stream, own).catch(() => undefined); // Another process may have deleted it.
}

async function ensureStream(manager: JetStreamManager, subject: string, ageMaxMs: number): Promise<void> {
  const settings: Partial<StreamConfig> & { name: string } = {
    name: streamNameOf(subject),
    subjects: [wireSubjectOf(subject)],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_msgs: COMMANDS_MAX,
    max_age: nanos(ageMaxMs),
    duplicate_window: nanos(ageMaxMs),
  };
  try {
    await manager.streams.add(settings);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== NAME_IN_USE_WITH_OTHER_SETTINGS) throw error;
    await manager.streams.update(settings.name, settings);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
