import { randomUUID } from 'node:crypto';
import type { OptionReceipt } from '@sathorn/api';
import { COIN_CODES, COINS, type CoinCode, formatMoney, formatPrice, subtract } from '@sathorn/money';
import { accountSeal } from '@sathorn/proof';
import {
  accept,
  endTickOf,
  type OptionTick,
  optionBidOf,
  optionEndMs,
  refuse,
  type StepTick,
  saleUntilMs,
  settleOption,
  startTickOf,
} from '@sathorn/settlement';
import { CommandFault } from '../../platform/bus/index.ts';
import { statement } from '../../platform/database/index.ts';
import { customerTopic } from '../../platform/edge/topic-source.ts';
import type { Module } from '../../platform/module.ts';
import { ForgedTickError } from '../market/index.ts';
import { buildReceipt } from './build-receipt.ts';
import { optionCalls } from './calls.ts';
import { readCoinFigures, readNetResultSums, readOptionFigures, readWaitFigures } from './option-figures.ts';
import { durationTermsOf, OptionOffers, type StoredOffers } from './option-offers.ts';
import { optionOrderOf, saleTermsOf } from './option-order.ts';
import {
  countUnsettledOrders,
  insertOptionDispute,
  listOptionOrders,
  listWins,
  type OptionCursor,
  type OptionDisputeRow,
  type OptionRow,
  readExposures,
  readOpenOptionDispute,
  readOptionOffers,
  readOptionOrder,
  readSaleTerms,
  readTickWatermark,
  sumOptionTotals,
} from './option-store.ts';
import type { OptionEvidence, Options, OptionsDependencies } from './options.ts';
import { type PurchaseMemory, purchaseKind } from './purchase.ts';
import { saleKind } from './sale-kind.ts';
import { DEMO_SALE_TERMS, insertSaleTerms } from './sale-offer-kind.ts';
import { readBid, readSale } from './sell-option.ts';
import { openSettler, optionTermsOf } from './settle-options.ts';
import { orderSaltOf, proveTerms } from './sign-terms.ts';
import { VOID_KIND } from './void-kind.ts';

const PAGE_MAX = 20;
const WINS_MAX = 50;
/** How many wins are read before they are filtered by consent. */
const WINS_READ_MAX = 500;
const WINS_DAYS = 3;
const DISPUTE_DAYS = 7;
/** Ticks this long before the start and after the end are shown too, because a customer may have seen another price. */
const AROUND_MS = 5_000;
const CLOSE_DISPUTE = statement('options.close_dispute', 'SELECT options.close_dispute($1, $2, $3)');
const LOCK_SALE_TERMS = statement(
  'options.lock_sale_terms',
  "SELECT pg_advisory_xact_lock(hashtextextended('options.sale_terms', 0))",
);
const DAY_MS = 86_400_000;
/** How old a copy of the offers may be. Changes are written at least this long before they take effect. */
const OFFERS_AGE_MAX_MS = 10_000;
/** Longer than the next tick after the end and one pass of the settler together. */
const SETTLED_WITHIN_MS = 15_000;

interface ReadOption {
  readonly row: OptionRow;
  readonly receipt: OptionReceipt;
}

