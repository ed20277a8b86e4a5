import type { Push } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Messages } from '../messages/index.ts';
import type { PushTransport } from './push-service.ts';
import type { KindsOf } from './push-texts.ts';

export interface PushDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly messages: Pick<Messages, 'title' | 'takeUnpushed'>;
  readonly secrets: { readonly pushKey: Buffer };
  /** How a push service can contact the operator. */
  readonly contact: string;
  readonly brand: string;
  /** Returns the sessions of these that are open and whose customers may sign in. */
  readonly openSessionsOf: (queries: Queries, sessions: readonly string[], now: Date) => Promise<ReadonlySet<string>>;
  /** Tests send elsewhere. */
  readonly transport?: PushTransport;
  readonly onFault: (error: unknown) => void;
}

export interface Device {
  readonly customer: bigint;
  readonly session: string;
}

export interface SubscriptionKeys {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushModule extends Pick<Sending, 'sendDue' | 'run'> {
  read(device: Device): Promise<Push>;
  subscribe(
    device: Device,
    keys: SubscriptionKeys,
    language: Language,
    now: Date,
  ): Promise<Decision<Push, 'push_service_unknown' | 'push_keys_invalid'>>;
  switch(device: Device, kinds: KindsOf): Promise<Decision<Push, 'push_is_off'>>;
  stop(device: Device): Promise<void>;
  /** Removes subscriptions whose sessions have ended. */
  sweep(now: Date): Promise<void>;
}

export interface Sending {
  /** Sends everything that is due; resolves to the number of messages that push services accepted. */
  sendDue(): Promise<number>;
  run(signal: AbortSignal): Promise<void>;
  wake(): void;
}
