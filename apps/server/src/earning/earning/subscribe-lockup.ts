import type { LockupOrder } from '@sathorn/api';
import { type Money, money, zero } from '@sathorn/money';
import {
  accept,
  decideLockup,
  decideStanding,
  type LiquidityCost,
  type LockupLimits,
  type LockupRefusal,
  type LockupTerms,
  lockupDaysOf,
  type PlayRefusal,
  refuse,
  type Stage,
  type StandingRefusal,
  yieldFundOf,
} from '@sathorn/settlement';
import { customerAccount, type LoadedKind, type Transfer } from '../../ledger/index.ts';
import type { LocalDays } from '../../platform/local-day.ts';
import {
  insertLockups,
  type LockupRow,
  readLiquidityCost,
  readPrincipalByProduct,
  readPrincipalOfCustomers,
  readTermsCatalogue,
} from './earning-store.ts';
import type { LockupTermsVersion, TermsCatalogue } from './earning-terms.ts';
import { type LockStanding, lockNamedStandings, type NamedStanding, type Standings } from './named-standing.ts';
import { lockupOrderOf } from './records.ts';
import { YIELD_ACCOUNT, YIELD_RESERVED_ACCOUNT } from './yield-fund.ts';

interface LockupCommand {
  readonly customer: bigint;
  readonly product: number;
  readonly amount: Money<'USDT'>;
  /** The terms and the day that were shown, as `version.day`; null accepts the current ones. */
  readonly quote: string | null;
  /** The standing order in whose name it is made; null for a customer’s own. */
  readonly standing: NamedStanding | null;
}

interface LockupContext {
  readonly standings: Standings;
  readonly catalogue: TermsCatalogue;
  readonly cost: LiquidityCost;
  /** Principal in open orders by product, and by `customer/product`. Includes the orders that this batch accepts. */
  readonly taken: Map<number, Money<'USDT'>>;
  readonly takenBy: Map<string, Money<'USDT'>>;
  readonly subscribed: Map<string, LockupRow>;
}

type SubscribeLockupRefusal =
  | LockupRefusal
  | PlayRefusal
  | StandingRefusal
  | 'account_frozen'
  | 'product_unknown'
  | 'quote_outdated';

export const quoteNameOf = (version: number, day: number): string => `${version}.${day}`;

export const lockupLimitsOf = (
  { max, quota }: LockupTermsVersion,
  taken = zero('USDT'),
  takenBy = zero('USDT'),
): LockupLimits => ({ max, quota, taken, takenBy });

export const lockupTermsOf = ({ product, dailyRate }: LockupTermsVersion): Omit<LockupTerms, 'principal'> => ({
  dailyRate,
  days: product,
});

export interface OfferingSwitch {
  /** False if the product is not sold. Existing orders continue. */
  readonly isOffering: () => boolean;
  readonly days: LocalDays;
  readonly lockStanding?: LockStanding | undefined;
}

/** Moves the principal, reserves the whole yield and writes the order in one transaction. */
export function subscribeLockupKind({
  isOffering,
  days,
  lockStanding,
}: OfferingSwitch): LoadedKind<LockupCommand, LockupContext, LockupOrder, SubscribeLockupRefusal> {
  return {
    name: 'earning.lockup',
    customer: ({ customer }) => customer,
    play: () => ({ stake: 0n }),
    accounts: ({ customer }) => [customerAccount(customer, 'USDT'), YIELD_ACCOUNT],

    async load(transaction, commands) {
      const [standings, catalogue, cost, taken, takenBy] = await Promise.all([
        lockNamedStandings(lockStanding, transaction, commands),
        readTermsCatalogue(transaction),
        readLiquidityCost(transaction),
        readPrincipalByProduct(transaction),
        readPrincipalOfCustomers(
          transaction,
          commands.map(({ customer }) => customer),
        ),
      ]);
      return { standings, catalogue, cost, taken, takenBy, subscribed: new Map() };
    },

    decide({ customer, product, amount, quote, standing }, funds, { context, now, intent }) {
      const { standings, catalogue, cost, taken, takenBy, subscribed } = context;
      const day = days.dayOf(now);
      const terms = catalogue.lockupOn(product, day);
      if (terms === undefined) return refuse('product_unknown', { field: 'product' });
      if (quote !== null && quote !== quoteNameOf(terms.version, day)) return refuse('quote_outdated');
      if (standing !== null) {
        const { bounds, source } = standings.get(standing.source) ?? {};
        const order = { customer, product, amount, day, now, dailyRate: terms.dailyRate };
        const covered = decideStanding(order, bounds, source);
        if (!covered.ok) return covered;
      }
      const spot = customerAccount(customer, 'USDT');
      const key = `${customer}/${product}`;
      const stages: readonly Stage[] = catalogue.liquidityOn(day)?.stages ?? [];
      const decision = decideLockup({
        amount,
        isOffered: isOffering() && terms.isOffered,
        min: terms.min,
        available: money('USDT', funds.available(spot)),
        fund: yieldFundOf(funds.available(YIELD_ACCOUNT), cost, stages),
        terms: lockupTermsOf(terms),
        limits: lockupLimitsOf(terms, taken.get(product), takenBy.get(key)),
      });
      if (!decision.ok) return decision;

      const { promised } = decision.effect;
      const { start, end } = lockupDaysOf(day, product);
      const row: LockupRow = {
        id: intent.id,
        customer_id: customer,
        product,
        version: terms.version,
        principal: amount,
        daily_rate: terms.dailyRate,
        days: product,
        yield: promised,
        start_day: start,
        end_day: end,
        subscribed_at: now,
        standing: standing?.instruction ?? null,
        source: standing?.source ?? null,
      };
      subscribed.set(intent.id, row);
      taken.set(product, decision.effect.taken);
      takenBy.set(key, decision.effect.takenBy);
      const transfers: Transfer[] = [
        {
          kind: 'single',
          debit: spot,
          credit: customerAccount(customer, 'USDT', 'lockup'),
          units: amount.units,
          code: 'lockup_subscribed',
        },
      ];
      if (promised.units > 0n)
        transfers.push({
          kind: 'single',
          debit: YIELD_ACCOUNT,
          credit: YIELD_RESERVED_ACCOUNT,
          units: promised.units,
          code: 'yield_reserved',
        });
      return accept({
        transfers,
        answer: lockupOrderOf({ ...row, matured_at: null, is_renewal: standing?.kind === 'renewal' }, 0),
      });
    },

    write(transaction, { accepted, context: { subscribed } }) {
      const rows = accepted.map(({ intent }) => subscribed.get(intent.id)).filter((row) => row !== undefined);
      if (rows.length !== accepted.length) throw new Error('a subscription lost its order');
      return rows.length === 0 ? [] : insertLockups(transaction, rows);
    },
  };
}
