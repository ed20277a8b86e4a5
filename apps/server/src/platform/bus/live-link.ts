import { encodeEvent } from './event-wire.ts';
import type { NatsLink } from './nats-link.ts';

/** Exchanges live events, as text, with other processes, without an echo. Delivered at most once. */
export interface LiveLink {
  isUp(): boolean;
  publish(text: string): void;
  receive(listener: (text: string) => void): void;
  /** Calls the listener when the link has reconnected; messages sent meanwhile may be lost. */
  onReturn(listener: () => void): void;
}

/** A text that tells receivers that earlier texts may be lost. */
export const writeGapEvent = (): string => encodeEvent([['gap', new Date()]]);

/** Increase the number when events change shape: two versions that run side by side must not misread each other. */
const SUBJECT = 'live.2';

export function openNatsLiveLink(
  { connection, isUp, onReturn }: NatsLink,
  onFault: (error: unknown) => void,
): LiveLink {
  return {
    isUp,
    onReturn: (listener) => void onReturn(listener),
    publish: (text) => connection.publish(SUBJECT, text),
    receive: (listener) =>
      void connection.subscribe(SUBJECT, {
        callback: (error, message) => {
          try {
            if (error) throw error;
            listener(message.string());
          } catch (fault) {
            onFault(fault);
          }
        },
      }),
  };
}
