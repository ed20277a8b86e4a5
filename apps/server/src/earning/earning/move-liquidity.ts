import type { LiquidityRecord } from '@sathorn/api';
import { type Money, money } from '@sathorn/money';
import {
  accept,
  decideLiquiditySubscription,
  decideRedemption,
  decideStanding,
  type LiquidityCost,
  type LiquiditySubscriptionRefusal,
  type PlayRefusal,
  type RedemptionRefusal,
  type RedemptionSpeed,
  refuse,
  type StandingRefusal,
} from '@sathorn/settlement';
import { customerAccount, type LoadedBatch, type LoadedKind } from '../../ledger/index.ts';
import type { Transaction } from '../../platform/database/index.ts';
import {
  moveLiquidity,
  type NewLiquidityMovement,
  readLiquidityCost,
  readTermsCatalogue,
  sumQuickRedemptions,
} from './earning-store.ts';
import type { TermsCatalogue } from './earning-terms.ts';
import { lockNamedStandings, type NamedStanding, type Standings } from './named-standing.ts';
import { movementRecordOf } from './records.ts';
import { type OfferingSwitch, quoteNameOf } from './subscribe-lockup.ts';
import { YIELD_ACCOUNT } from './yield-fund.ts';

interface MoveCommand {
  readonly customer: bigint;
  readonly amount: Money<'USDT'>;
  /** Terms and day of a quote; null accepts the current ones. */
  readonly quote: string | null;
}
interface SubscriptionCommand extends MoveCommand {
  /** The standing order in whose name it is made; null for a customer’s own. */
  readonly standing: NamedStanding | null;
}
export interface RedemptionCommand extends MoveCommand {
  readonly speed: RedemptionSpeed;
}

interface Moment {
  readonly day: number;
  readonly now: Date;
  readonly catalogue: TermsCatalogue;
  /** Movements that this batch accepts, by intent id. */
  readonly moves: Map<string, Omit<NewLiquidityMovement, 'hold'>>;
}
interface SubscriptionContext extends Moment {
  readonly standings: Standings;
  /** Includes the subscriptions that this batch accepts. */
  cost: LiquidityCost;
}
interface RedemptionContext extends Moment {
  /** The sum of today's quick redemptions, including this batch. */
  quick: Money<'USDT'>;
}

export const liquidityAccount = (customer: bigint) => customerAccount(customer, 'USDT', 'liquidity');

const writeMoves = (
  transaction: Transaction,
  { accepted, context: { day, now, moves } }: LoadedBatch<MoveCommand, Moment, unknown>,
): Promise<unknown>[] => {
  if (accepted.length === 0) return [];
  const rows = accepted.map(({ intent, sequences }): NewLiquidityMovement => {
    const move = moves.get(intent.id);
    if (move === undefined) throw new Error('a movement was lost');
    return { ...move, hold: move.kind === 'normal' ? (sequences[0] ?? null) : null };
  });
  return [moveLiquidity(transaction, day, now, rows)];
};

export function subscribeLiquidityKind({
  isOffering,
  days,
  lockStanding,
}: OfferingSwitch): LoadedKind<
  SubscriptionCommand,
  SubscriptionContext,
  LiquidityRecord,
  LiquiditySubscriptionRefusal | PlayRefusal | StandingRefusal | 'account_frozen' | 'product_unknown' | 'quote_outdated'
> {
  return {
    name: 'earning.subscribe',
    customer: ({ customer }) => customer,
    play: () => ({ stake: 0n }),
    accounts: ({ customer }) => [customerAccount(customer, 'USDT'), YIELD_ACCOUNT],

    async load(transaction, commands, turn) {
      const [standings, catalogue, cost, { now }] = await Promise.all([
        lockNamedStandings(lockStanding, transaction, commands),
        readTermsCatalogue(transaction),
        readLiquidityCost(transaction),
        turn,
      ]);
      return { day: days.dayOf(now), now, standings, catalogue, cost, moves: new Map() };
    },

    decide({ customer, amount, quote, standing }, funds, { context, intent }) {
      const { day, now, standings, catalogue, cost } = context;
      const terms = catalogue.liquidityOn(day);
      if (terms === undefined) return refuse('product_unknown');
      if (quote !== null && quote !== quoteNameOf(terms.version, day)) return refuse('quote_outdated');
      if (standing !== null) {
        const { bounds, source } = standings.get(standing.source) ?? {};
        const covered = decideStanding({ customer, product: null, amount, day, now, dailyRate: null }, bounds, source);
        if (!covered.ok) return covered;
      }
      const named = { standing: standing?.instruction ?? null, source: standing?.source ?? null };
      const spot = customerAccount(customer, 'USDT');
      const decision = decideLiquiditySubscription({
        amount,
        isOffered: isOffering() && terms.isOffered,
        min: terms.min,
        available: money('USDT', funds.available(spot)),
        stages: terms.stages,
        fund: funds.available(YIELD_ACCOUNT),
        cost,
      });
      if (!decision.ok) return decision;
      context.cost = decision.effect;
      context.moves.set(intent.id, { id: intent.id, customer, kind: 'subscription', amount, ...named });
      return accept({
        transfers: [
          {
            kind: 'single',
            debit: spot,
            credit: liquidityAccount(customer),
            units: amount.units,
            code: 'liquidity_subscribed',
          },
        ],
        answer: movementRecordOf({
          id: intent.id,
          kind: 'subscription',
          amount,
          day,
          at: now,
          issued_at: null,
          ...named,
        }),
      });
    },

    write: writeMoves,
  };
}

/**
 * A quick redemption is paid at once; a normal one is held and issued after the day. The cap is checked under the
 * ledger's lock, and a constraint on the day's row also enforces it.
 */
export function redeemLiquidityKind({
  days,
}: Pick<OfferingSwitch, 'days'>): LoadedKind<
  RedemptionCommand,
  RedemptionContext,
  LiquidityRecord,
  RedemptionRefusal | 'account_frozen' | 'quote_outdated'
> {
  return {
    name: 'earning.redeem',
    customer: ({ customer }) => customer,
    accounts: ({ customer }) => [liquidityAccount(customer), customerAccount(customer, 'USDT')],

    async load(transaction, _commands, turn) {
      const [catalogue, { now }] = await Promise.all([readTermsCatalogue(transaction), turn]);
      const day = days.dayOf(now);
      return { day, now, catalogue, quick: await sumQuickRedemptions(transaction, day), moves: new Map() };
    },

    decide({ customer, amount, speed, quote }, funds, { context, intent }) {
      const { day, now, catalogue } = context;
      const version = catalogue.liquidityOn(day)?.version ?? 0;
      if (quote !== null && quote !== quoteNameOf(version, day)) return refuse('quote_outdated');
      const from = liquidityAccount(customer);
      const decision = decideRedemption({
        amount,
        speed,
        redeemable: money('USDT', funds.available(from)),
        quick: context.quick,
      });
      if (!decision.ok) return decision;
      context.quick = decision.effect;
      const named = { standing: null, source: null };
      context.moves.set(intent.id, { id: intent.id, customer, kind: speed, amount, ...named });
      return accept({
        transfers: [
          {
            kind: speed === 'quick' ? 'single' : 'hold',
            debit: from,
            credit: customerAccount(customer, 'USDT'),
            units: amount.units,
            code: 'liquidity_redeemed',
          },
        ],
        answer: movementRecordOf({ id: intent.id, kind: speed, amount, day, at: now, issued_at: null, ...named }),
      });
    },

    write: writeMoves,
  };
}
