import type { KeyObject } from 'node:crypto';
import type {
  addFromDeposits,
  addRenewal,
  listStanding,
  listStandingRuns,
  ParsedRequestOf,
  RefusalOf,
  ResultOf,
  Standing,
} from '@sathorn/api';
import type { Decision, Refusing } from '@sathorn/settlement';
import type { Intent } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Earning } from '../earning/index.ts';

export interface StandingDependencies {
  readonly database: Database;
  readonly earning: Pick<Earning, 'subscribeStanding' | 'lockupOf' | 'termsOf'>;
  readonly clock: Clock;
  readonly timeZone: string;
  /** The key of the seals on orders. */
  readonly orderKey: KeyObject;
  readonly messages: Pick<Messages, 'send'>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  /** What stops the customer from subscribing now, before a command is sent: a pause or a missing consent. */
  readonly stopOf: (customer: bigint, type: 'liquidity' | 'regular', now: Date) => Promise<Refusing<string> | null>;
  readonly onFault: (error: unknown) => void;
}

export interface StandingOrders {
  addRenewal(
    customer: bigint,
    request: ParsedRequestOf<typeof addRenewal>,
    intent: Intent,
    now: Date,
  ): Promise<Decision<Standing, RefusalOf<typeof addRenewal>>>;
  addFromDeposits(
    customer: bigint,
    request: ParsedRequestOf<typeof addFromDeposits>,
    intent: Intent,
    now: Date,
  ): Promise<Decision<Standing, RefusalOf<typeof addFromDeposits>>>;
  list(customer: bigint, kind: Standing['kind'] | null): Promise<ResultOf<typeof listStanding>>;
  read(customer: bigint, id: string): Promise<Decision<Standing, 'standing_unknown'>>;
  runs(
    customer: bigint,
    id: string,
    before: number | null,
  ): Promise<Decision<ResultOf<typeof listStandingRuns>, 'standing_unknown'>>;
  revoke(customer: bigint, id: string, now: Date): Promise<Decision<Standing, 'standing_unknown' | 'standing_ended'>>;
  /** Subscribes or skips what is due, and sends the notices of what was done. */
  takeDue(): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}
