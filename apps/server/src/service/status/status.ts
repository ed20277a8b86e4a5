import type { Custody } from '@sathorn/api';
import type { Liabilities } from '@sathorn/proof';
import type { PayoutStop } from '@sathorn/settlement';
import type { CheckerReport } from '../../checker/checker/index.ts';
import type { ReadCoinCover } from '../../exchange/contracts/index.ts';
import type { Market } from '../../exchange/market/index.ts';
import type { CoinFigures, NetResultSums, OptionFigures, WaitFigures } from '../../exchange/options/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Deposits } from '../../money/deposits/index.ts';
import type { WithdrawalTimes } from '../../money/withdrawals/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { Operators } from '../../staff/operators/index.ts';
import type { PauseSum } from '../../staff/pauses/index.ts';
import type { DisputeFigures } from '../disputes/index.ts';
import type { IncidentRow, IncidentTexts } from './incident-store.ts';

export interface StatusDependencies {
  readonly database: Database;
  readonly reads: Queries;
  readonly clock: Clock;
  /** The time zone of the brand. */
  readonly timeZone: string;
  readonly mode: 'demo' | 'live';
  readonly market: Pick<Market, 'environment' | 'coins' | 'quote'>;
  readonly ledger: Pick<Ledger, 'totals'>;
  /** The newest signed sums of what customers are owed; null before the first. */
  readonly signedSums: () => Promise<{ readonly hash: string; readonly sums: Liabilities } | null>;
  /** The holdings on the chain itself, for each asset that can be counted there. */
  readonly counted: () => Promise<readonly { asset: string; units: bigint }[]>;
  readonly coverOf: ReadCoinCover;
  readonly withdrawalTimes: (since: Date, now: Date) => Promise<WithdrawalTimes>;
  /** The reason why no payout is signed at the moment; null while payouts continue. */
  readonly payoutStop: () => Promise<PayoutStop | null>;
  /** Payouts that should be signed by now and are not. */
  readonly latePayouts: (now: Date) => Promise<number>;
  /** Where the house's money lies on the chain; null without a chain. */
  readonly custody: () => Promise<Custody | null>;
  readonly optionFigures: (sinceMs: number) => Promise<readonly OptionFigures[]>;
  readonly coinFigures: (sinceMs: number) => Promise<readonly CoinFigures[]>;
  readonly waitFigures: (sinceMs: number) => Promise<WaitFigures | null>;
  readonly pauseSums: (from: Date, to: Date) => Promise<readonly PauseSum[]>;
  /** Credited deposits that a chain has undone. */
  readonly reversalsSince: Deposits['reversalsSince'];
  readonly disputeFigures: (since: Date, now: Date) => Promise<DisputeFigures>;
  readonly standings: (sinceMs: number) => Promise<NetResultSums>;
  readonly namesOfConsenting: (customers: readonly bigint[]) => Promise<ReadonlyMap<bigint, string>>;
  readonly countConsenting: () => Promise<number>;
  readonly checked: () => CheckerReport | null;
  readonly operators: Pick<
    Operators,
    'approvals' | 'audit' | 'countInHour' | 'findWaitingApproval' | 'addApprovalKind' | 'workNameOf'
  >;
}

export interface Status {
  /** Opens an incident in the transaction of the event that it reports. */
  openIncident(transaction: Queries, incident: Omit<NewIncident, 'id'>): Promise<void>;
  hasIncident(queries: Queries, id: string): Promise<boolean>;
  /** Open incidents, and those closed since the given time. */
  listIncidents(since: Date): Promise<readonly IncidentRow[]>;
}

export interface NewIncident {
  readonly id: string;
  readonly severity: IncidentRow['severity'];
  readonly parts: IncidentRow['parts'];
  readonly texts: IncidentTexts;
  readonly operator: Pick<OperatorSession, 'id' | 'sessionId'>;
}
