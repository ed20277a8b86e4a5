import type { OptionOrder } from '@sathorn/api';
import { type CoinCode, type Money, money } from '@sathorn/money';
import { ACCEPTED_AFTER_MS, accept, decidePurchase, type PlayRefusal, type PurchaseRefusal } from '@sathorn/settlement';
import { type AccountKey, customerAccount, type HotKind, houseAccount } from '../../ledger/index.ts';
import type { OptionMarket } from '../market/index.ts';
import { Exposures } from './exposures.ts';
import { OptionOffers, type StoredOffers } from './option-offers.ts';
import { HOLDING_RESULT, optionOrderOf } from './option-order.ts';
import {
  insertOptionOrders,
  insertTermsTree,
  raiseExposure,
  readExposures,
  readOptionOffers,
  readOptionOrders,
  readSaleTerms,
  readTermsTrees,
  refuseOvertakenPurchases,
} from './option-store.ts';
import {
  type PurchasedOption,
  rebuildSignedTree,
  signTerms,
  type TermsPosition,
  type TermsSigning,
  termsPlaceOf,
} from './sign-terms.ts';

export interface PurchaseCommand {
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly direction: 'up' | 'down';
  readonly stake: Money<'USDT'>;
  readonly seconds: number;
  /** When the request reached the server; if absent, when the batch is decided. */
  readonly arrivedMs?: number;
  /** A random value that the customer's app made for this order; absent from older apps. */
  readonly nonce?: string;
  /** The latest acceptance that the customer allows, in ms; null or absent if any. */
  readonly latestMs?: number | null;
}

/** The order as bought. Its place among the signed terms is set when the batch is written, before any answer. */
export interface AcceptedPurchase {
  readonly order: OptionOrder;
  terms: TermsPosition | null;
}

interface PurchaseContext {
  readonly offers: OptionOffers;
  readonly exposures: Exposures;
  /** The acceptance time per coin, in ms. */
  readonly acceptedMs: ReadonlyMap<CoinCode, number>;
  /** Orders that this batch accepts, by intent id. */
  readonly bought: Map<string, PurchasedOption>;
  /**
   * The number of offers that a speculative batch assumes. It also assumes that no tick is newer. Null if the offers
   * were read.
   */
  readonly speculatedOffers: number | null;
}

/** Data kept from the previous batch. Exposures change only with postings, so they stay valid while the epoch lasts. */
interface Remembered {
  readonly epoch: number;
  readonly offers: StoredOffers;
  readonly exposures: Exposures;
}

/** The open orders that purchases remember. A sale removes its order. */
export interface PurchaseMemory {
  remembered: Remembered | null;
}

export interface PurchaseDependencies extends TermsSigning {
  readonly market: OptionMarket;
  /**
   * False if the product is switched off: nothing is offered or sold, but existing orders are settled, shown and can be
   * disputed.
   */
  readonly isSelling: () => boolean;
}

const OPTIONS_POOL_ACCOUNT: AccountKey = houseAccount('options_pool', 'USDT');

/** A clock that is further behind the ticks is wrong, and sells no option. The database refuses such an order too. */
const BEHIND_MAX_MS = 2_000;

const coinsOf = (commands: readonly PurchaseCommand[]): CoinCode[] => [...new Set(commands.map(({ coin }) => coin))];

/**
 * Holds the stake and the possible profit, and signs the terms, all in the accepting transaction. An order is accepted
 * one second after the clock's time and one second after the newest tick stored when the ledger's lock is held. So
 * neither a slow clock nor a tick that came while the batch waited can make an already visible price the start price.
 */
