import type { OptionOrder } from '@sathorn/api';
import { type CoinCode, type Money, money } from '@sathorn/money';
import { accept, decidePurchase, type PurchaseRefusal } from '@sathorn/settlement';
import type { Queries } from '../database/index.ts';
import { type AccountKey, customerAccount, houseAccount, type JournalKind } from '../ledger/index.ts';
import { Exposures } from './exposures.ts';
import { Offers } from './offers.ts';
import type { OptionMarket } from './option-market.ts';
import { HOLDING, optionOrderOf } from './option-order.ts';
import {
  type BoughtOption,
  insertOrders,
  insertTermsTrees,
  raiseExposure,
  readExposure,
  readOffers,
  readOrders,
} from './option-store.ts';
import { placeInTrees, signTerms, type TermsSigning } from './sign-terms.ts';

export interface PurchaseCommand {
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly direction: 'up' | 'down';
  readonly stake: Money<'USDT'>;
  readonly seconds: number;
}

interface PurchaseContext {
  readonly offers: Offers;
  readonly exposures: Exposures;
  readonly frozen: ReadonlySet<bigint>;
  /** Of the ticks that are kept: this process may not have heard of the newest yet. */
  readonly newestMs: ReadonlyMap<CoinCode, number>;
  /** What this batch accepts, by the id of its intent. */
  readonly bought: Map<string, BoughtOption>;
}

export interface PurchaseDependencies extends TermsSigning {
  readonly market: OptionMarket;
  /** False where the product is switched off: nothing is offered or bought; what was bought is settled, shown and disputed as ever. */
  readonly isSelling: boolean;
  /** Which of these customers may not trade. */
  readonly readFrozen: (queries: Queries, customers: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
}

export const OPTIONS_POOL: AccountKey = houseAccount('options_pool', 'USDT');

/** A clock that is further behind the ticks is wrong, and nothing is sold by it. The database refuses such an order too. */
const BEHIND_MAX_MS = 2_000;

/**
 * Holds the stake, and what a win would cost the house, and signs the terms, all in the transaction that accepts. The moment of
 * acceptance is the clock's under the ledger's lock, but never before the newest tick: a clock that lags, or a tick that came
 * while the batch was waiting, must not make a start of a price that somebody has seen.
 */
export function purchaseKind(
  dependencies: PurchaseDependencies,
): JournalKind<PurchaseCommand, PurchaseContext, OptionOrder, PurchaseRefusal> {
  const { market, isSelling, readFrozen } = dependencies;

  return {
    name: 'options.purchase',

    accounts: ({ customer }) => [customerAccount(customer, 'USDT'), OPTIONS_POOL],

    async load(transaction, commands, turn) {
      const coins = [...new Set(commands.map(({ coin }) => coin))];
      const customers = [...new Set(commands.map(({ customer }) => customer))];
      const [offers, exposures, frozen, newestMs, now] = await Promise.all([
        readOffers(transaction),
        readExposure(transaction, coins),
        readFrozen(transaction, customers),
        market.readNewestTickMs(coins, transaction),
        turn,
      ]);
      return {
        offers: new Offers(offers, now),
        exposures: new Exposures(exposures),
        frozen,
        newestMs,
        bought: new Map(),
      };
    },

    decide(command, funds, { offers, exposures, frozen, newestMs: kept, bought }, now, intent) {
      const { customer, coin, direction, stake, seconds } = command;
      const account = customerAccount(customer, 'USDT');
      const row = offers.of(coin, seconds);
      const newestMs = Math.max(kept.get(coin) ?? 0, market.newestTickMs(coin) ?? 0);
      const accepted_ms = BigInt(Math.max(now.getTime(), newestMs));
      const ends_ms = accepted_ms + BigInt(seconds) * 1_000n;
      const decision = decidePurchase({
        stake,
        // Asked here, not before: a purchase of earlier that is sent again still gets its first answer.
        isCoinOffered: isSelling && offers.isOpen(coin),
        offer: row?.offer,
        isFrozen: frozen.has(customer),
        isIndexStale: market.isStale(coin, now) || newestMs - now.getTime() > BEHIND_MAX_MS,
        available: money('USDT', funds.available(account)),
        poolAvailable: money('USDT', funds.available(OPTIONS_POOL)),
        windowExposure: money('USDT', exposures.ofWindow({ coin, direction, ends_ms })),
        coinExposure: money('USDT', exposures.ofCoin(coin)),
      });
      if (!decision.ok) return decision;
      if (row === undefined) throw new Error('accepted without an offer');

      const order: BoughtOption = {
        id: intent.id,
        customer_id: customer,
        coin,
        direction,
        stake: stake.units,
        payout_bps: row.payoutBasisPoints,
        fee_bps: row.feeBasisPoints,
        promised: decision.effect.profit.units,
        accepted_ms,
        duration_ms: seconds * 1_000,
        ends_ms,
        origin: market.origin,
      };
      bought.set(intent.id, order);
      exposures.add(order);
      return accept({
        transfers: [
          { kind: 'hold', debit: account, credit: OPTIONS_POOL, units: order.stake, code: 'option_stake' },
          { kind: 'hold', debit: OPTIONS_POOL, credit: account, units: order.promised, code: 'option_payout' },
        ],
        answer: optionOrderOf({ ...order, ...HOLDING }, false),
      });
    },

    memory: {
      keep: () => null,
      // An order is named as its journal is, and was holding when it was bought.
      async recall(queries, kept) {
        const orders = await readOrders(queries, [...kept.keys()]);
        if (orders.length !== kept.size) throw new Error('a journal names an order that is not there');
        return new Map(orders.map((order) => [order.id, optionOrderOf({ ...order, ...HOLDING }, false)]));
      },
    },

    write(transaction, accepted, { bought }) {
      const orders = accepted.map(({ intent, sequences }) => {
        const order = bought.get(intent.id);
        const [stake_hold, promised_hold] = sequences;
        if (order === undefined || stake_hold === undefined || promised_hold === undefined)
          throw new Error('an order lost its holds');
        return { ...order, stake_hold, promised_hold };
      });
      const trees = signTerms(orders, dependencies);
      const rows = orders.map((order, n) => ({ ...order, ...placeInTrees(trees, n) }));
      const added = new Exposures();
      for (const order of orders) added.add(order);
      return [
        insertTermsTrees(transaction, trees),
        insertOrders(transaction, rows),
        raiseExposure(transaction, added.rows()),
      ];
    },
  };
}
