import type { CoinCode } from '@sathorn/money';
import { accept, decideSale, type Sale, type SaleRefusal, type SoldOption } from '@sathorn/settlement';
import { customerAccount, type HoldRef, houseAccount, type LoadedKind, type Transfer } from '../../ledger/index.ts';
import type { OptionMarket } from '../market/index.ts';
import { Exposures } from './exposures.ts';
import { saleTermsOf } from './option-order.ts';
import { lockHoldingOptions, lowerExposure, type OptionRow, sellOptionOrders } from './option-store.ts';
import type { PurchaseMemory } from './purchase.ts';
import { optionTermsOf } from './settle-options.ts';

/** The order's terms and the ticks. They never change, so they are read before the ledger's lock. */
export interface SaleCommand extends Pick<Sale, 'price' | 'arrivedMs' | 'quoted' | 'newest'> {
  readonly customer: bigint;
  readonly id: string;
  /** The customer's order; undefined if there is none. */
  readonly order: OptionRow | undefined;
  readonly start: SoldOption['start'] | null;
}

interface SaleContext {
  /** The open orders that are locked. One that this batch has sold is taken out. */
  readonly open: Set<string>;
  /** The sales of this batch, by the id of their intent. */
  readonly sold: Map<string, SoldOption>;
  /** Times of the newest ticks. */
  readonly heads: ReadonlyMap<CoinCode, number>;
  readonly now: Date;
}

const POOL = houseAccount('options_pool', 'USDT');

/**
 * Takes an open option back: its two holds end, and the price moves between them. A loss is the part of the stake that
 * is posted, a profit the part of the promised payout. A settlement of the same order waits for the row, or has it.
 */
export function saleKind(
  market: Pick<OptionMarket, 'isStale' | 'readNewestTickMs'>,
  memory: PurchaseMemory,
): LoadedKind<SaleCommand, SaleContext, null, SaleRefusal | 'account_frozen'> {
  return {
    name: 'options.sell',
    customer: ({ customer }) => customer,
    accounts: ({ customer }) => [customerAccount(customer, 'USDT'), POOL],

    async load(transaction, commands, turn) {
      const orders = commands.flatMap(({ order }) => (order === undefined ? [] : [order]));
      const coins = [...new Set(orders.map(({ coin }) => coin))];
      // Sent at once, so that it is answered under the ledger's lock, which comes first everywhere.
      const [open, heads, { now }] = await Promise.all([
        lockHoldingOptions(
          transaction,
          orders.map(({ id }) => id),
        ),
        market.readNewestTickMs(coins, transaction),
        turn,
      ]);
      return { open, sold: new Map(), heads, now };
    },

    decide(command, _funds, { context: { open, sold, heads }, now, intent }) {
      const { order, start, price, arrivedMs, quoted, newest, customer } = command;
      const decided = decideSale({
        order: order && {
          // An order that was open when it was read, and is not among the locked ones, is being settled.
          status: open.has(order.id) ? 'holding' : order.status === 'holding' ? 'void' : order.status,
          terms: optionTermsOf(order),
          sale: saleTermsOf(order),
          start,
        },
        isIndexStale: order !== undefined && market.isStale(order.coin, now),
        arrivedMs,
        nowMs: now.getTime(),
        price,
        quoted,
        newest,
        headMs: (order && heads.get(order.coin)) ?? 0,
      });
      if (!decided.ok) return decided;
      if (order === undefined) throw new Error('sold without an order');
      open.delete(order.id);
      sold.set(intent.id, decided.effect);
      memory.remembered?.exposures.remove(order);
      const account = customerAccount(customer, 'USDT');
      const stake: HoldRef = { sequence: order.stake_hold, debit: account, credit: POOL, units: order.stake.units };
      const payout: HoldRef = {
        sequence: order.promised_hold,
        debit: POOL,
        credit: account,
        units: order.promised.units,
      };
      const profit = decided.effect.credited.units - order.stake.units;
      const ended = (hold: HoldRef, units: bigint, code: 'option_stake' | 'option_payout'): Transfer =>
        units > 0n ? { kind: 'post', hold, units, code } : { kind: 'void', hold, code };
      return accept({
        transfers: [ended(stake, -profit, 'option_stake'), ended(payout, profit, 'option_payout')],
        answer: null,
      });
    },

    write(transaction, { accepted, context: { sold, now } }) {
      if (accepted.length === 0) return [];
      const closed = new Exposures();
      const sales = accepted.map(({ command: { order }, intent }) => {
        const effect = sold.get(intent.id);
        if (order === undefined || effect === undefined) throw new Error('a sale lost its order');
        closed.add(order);
        return { order: order.id, sold: effect, journal: intent.id };
      });
      return [sellOptionOrders(transaction, sales, now), lowerExposure(transaction, closed.rows())];
    },
  };
}
