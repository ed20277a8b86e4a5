import type { KeyObject } from 'node:crypto';
import type {
  addRecurring,
  listRecurring,
  listRecurringExecutions,
  ParsedRequestOf,
  Recurring,
  RefusalOf,
  ResultOf,
} from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import type { Decision, Refusing } from '@sathorn/settlement';
import type { Intent } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { ContractIndex, Contracts } from '../contracts/index.ts';

export interface RecurringDependencies {
  readonly database: Database;
  readonly contracts: Pick<Contracts, 'buyRecurring' | 'recurringTotals' | 'orders' | 'terms'>;
  readonly index: Pick<ContractIndex, 'isStale' | 'lastPrice'>;
  readonly clock: Clock;
  readonly timeZone: string;
  /** The key of the seals on orders. */
  readonly orderKey: KeyObject;
  readonly messages: Pick<Messages, 'send'>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  /** Returns why the customer may not buy the coin now; null if they may. Called before an order is sent. */
  readonly stopOf: (customer: bigint, coin: CoinCode, now: Date) => Promise<Refusing<string> | null>;
  readonly onFault: (error: unknown) => void;
}

type Named = 'recurring_unknown' | 'recurring_ended';

export interface Recurrings {
  add(
    customer: bigint,
    request: ParsedRequestOf<typeof addRecurring>,
    intent: Intent,
    now: Date,
  ): Promise<Decision<Recurring, RefusalOf<typeof addRecurring>>>;
  list(customer: bigint): Promise<ResultOf<typeof listRecurring>>;
  read(customer: bigint, id: string): Promise<Decision<Recurring, 'recurring_unknown'>>;
  executions(
    customer: bigint,
    id: string,
    before: number | null,
  ): Promise<Decision<ResultOf<typeof listRecurringExecutions>, 'recurring_unknown'>>;
  switch(customer: bigint, id: string, isOn: boolean, now: Date): Promise<Decision<Recurring, Named>>;
  revoke(customer: bigint, id: string, now: Date): Promise<Decision<Recurring, Named>>;
  /** Buys or skips what is due; resolves to how many instructions it has dealt with. */
  takeDue(): Promise<number>;
  run(signal: AbortSignal): Promise<void>;
}
