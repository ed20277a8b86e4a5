import { createInbox, headers, type Msg } from '@nats-io/transport-node';
import { type CommandBus, CommandFault, type WireValue } from './commands.ts';
import type { NatsLink } from './nats-link.ts';
import { ANSWER_TO_HEADER, MESSAGE_ID_HEADER, wireSubjectOf } from './nats-wire.ts';

interface Waiting {
  readonly key: string;
  readonly subject: string;
  readonly id: string;
  readonly body: string;
  /** How often it was published again under a new id, because the stream drops known ids. */
  repetitions: number;
  readonly resolve: (answer: WireValue) => void;
  readonly reject: (fault: CommandFault) => void;
  readonly timer: NodeJS.Timeout;
}

interface Acknowledgement {
  readonly duplicate?: boolean;
  readonly error?: { readonly description: string };
}

/**
 * Publishes commands and distributes their answers. The stream drops a command whose id it has seen, so a repeated
 * request is published under a new id: it is delivered again and gets the same answer.
 */
export function openNatsRequests(
  link: NatsLink,
  { timeoutMs, onFault }: { timeoutMs: number; onFault: (error: unknown) => void },
): { request: CommandBus['request']; close(): void } {
  const { connection } = link;
  const inbox = createInbox();
  const waiting = new Map<string, Waiting>();
  let count = 0;
  let isClosed = false;

  const publish = (each: Waiting): void => {
    // Messages published while the server was unreachable may be lost, so all pending ones are published again on
    // reconnect.
    if (!link.isUp()) return;
    const lines = headers();
    lines.set(
      MESSAGE_ID_HEADER,
      each.repetitions === 0 ? each.id : `${each.id} ${inbox}.${each.key}.${each.repetitions}`,
    );
    lines.set(ANSWER_TO_HEADER, `${inbox}.answer.${each.key}`);
    connection.publish(wireSubjectOf(each.subject), each.body, {
      headers: lines,
      reply: `${inbox}.stored.${each.key}`,
    });
  };

  const take = (key: string): Waiting | undefined => {
    const each = waiting.get(key);
    waiting.delete(key);
    clearTimeout(each?.timer);
    return each;
  };
  const fail = (key: string, says: string): void => {
    const each = take(key);
    each?.reject(new CommandFault(`${each.subject}: ${says}`));
  };

  const onStored = (key: string, message: Msg): void => {
    const each = waiting.get(key);
    if (each === undefined) return;
    if (message.headers?.code === 503) {
      fail(key, 'no process is serving it');
      return;
    }
    const { duplicate, error } = message.json<Acknowledgement>();
    if (error) fail(key, error.description);
    if (!duplicate) return;
    each.repetitions++;
    publish(each);
  };
  const onAnswer = (key: string, message: Msg): void => take(key)?.resolve(message.json<WireValue>());

  for (const [name, handle] of [
    ['stored', onStored],
    ['answer', onAnswer],
  ] as const)
    connection.subscribe(`${inbox}.${name}.*`, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          handle(message.subject.slice(message.subject.lastIndexOf('.') + 1), message);
        } catch (fault) {
          onFault(fault);
        }
      },
    });
  const forget = link.onReturn(() => {
    for (const each of waiting.values()) publish(each);
  });

  return {
    request: (subject, id, command) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new CommandFault('the bus is closed');
        const key = (++count).toString(36);
        const timer = setTimeout(() => fail(key, 'no answer in time'), timeoutMs);
        const each = { key, subject, id, body: JSON.stringify(command), repetitions: 0, resolve, reject, timer };
        waiting.set(key, each);
        try {
          publish(each);
        } catch (cause) {
          take(key);
          throw new CommandFault(`${subject}: not sent`, { cause });
        }
      }),

    close() {
      isClosed = true;
      forget();
      for (const key of waiting.keys()) fail(key, 'the bus is closed');
    },
  };
}
