import type { Answer } from './answer.ts';

/** What the customer orders. */
export interface OrderToSign {
  /** Such as `POST /coin/order/add`. */
  readonly call: string;
  /** The idempotency key. */
  readonly intent: string;
  /** As it goes over the wire, passwords and codes included, which no signature covers. */
  readonly form: string;
  /** The signed text has a commitment to the fields in their place. */
  readonly isHidden: boolean;
}

export interface OrderSigner {
  /** The value of the header `Ordered`; null if this device has no key. */
  sign(order: OrderToSign): Promise<string | null>;
  answered(order: OrderToSign, answer: Answer<unknown>): void;
}

let load: (() => Promise<OrderSigner>) | null = null;

/** Sets who signs orders. The app loads it ahead, so that signing takes no time at the tap. */
export function signOrdersWith(loader: () => Promise<OrderSigner>): void {
  load = loader;
}

/** An order waits at most this long for a slow storage, and then goes out unsigned. */
const SIGN_MAX_MS = 1_000;

export async function signOrder(order: OrderToSign): Promise<string | null> {
  const signing = load?.().then((signer) => signer.sign(order));
  if (signing === undefined) return null;
  const late = new Promise<null>((resolve) => void setTimeout(() => resolve(null), SIGN_MAX_MS));
  return Promise.race([signing.catch(() => null), late]);
}

export const noteOrderAnswer = (order: OrderToSign, answer: Answer<unknown>): void =>
  void load?.()
    .then((signer) => signer.answered(order, answer))
    .catch(() => undefined);
