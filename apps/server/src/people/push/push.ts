import type { PushSettingsView } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Messages } from '../messages/index.ts';
import type { PushTransport } from './push-service.ts';
import type { PushKindSwitches } from './push-texts.ts';

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

export interface PushDevice {
  readonly customer: bigint;
  readonly session: string;
}

export interface SubscriptionKeys {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushModule extends Pick<PushSender, 'sendDue' | 'run'> {
  read(device: PushDevice): Promise<PushSettingsView>;
  subscribe(
    device: PushDevice,
    keys: SubscriptionKeys,
    language: Language,
    now: Date,
  ): Promise<Decision<PushSettingsView, 'push_service_unknown' | 'push_keys_invalid'>>;
  switch(device: PushDevice, kinds: PushKindSwitches): Promise<Decision<PushSettingsView, 'push_is_off'>>;
  stop(device: PushDevice): Promise<void>;
  /** Removes subscriptions whose sessions have ended. */
  sweep(now: Date): Promise<void>;
}

export interface PushSender {
  /** Sends everything that is due; resolves to the number of messages that push services accepted. */
  sendDue(): Promise<number>;
  run(signal: AbortSignal): Promise<void>;
  wake(): void;
}