/** Reads the offers first, so that `optionTerms` works from the start. */
export async function openOptions(dependencies: OptionsDependencies): Promise<Module<Options>> {
  const { database, ledger, clock, timeZone, isSelling } = dependencies;
  const memory: PurchaseMemory = { remembered: null };
  const purchase = purchaseKind(dependencies, memory);
  const sale = saleKind(dependencies.market, memory);
  const settler = openSettler({
    ...dependencies,
    readTickWatermark: dependencies.readTickWatermark ?? (() => readTickWatermark(database)),
  });

  let isStopping = false;
  const readOffers = async (): Promise<StoredOffers> => ({
    rows: await readOptionOffers(database),
    sales: await readSaleTerms(database),
  });
  let offerRows = await readOffers();
  let offersReadMs = clock.now().getTime();
  const refreshOffers = async (): Promise<void> => {
    offersReadMs = clock.now().getTime();
    offerRows = await readOffers();
  };

  const readOnce = async (id: string, customer: bigint): Promise<ReadOption | undefined> => {
    const row = await readOptionOrder(database, id, customer);
    return row && { row, receipt: await buildReceipt(row, dependencies) };
  };

  /** Reads the order and its receipt in one consistent state. */
  const readWithReceipt = async (id: string, customer: bigint): Promise<ReadOption | undefined> => {
    const read = isOrderId(id) ? await readOnce(id, customer) : undefined;
    const isTorn = read?.row.status === 'holding' && read.receipt.transfers.some(({ resolves }) => resolves !== null);
    // Reads once more, because the order was settled while its receipt was built; that happens only once.
    return isTorn ? readOnce(id, customer) : read;
  };

  /**
   * Notifies the customer that the dispute was opened. The notice has the dispute's id, so a repeated request sends a
   * lost notice again, and never a second one.
   */
  const notifyDispute = (
    customer: bigint,
    order: string,
    { id, deadline }: OptionDisputeRow,
    now: Date,
  ): Promise<void> =>
    dependencies.messages
      .send(customer, 'dispute_opened', { order, deadline_at: deadline.toISOString() }, now, id)
      .catch(dependencies.onFault);

  /** Shows the cached offers until newer ones are loaded. A purchase itself reads the offers in force. */
  const offersNow = (): OptionOffers => {
    const now = clock.now();
    if (now.getTime() - offersReadMs > OFFERS_AGE_MAX_MS)
      refreshOffers().catch((error: unknown) => dependencies.onFault(error));
    return new OptionOffers(offerRows, now);
  };

  const api: Options = {
    ...settler,

    async exposures() {
      const rows = await readExposures(database, COIN_CODES);
      const sum = (coin: CoinCode, direction: 'up' | 'down'): bigint =>
        rows
          .filter((row) => row.coin === coin && row.direction === direction)
          .reduce((units, { promised }) => units + promised.units, 0n);
      return COIN_CODES.map((code) => ({
        code,
        up: sum(code, 'up'),
        down: sum(code, 'down'),
        limit: offerRows.rows.find(({ coin }) => coin === code)?.offer.coinExposureMax.units ?? null,
      }));
    },
    countUnsettled: (now) => countUnsettledOrders(database, COIN_CODES, now.getTime() - SETTLED_WITHIN_MS),

    optionTerms(coin) {
      if (!isSelling()) return [];
      const offers = offersNow();
      return offers.ofCoin(coin).map((row) => durationTermsOf(row, offers.saleOf(coin)));
    },

    stakeMin: () => offersNow().stakeMin(),

    async buy(command, intent) {
      if (isStopping) throw new CommandFault('options: this server is stopping');
      const decision = await ledger.post(purchase, command, intent);
      if (!decision.ok) return decision;
      const { order, terms } = decision.effect;
      if (terms === null) throw new Error(`order ${order.id} has no signed terms`);
      const proof = proveTerms(terms);
      return accept({ ...order, terms: { ...proof, path: [...proof.path] } });
    },

    async sell(asked, arrivedMs, intent) {
      const command = await readSale(asked, arrivedMs, dependencies);
      const decision = await ledger.post(sale, command, intent);
      if (!decision.ok) return decision;
      const row = await readOptionOrder(database, asked.id, asked.customer);
      if (row === undefined) throw new Error(`order ${asked.id} is gone`);
      const order = optionOrderOf(row, row.is_disputed);
      dependencies.bus.emit('orders', { owner: asked.customer, data: [order] });
      return accept(order);
    },
    bid: (customer, id) => readBid(customer, id, dependencies),

    async offerDemoSales(now) {
      await database.transaction(async (transaction) => {
        // Several processes may start at once.
        await transaction.query(LOCK_SALE_TERMS);
        const sales = await readSaleTerms(transaction);
        const missing = DEMO_SALE_TERMS.filter(({ coin }) => !sales.some((row) => row.coin === coin));
        if (missing.length > 0) await insertSaleTerms(transaction, missing, now, null);
      });
      await refreshOffers();
    },

    stopSelling() {
      isStopping = true;
    },

    async read(customer, id) {
      const read = await readWithReceipt(id, customer);
      if (read === undefined) return refuse('order_unknown', { field: 'id' });
      return accept({ ...optionOrderOf(read.row, read.row.is_disputed), receipt: read.receipt });
    },

    async list(customer, { status, coin, page }) {
      const start = startOfPage(page ?? '');
      const rows = await listOptionOrders(database, customer, {
        isHolding: status === 'holding',
        coin,
        ...start,
        limit: start.skip > SKIP_MAX ? 0 : PAGE_MAX + 1,
      });
      const shown = rows.slice(0, PAGE_MAX);
      const last = shown.at(-1);
      return {
        items: shown.map((row) => optionOrderOf(row, row.is_disputed)),
        next: rows.length > PAGE_MAX && last !== undefined ? `${last.accepted_ms}.${last.id}` : null,
      };
    },

    async totals(customer, now) {
      const { staked, profit, today, ...counts } = await sumOptionTotals(database, customer, now, timeZone);
      return { ...counts, staked: formatMoney(staked), profit: formatMoney(profit), today: formatMoney(today) };
    },

    async haveVoid(customer, id, intent) {
      if (!isOrderId(id)) return refuse('order_unknown', { field: 'id' });
      const decision = await ledger.post(VOID_KIND, { customer, order: id }, intent);
      if (!decision.ok) return decision;
      const row = await readOptionOrder(database, id, customer);
      if (row === undefined) throw new Error(`order ${id} is gone`);
      return accept(optionOrderOf(row, row.is_disputed));
    },

    async dispute(customer, id, reason, now, language = 'th') {
      const read = await readWithReceipt(id, customer);
      if (read === undefined) return refuse('order_unknown', { field: 'id' });
      if (read.row.status === 'holding') return refuse('order_not_settled');
      const opened = { id: randomUUID(), deadline: new Date(now.getTime() + DISPUTE_DAYS * DAY_MS) };
      const isNew = await database.transaction(async (transaction) => {
        const dispute = { ...opened, order: id, customer, openedAt: now };
        if (!(await insertOptionDispute(transaction, { ...dispute, reason, receipt: read.receipt }))) return false;
        await dependencies.openCase?.(transaction, { ...dispute, statement: reason, language });
        return true;
      });
      // A repeated request means that the customer did not get the answer, so it gets the open dispute.
      const dispute = isNew ? opened : await readOpenOptionDispute(database, id, reason);
      if (dispute === undefined) return refuse('dispute_open');
      await notifyDispute(customer, id, dispute, now);
      return accept({ id: dispute.id, deadline: dispute.deadline.toISOString() });
    },

    figures: (sinceMs) => readOptionFigures(database, sinceMs),
    coinFigures: (sinceMs) => readCoinFigures(database, sinceMs),
    waitFigures: (sinceMs) => readWaitFigures(database, sinceMs),
    standings: (sinceMs) => readNetResultSums(database, sinceMs),

    async evidence(customer, id) {
      const read = await readWithReceipt(id, customer);
      if (read === undefined || read.row.status === 'holding') return null;
      const { row, receipt } = read;
      const terms = optionTermsOf(row);
      const [from, to] = [terms.acceptedMs, optionEndMs(terms)];
      const order = optionOrderOf(row, row.is_disputed);
      const around = await dependencies.market
        .ticksBetween(row.coin, from - AROUND_MS, to + AROUND_MS)
        .catch((error: unknown) => {
          if (!(error instanceof ForgedTickError)) throw error;
          dependencies.onFault(error);
          return null;
        });
      if (around === null) return { order, receipt, ticks: [], recomputed: null };
      const within = around.filter(({ atMs }) => atMs >= from && atMs <= to);
      const recomputed =
        row.status === 'sold'
          ? recomputeSale(row, await dependencies.market.stepTicksBetween(row.coin, from, to))
          : recomputeSettlement(row, within);
      const { indexDecimals } = COINS[row.coin];
      return {
        order,
        receipt,
        ticks: around.map(({ atMs, price, sequence }) => ({
          at: atMs,
          price: formatPrice(price, indexDecimals),
          sequence: String(sequence),
        })),
        recomputed,
      };
    },

    isSealOf: ({ order, account }, customer) =>
      accountSeal(orderSaltOf(order, dependencies.accountSalt), String(customer)) === account,

    async readBooked(customer, order, acceptedMs) {
      const row = isOrderId(order) ? await readOptionOrder(database, order, customer) : undefined;
      const isSame = row !== undefined && Number(row.accepted_ms) === acceptedMs;
      return isSame ? { status: row.status, credited: row.credited } : null;
    },

    async closeDispute(transaction, dispute, isUpheld, approval) {
      await transaction.query(CLOSE_DISPUTE, [dispute, isUpheld ? 'upheld' : 'rejected', approval]);
    },

    async recentWins(now, consenting) {
      const wins = await listWins(database, now.getTime() - WINS_DAYS * DAY_MS, WINS_READ_MAX);
      const agreed = await consenting([...new Set(wins.map(({ customer_id }) => customer_id))]);
      return wins
        .filter(({ customer_id }) => agreed.has(customer_id))
        .slice(0, WINS_MAX)
        .map(({ customer_id, coin, gain, settled_ms }) => ({
          owner: customer_id,
          coin,
          amount: formatMoney(gain),
          at: new Date(Number(settled_ms)),
        }));
    },
  };
  return {
    api,
    handlers: optionCalls(api),
    topics: [
      customerTopic(
        'orders',
        async (owner) => (await api.list(owner, { status: 'holding', coin: null, page: null })).items,
      ),
    ],
    jobs: [{ on: 'settler', run: api.run }],
  };
}

