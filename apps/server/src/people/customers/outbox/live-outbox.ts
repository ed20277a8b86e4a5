import { setTimeout as pause } from 'node:timers/promises';
import type { Outbox, OutgoingMessage } from './outbox.ts';

export interface SmsAdapter {
  /** Throws if the provider did not accept the message. `to` is in E.164. */
  send(to: string, text: string): Promise<void>;
}
export interface MailAdapter {
  send(to: string, subject: string, text: string): Promise<void>;
}

interface LiveOutboxOptions {
  readonly sms: SmsAdapter;
  readonly mail: MailAdapter;
  /** Receives final delivery failures, never a message's text. */
  readonly onFault: (error: unknown, kind: 'sms' | 'email') => void;
  /** Delays before the second, third and later tries. */
  readonly retryAfterMs?: readonly number[];
}

/**
 * Sends through the brand's providers from a queue in memory: a customer whose code is lost in a crash requests another
 * one.
 */
export function openLiveOutbox({ sms, mail, onFault, retryAfterMs = [2_000, 10_000] }: LiveOutboxOptions): Outbox {
  const underWay = new Set<Promise<void>>();

  const deliver = async ({ to, subject, text }: OutgoingMessage): Promise<void> => {
    for (const waitMs of [...retryAfterMs, null]) {
      try {
        await (to.kind === 'phone' ? sms.send(to.value, text) : mail.send(to.value, subject, text));
        return;
      } catch (error) {
        if (waitMs === null) return onFault(error, to.kind === 'phone' ? 'sms' : 'email');
        await pause(waitMs);
      }
    }
  };

  return {
    keep: async () => undefined,
    dispatch: (delivery) => {
      if (!delivery.isForSomebody) return;
      const work = deliver(delivery).finally(() => underWay.delete(work));
      underWay.add(work);
    },
    drained: async () => {
      await Promise.all(underWay);
    },
  };
}
