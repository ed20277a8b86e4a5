import type {
  AcknowledgedThing,
  Call,
  KeyRefusal,
  KeyScope,
  ORDERED_REFUSALS,
  ParsedRequestOf,
  RefusalOf,
  ResultOf,
  SignedAcknowledgements,
} from '@sathorn/api';
import type { Decision, Refusing } from '@sathorn/settlement';
import type { Language, Reader } from '@sathorn/text';
import type { Intent } from '../intent.ts';
import type { OperatorSession } from './sessions.ts';

/** The customer who is signed in. */
export interface SignedInCustomer {
  readonly id: bigint;
  readonly sessionId: string;
}

export interface CallContext<C extends Call> {
  readonly request: ParsedRequestOf<C>;
  /** Null in an operator's call. */
  readonly customer: C['who'] extends 'customer'
    ? SignedInCustomer
    : C['who'] extends 'operator'
      ? null
      : SignedInCustomer | null;
  readonly operator: C['who'] extends 'operator' ? OperatorSession : null;
  readonly language: Language;
  /** Language, digits and time zone, for sentences that contain numbers or times. */
  readonly reader: Reader;
  readonly now: Date;
  /** Taken from the Idempotency-Key header, or derived; for calls that move money and for every POST by an operator. */
  readonly intent: Intent;
  readonly client: { readonly address: string; readonly device: string };
  /** The uploaded picture of a call that takes one. */
  readonly file: { readonly bytes: Buffer; readonly name: string } | null;
}

/** A public read of the database. Its answer depends only on its fields, the language and the time. */
export interface PublicReading<C extends Call> {
  /** The answer's cost in rows of a candle. */
  readonly rowsOf: (request: ParsedRequestOf<C>) => number;
  /** True when this answer can never change. */
  readonly isImmutable?: (request: ParsedRequestOf<C>, result: ResultOf<C>, now: Date) => boolean;
}

export interface Handler {
  readonly call: Call;
  /** How a call that reads counts its rows, and whether its result never changes. Requests are untyped here. */
  readonly reading?: {
    rowsOf(request: never): number;
    isImmutable?(request: never, result: never, now: Date): boolean;
  };
  /** The call also works while this machine's clock is wrong, because it records no time. */
  readonly isOnAnyClock?: boolean;
  // The only place that drops a handler's exact types; `handle` has checked them.
  run(context: never): Promise<Decision<unknown, string>>;
}

/** Signs the facts of one answer to a customer; null for a list that is too long, or that has none. */
export type Acknowledge = (
  customer: bigint,
  things: readonly AcknowledgedThing[],
) => Promise<SignedAcknowledgements | null>;

/** An order with a signature by the customer's device. */
export interface SignedCall {
  readonly customer: bigint;
  /** Such as `POST /coin/order/add`. */
  readonly call: string;
  /** The Idempotency-Key; null without one. */
  readonly key: string | null;
  readonly intent: Intent;
  /** The fields that were sent, without secrets. */
  readonly fields: Readonly<Record<string, string>>;
  /** The signed text contains a commitment to the fields and not the fields. */
  readonly isHidden: boolean;
}

/** A request that an API key has signed, as it arrived. A header that is missing is empty. */
export interface KeyedRequest {
  readonly key: string;
  readonly time: string;
  readonly nonce: string;
  readonly signature: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The Idempotency-Key; empty if none is sent. */
  readonly intent: string;
  readonly body: string;
  readonly address: string;
}

/** Stands for a session where an API key has opened the live stream. No session has such an id. */
export const sessionOfKey = (key: string): string => `key ${key}`;

export interface KeyHolder {
  readonly customerId: bigint;
  readonly key: string;
}

/** Customers' API keys as the edge needs them. Each refusal is also an entry of the customer's security log. */
export interface ApiKeys {
  /** Decides all but whether it was sent before. `scope` is what the call takes; null if no key may make it. */
  judge(request: KeyedRequest, scope: KeyScope | null, now: Date): Promise<Decision<KeyHolder, KeyRefusal>>;
  /** Counts the request, once. Returns why it is refused; null if it goes on. */
  use(request: KeyedRequest, now: Date): Promise<Refusing<KeyRefusal> | null>;
  /** True while the key may read, as for a live stream that it has opened. */
  isGood(key: string, now: Date): Promise<boolean>;
  /** Called when a request was refused because of the key's limit. */
  limited(request: KeyedRequest, now: Date): void;
  /** Stores the request of an order before the order is carried out. */
  keepOrder(
    request: KeyedRequest,
    order: { readonly customer: bigint; readonly intent: Intent },
    now: Date,
  ): Promise<void>;
}

/** Stores the signature before the order is carried out. Returns why the order is refused; null if it goes on. */
export type TakeOrdered = (
  header: string,
  call: SignedCall,
  now: Date,
) => Promise<Refusing<(typeof ORDERED_REFUSALS)[number]> | null>;

export function handle<C extends Call>(
  call: C,
  run: (context: CallContext<C>) => Promise<Decision<ResultOf<C>, RefusalOf<C>>>,
  reading?: PublicReading<C>,
): Handler {
  return { call, run: run as Handler['run'], ...(reading && { reading: reading as NonNullable<Handler['reading']> }) };
}

export const allowOnAnyClock = (...handlers: readonly Handler[]): Handler[] =>
  handlers.map((handler) => ({ ...handler, isOnAnyClock: true }));