/** The outcome by the stored ticks alone. */
function recomputeSettlement(row: OptionRow, ticks: readonly OptionTick[]): OptionEvidence['recomputed'] {
  const terms = optionTermsOf(row);
  const { outcome, profit } = settleOption(terms, startTickOf(terms, ticks), endTickOf(terms, ticks));
  return { status: outcome, profit: formatMoney(profit) };
}

/** The price of a sale by the stored tick that the order names; null if there is none, or no price at it. */
function recomputeSale(row: OptionRow, ticks: readonly StepTick[]): OptionEvidence['recomputed'] {
  const [terms, sale] = [optionTermsOf(row), saleTermsOf(row)];
  const start = startTickOf(terms, ticks);
  const tick = ticks.find(({ sequence }) => sequence === row.end_sequence);
  if (sale === null || start === null || tick === undefined || tick.sequence < start.sequence) return null;
  if (tick.atMs > saleUntilMs(terms, sale)) return null;
  const bid = optionBidOf(terms, sale, start, tick);
  return bid && { status: 'sold', profit: formatMoney(subtract(bid, terms.stake)) };
}

/** True for UUIDs, which all order ids are; other ids are unknown without a query. */
function isOrderId(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}

/** The most rows that a page number may skip, because the database reads them all. `next` has no such limit. */
const SKIP_MAX = 10_000;

/** Parses the previous page's `next`, or a number from 1. */
function startOfPage(page: string): { after: OptionCursor | null; skip: number } {
  if (/^[0-9]{1,9}$/.test(page))
    return { after: null, skip: Math.min(Math.max(Number(page) - 1, 0) * PAGE_MAX, SKIP_MAX + 1) };
  const [acceptedMs = '', id = ''] = page.split('.');
  const isCursor = /^[0-9]{1,15}$/.test(acceptedMs) && isOrderId(id);
  return { after: isCursor ? { acceptedMs: BigInt(acceptedMs), id } : null, skip: 0 };
}
