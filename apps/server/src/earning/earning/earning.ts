import type {
  IncomeReceipt,
  LiquidityProduct,
  LiquidityRecord,
  LockupOrder,
  listEarningOrders,
  listEarningProducts,
  quoteRedemption,
  quoteSubscription,
  ResultOf,
  readEarningBalance,
} from '@sathorn/api';
import type { Money } from '@sathorn/money';
import type { Decision, PlayRefusal, StandingRefusal } from '@sathorn/settlement';
import type { Intent, LedgerRefusal } from '../../ledger/index.ts';
import type { Customers } from '../../people/customers/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queries, Transaction } from '../../platform/database/index.ts';
import type { OfferKind, OfferTermsChange } from '../../staff/offer/index.ts';
import type { Accrual, AccrualDependencies } from './accrue.ts';
import type { AccrualRow } from './earning-store.ts';
import type { LiquidityTerms, LockupTermsVersion, TermsCatalogue } from './earning-terms.ts';
import type { RedemptionCommand } from './move-liquidity.ts';
import type { LockStanding, NamedStanding } from './named-standing.ts';
import type { EarningRules } from './read-earning-rules.ts';

export interface EarningDependencies extends Omit<AccrualDependencies, 'days' | 'clock'> {
  readonly clock: Clock;
  /** Connections for calls that need no session. */
  readonly reads?: Queries;
  /** The brand's time zone, which decides when a day begins. */
  readonly timeZone: string;
  /** False if the product is not sold. Existing subscriptions still earn, redeem and mature. */
  readonly isOffering: () => boolean;
  readonly rules: EarningRules;
  /** Terms that two people have approved and that start later. */
  readonly scheduled?: () => readonly OfferTermsChange[];
  /** Checks the payment passwords, which redemptions require. */
  readonly passwords: PaymentPasswords;
  /** Without it, nothing is subscribed in the name of a standing order. */
  readonly lockStanding?: LockStanding;
}

type SubscribeRefusal = (typeof quoteSubscription)['refusals'][number];

type RedeemRefusal = (typeof quoteRedemption)['refusals'][number];

export interface SubscriptionRequest {
  readonly customer: bigint;
  readonly amount: Money<'USDT'>;
  /** Null for liquidity. */
  readonly product: number | null;
  readonly quote: string | null;
}

/** A product's terms in the form that one operator proposes and another approves, without version and first day. */
export type ProposedTerms =
  | Omit<LiquidityTerms, 'version' | 'effectiveDay'>
  | Omit<LockupTermsVersion, 'version' | 'effectiveDay'>;

export interface Earning extends Accrual {
  products(now: Date): Promise<{
    readonly liquidity: LiquidityProduct;
    readonly regular: Extract<ResultOf<typeof listEarningProducts>, { type: 'regular' }>;
  }>;
  balance(customer: bigint, type: 'liquidity' | 'regular', now: Date): Promise<ResultOf<typeof readEarningBalance>>;
  orders(
    customer: bigint,
    which: {
      readonly type: 'liquidity' | 'regular';
      readonly id: string | null;
      readonly kind: 'subscription' | 'redemption' | 'interest' | null;
      readonly page: string | null;
    },
    now: Date,
  ): Promise<Decision<ResultOf<typeof listEarningOrders>, 'order_unknown'>>;
  quoteSubscription(
    request: Omit<SubscriptionRequest, 'quote'>,
    now: Date,
  ): Promise<Decision<ResultOf<typeof quoteSubscription>, SubscribeRefusal>>;
  subscribe(
    request: SubscriptionRequest,
    intent: Intent,
  ): Promise<
    Decision<LiquidityRecord | LockupOrder, SubscribeRefusal | PlayRefusal | 'quote_outdated' | LedgerRefusal>
  >;
  /** Subscribes in the name of a standing order, within its bounds. */
  subscribeStanding(
    request: Omit<SubscriptionRequest, 'quote'> & { readonly standing: NamedStanding },
    intent: Intent,
  ): Promise<
    Decision<
      LiquidityRecord | LockupOrder,
      SubscribeRefusal | PlayRefusal | StandingRefusal | 'quote_outdated' | LedgerRefusal
    >
  >;
  /** Undefined for another customer's lock-up, and for none. */
  lockupOf(customer: bigint, id: string): Promise<{ readonly product: number; readonly hasEnded: boolean } | undefined>;
  /** Today's terms of a lock-up, or of liquidity for null; undefined if it has none. */
  termsOf(
    product: number | null,
    now: Date,
  ): Promise<
    { readonly isOffered: boolean; readonly min: Money<'USDT'>; readonly max: Money<'USDT'> | null } | undefined
  >;
  quoteRedemption(
    request: Omit<RedemptionCommand, 'quote'>,
    now: Date,
  ): Promise<Decision<ResultOf<typeof quoteRedemption>, RedeemRefusal>>;
  redeem(
    command: RedemptionCommand,
    intent: Intent,
  ): Promise<Decision<LiquidityRecord, RedeemRefusal | 'quote_outdated' | LedgerRefusal>>;
  income(
    customer: bigint,
    which: { readonly order: string | null; readonly day: string },
  ): Promise<Decision<IncomeReceipt, 'order_unknown' | 'income_unknown'>>;
  /** Current and future terms, as the console shows them. */
  catalogue(): Promise<TermsCatalogue>;
  /**
   * Adds terms from a day on, in the transaction in which they take effect. The database rejects terms without an
   * approval, and terms for a day whose income has been counted.
   */
  addTerms(
    transaction: Transaction,
    proposed: ProposedTerms,
    effectiveDay: number,
    approval: string,
    now: Date,
  ): Promise<void>;
  /** The kinds of terms in this module that two people can change. */
  readonly offerKinds: readonly OfferKind[];
  /** The newest day of income of each product. */
  accruals(): Promise<readonly AccrualRow[]>;
  /** The number of products with a day of income that should be paid by now. */
  countLateAccruals(now: Date): Promise<number>;
  /** Adds the terms with which a demo starts; idempotent. */
  offerDemo(proposed: readonly ProposedTerms[], now: Date): Promise<void>;
}

export type PaymentPasswords = Pick<Customers, 'hasPaymentPassword' | 'checkPaymentPassword'>;
