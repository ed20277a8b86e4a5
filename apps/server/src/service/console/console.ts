import type { Money } from '@sathorn/money';
import type { PayoutStop } from '@sathorn/settlement';
import type { CheckerReport } from '../../checker/checker/index.ts';
import type { Contracts } from '../../exchange/contracts/index.ts';
import type { Market } from '../../exchange/market/index.ts';
import type { Options } from '../../exchange/options/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Payees } from '../../money/payees/index.ts';
import type { PaymentTimes, WithdrawalTimes } from '../../money/withdrawals/index.ts';
import type { StaffAccess } from '../../people/customers/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Operators } from '../../staff/operators/index.ts';

/**
 * A module's queue of work for operators. If several queues have one kind, an operator sees the first that their roles
 * may open.
 */
export interface StaffQueue {
  readonly kind: string;
  readonly roles: readonly string[];
  /** `dueAt`: the promised time of the oldest case. */
  read(now: Date): Promise<{
    readonly waiting: number;
    readonly overdue: number;
    readonly oldestAt: Date | null;
    readonly dueAt: Date | null;
  }>;
  /** Cases with this id or name, for the command palette. */
  search?(query: string): Promise<readonly { readonly id: string; readonly title: string; readonly status: string }[]>;
}

export interface CountedAsset {
  readonly asset: string;
  /** The holdings according to the chain or the bank, in the ledger's units. */
  readonly units: bigint;
}

/** The dependencies and state that all handlers of this module share. */
export interface ConsoleModule {
  readonly database: Database;
  readonly customers: StaffAccess;
  readonly ledger: Pick<Ledger, 'balances' | 'statement' | 'totals'>;
  readonly operators: Operators;
  readonly messages: Pick<Messages, 'send' | 'history'>;
  readonly options: Pick<Options, 'list'>;
  readonly contracts: Pick<Contracts, 'list'>;
  readonly payees: Pick<Payees, 'listOf'>;
  readonly queues: readonly StaffQueue[];
  readonly exposures: () => Promise<
    readonly { readonly code: string; readonly up: bigint; readonly down: bigint; readonly limit: bigint | null }[]
  >;
  readonly counted: () => Promise<readonly CountedAsset[]>;
  /** Since when the chain's node has not answered; null while it does. */
  readonly failingSince: () => Date | null;
  readonly checked: () => CheckerReport | null;
  readonly health: (now: Date) => Promise<readonly { name: string; state: string; is_good: boolean }[]>;
  /** Counts of work that should be done by now, by name. */
  readonly lateWork: (now: Date) => Promise<Readonly<Record<string, number>>>;
  /** The reason why no payout is signed at the moment; null while payouts continue. */
  readonly payoutStop: () => Promise<PayoutStop | null>;
  /** Bank money that was matched in the last day and deserves a review. */
  readonly notableMatches: () => Promise<
    readonly {
      readonly deposit: string;
      readonly order_number: string;
      readonly customer: bigint;
      readonly matched_by: bigint;
      readonly baht: Money<'THB'>;
      readonly at: Date;
      readonly marks: readonly ('no_slip' | 'first_large' | 'unusual_day')[];
    }[]
  >;
  readonly market: Pick<Market, 'coins' | 'quote'>;
  readonly withdrawalTimes: (since: Date, now: Date) => Promise<WithdrawalTimes>;
  readonly paymentHours: (since: Date) => Promise<readonly (PaymentTimes & { readonly hour: Date | null })[]>;
}

export interface ConsoleDependencies extends ConsoleModule {
  readonly clock: { now(): Date };
}