export function purchaseKind(
  dependencies: PurchaseDependencies,
  memory: PurchaseMemory,
): HotKind<PurchaseCommand, PurchaseContext, AcceptedPurchase, PurchaseRefusal | PlayRefusal | 'account_frozen'> {
  const { market, isSelling } = dependencies;

  /** The acceptance time per coin: a little after the clock's time, or after the newest tick if that is later. */
  const acceptanceOf = (
    coins: readonly CoinCode[],
    now: Date,
    kept: ReadonlyMap<CoinCode, number>,
  ): Map<CoinCode, number> =>
    new Map(
      coins.map(
        (coin) =>
          [
            coin,
            Math.max(now.getTime(), kept.get(coin) ?? 0, market.newestTickMs(coin) ?? 0) + ACCEPTED_AFTER_MS,
          ] as const,
      ),
    );

  return {
    name: 'options.purchase',

    customer: ({ customer }) => customer,
    play: ({ stake }) => ({ stake: stake.units }),

    accounts: ({ customer }) => [customerAccount(customer, 'USDT'), OPTIONS_POOL_ACCOUNT],

    async load(transaction, commands, turn) {
      const coins = coinsOf(commands);
      const [rows, sales, exposed, kept, { now, epoch }] = await Promise.all([
        readOptionOffers(transaction),
        readSaleTerms(transaction),
        readExposures(transaction, coins),
        // Reads the newest stored tick, because this process may not have received it yet.
        market.readNewestTickMs(coins, transaction),
        turn,
      ]);
      const offers = { rows, sales };
      const { remembered } = memory;
      const exposures = remembered?.epoch === epoch ? remembered.exposures : new Exposures();
      exposures.set(coins, exposed);
      memory.remembered = { epoch, offers, exposures };
      const acceptedMs = acceptanceOf(coins, now, kept);
      return {
        offers: new OptionOffers(offers, now),
        exposures,
        acceptedMs,
        bought: new Map(),
        speculatedOffers: null,
      };
    },

    speculate(commands, { now, epoch }) {
      const coins = coinsOf(commands);
      const { remembered } = memory;
      if (remembered?.epoch !== epoch || !coins.every((coin) => remembered?.exposures.knows(coin))) return null;
      const { offers, exposures } = remembered;
      return {
        offers: new OptionOffers(offers, now),
        exposures,
        acceptedMs: acceptanceOf(coins, now, new Map()),
        bought: new Map(),
        speculatedOffers: offers.rows.length + offers.sales.length,
      };
    },

    decide(command, funds, { context: { offers, exposures, acceptedMs, bought }, now, intent }) {
      const {
        customer,
        coin,
        direction,
        stake,
        seconds,
        arrivedMs = now.getTime(),
        nonce = '',
        latestMs = null,
      } = command;
      const account = customerAccount(customer, 'USDT');
      const row = offers.of(coin, seconds);
      const accepted = acceptedMs.get(coin);
      if (accepted === undefined) throw new Error('a purchase without a moment');
      const accepted_ms = BigInt(accepted);
      const ends_ms = accepted_ms + BigInt(seconds) * 1_000n;
      const decision = decidePurchase({
        stake,
        // This check comes so late because a repeated purchase must still get its first answer.
        isCoinOffered: isSelling() && offers.isOpen(coin),
        offer: row?.offer,
        isIndexStale: market.isStale(coin, now) || accepted - ACCEPTED_AFTER_MS - now.getTime() > BEHIND_MAX_MS,
        isAfterLatest: latestMs !== null && accepted > latestMs,
        available: money('USDT', funds.available(account)),
        poolAvailable: money('USDT', funds.available(OPTIONS_POOL_ACCOUNT)),
        windowExposure: exposures.ofWindow({ coin, direction, ends_ms }),
        coinExposure: exposures.ofCoin(coin),
      });
      if (!decision.ok) return decision;
      if (row === undefined) throw new Error('accepted without an offer');

      const order: PurchasedOption = {
        id: intent.id,
        customer_id: customer,
        coin,
        direction,
        stake,
        payout_bps: row.payoutBasisPoints,
        fee_bps: row.feeBasisPoints,
        promised: decision.effect.profit,
        accepted_ms,
        duration_ms: seconds * 1_000,
        ends_ms,
        origin: market.origin,
        ...offers.saleOf(coin),
        arrived_ms: arrivedMs,
        nonce,
        latest_ms: latestMs,
      };
      bought.set(intent.id, order);
      exposures.add(order);
      return accept({
        transfers: [
          { kind: 'hold', debit: account, credit: OPTIONS_POOL_ACCOUNT, units: stake.units, code: 'option_stake' },
          {
            kind: 'hold',
            debit: OPTIONS_POOL_ACCOUNT,
            credit: account,
            units: order.promised.units,
            code: 'option_payout',
          },
        ],
        answer: { order: optionOrderOf({ ...order, ...HOLDING_RESULT }, false), terms: null },
      });
    },

    memory: {
      keep: () => null,
      // Rebuilds the answer: the order has its journal's id and was holding; its terms are stored as signed.
      async recall(queries, kept) {
        const orders = await readOptionOrders(queries, [...kept.keys()]);
        if (orders.length !== kept.size) throw new Error('a journal names an order that is not there');
        const rows = await readTermsTrees(
          queries,
          orders.map(({ terms_tree }) => terms_tree),
        );
        const trees = new Map([...rows].map(([id, row]) => [id, rebuildSignedTree(row)]));
        return new Map(
          orders.map((order) => {
            const signed = trees.get(order.terms_tree);
            return [
              order.id,
              {
                order: optionOrderOf({ ...order, ...HOLDING_RESULT }, false),
                terms: signed === undefined ? null : { signed, index: order.terms_index },
              },
            ];
          }),
        );
      },
    },

    write(transaction, { accepted, context: { bought, speculatedOffers, acceptedMs } }) {
      const unless =
        speculatedOffers === null ? [] : [refuseOvertakenPurchases(transaction, speculatedOffers, acceptedMs)];
      if (accepted.length === 0) return unless;
      const orders = accepted.map(({ intent, sequences }) => {
        const order = bought.get(intent.id);
        const [stake_hold, promised_hold] = sequences;
        if (order === undefined || stake_hold === undefined || promised_hold === undefined)
          throw new Error('an order lost its holds');
        return { ...order, stake_hold, promised_hold };
      });
      const trees = signTerms(orders, dependencies);
      const rows = orders.map((order, n) => {
        const place = termsPlaceOf(trees, n);
        const answer = accepted[n]?.answer;
        if (answer !== undefined) answer.terms = place;
        const waited_ms = Number(order.accepted_ms) - order.arrived_ms;
        return { ...order, terms_tree: place.signed.id, terms_index: place.index, waited_ms };
      });
      const added = new Exposures();
      for (const order of orders) added.add(order);
      return [
        ...unless,
        ...trees.map((tree) => insertTermsTree(transaction, tree)),
        insertOptionOrders(transaction, rows),
        raiseExposure(transaction, added.rows()),
      ];
    },
  };
}
