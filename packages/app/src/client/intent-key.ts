import { randomId } from './random-id.ts';

/**
 * The idempotency key of one intention. It is created when the form opens and kept until there is an answer, so that a
 * retry after a lost connection is the same order. An answer, or a change of the order, begins a new intention.
 */
export interface IntentKey {
  /** The key with which this payload is sent. */
  keyFor(payload: string): string;
  answered(): void;
}

export function createIntentKey(makeKey: () => string = randomId): IntentKey {
  let key = makeKey();
  let sent: string | undefined;
  return {
    keyFor(payload) {
      if (sent !== undefined && sent !== payload) key = makeKey();
      sent = payload;
      return key;
    },
    answered() {
      key = makeKey();
      sent = undefined;
    },
  };
}
