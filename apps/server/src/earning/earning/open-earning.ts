import type { IncomeReceipt, LiquidityProduct, LockupOrder } from '@sathorn/api';
import { add, formatMoney, formatRate, isMore, type Money, money, subtract } from '@sathorn/money';
import {
  accept,
  blendedRate,
  covers,
  type Decision,
  decideLiquiditySubscription,
  decideLockup,
  decideRedemption,
  liquidityIncome,
  lockupDays,
  lockupEarned,
  lockupYield,
  mostDaily,
  QUICK_REDEMPTION_MAX,
  quotaLeft,
  redeemable,
  redeemed,
  refuse,
  subscribed,
  yieldFundOf,
} from '@sathorn/settlement';
import { HOUSE } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { CREDITED_MINUTES, dateText, dayOfText, localDays } from '../../platform/local-day.ts';
import type { Module } from '../../platform/module.ts';
import { openAccruals } from './accrue.ts';
import { earningCalls } from './calls.ts';
import type { Earning, EarningDependencies } from './earning.ts';
import {
  type IncomeRow,
  insertVersion,
  type KeptLockup,
  listLockups,
  listMovements,
  readCatalogue,
  readDaysPaid,
  readIncomes,
  readLiquidityCost,
  readLockup,
  readMaturedYield,
  readMoved,
  readMovement,
  readNewestAccruals,
  readOpenLockups,
  readPendingOf,
  readPrincipalByProduct,
  readPrincipalOfCustomers,
  readQuicklyRedeemed,
} from './earning-store.ts';
import { redeemLiquidityKind, subscribeLiquidityKind } from './move-liquidity.ts';
import { liquidityOffer, lockupOffer, upcomingOf } from './offer-kinds.ts';
import { readEarningRulesHandler } from './read-earning-rules.ts';
import { incomeOfDay, incomeRecord, latestArrival, lockupOrderOf, movementRecord } from './records.ts';
import { redeemLiquidityHandler } from './redeem-liquidity.ts';
import { type LiquidityStanding, readStanding } from './standing.ts';
import { limitsOf, quoteNameOf, subscribeLockupKind, termsOf } from './subscribe-lockup.ts';
import {
  type Catalogue,
  isLiquidity,
  LIQUIDITY,
  type LiquidityTerms,
  LOCKUPS,
  type LockupTermsVersion,
  type Terms,
} from './terms.ts';
import { availableOf, fundOnWire, usdtText } from './yield-fund.ts';

const PAGE_MAX = 20;
const INCOME_DAYS = 30;
/** Days per page of interest. Days without income are skipped, up to a year per call. */
const INTEREST_PAGE_DAYS = 30;
const INTEREST_LOOKS_MAX = 12;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Income is credited half an hour after midnight; two hours later all of it should be paid. */
const PAID_WITHIN_MS = 150 * 60_000;

const usdt = (units: bigint): Money<'USDT'> => money('USDT', units);

export function openEarning(dependencies: EarningDependencies): Module<Earning> {
  const { database, ledger, timeZone, isOffering, rules } = dependencies;
  const reads = dependencies.reads ?? database;
  const days = localDays(timeZone);
  const gate = { isOffering, days };
  const [subscribeLockup, subscribeLiquidity, redeemLiquidity] = [
    subscribeLockupKind(gate),
    subscribeLiquidityKind(gate),
    redeemLiquidityKind(gate),
  ];
  const accrual = openAccruals({ ...dependencies, days });

  const creditedAt = (day: number): string => days.momentOf(day + 1, CREDITED_MINUTES).toISOString();

  const readFund = async (queries: Queries, catalogue: Catalogue, day: number) => {
    const [cost, house] = await Promise.all([readLiquidityCost(queries), ledger.balances(HOUSE)]);
    const fund = yieldFundOf(availableOf(house, 'yield').units, cost, catalogue.liquidityOn(day)?.stages ?? []);
    return { fund, cost, onWire: fundOnWire(fund, availableOf(house, 'yield_reserved'), cost) };
  };

  const commonTerms = ({ version, effectiveDay, isOffered, min }: Terms) => ({
    version,
    effective_from: dateText(effectiveDay),
    offered: isOffered,
    min: formatMoney(min),
  });
  const liquidityTerms = (terms: LiquidityTerms) => ({
    ...commonTerms(terms),
    stages: terms.stages.map(({ from, rate }) => ({ from: usdtText(from), rate: formatRate(rate) })),
  });
  const lockupTerms = (terms: LockupTermsVersion) => ({
    ...commonTerms(terms),
    daily_rate: formatRate(terms.dailyRate),
    max: formatMoney(terms.max),
    quota: formatMoney(terms.quota),
  });

  const { scheduled = () => [], passwords } = dependencies;
  const upcoming = (catalogue: Catalogue, product: number, day: number): Terms[] => [
    ...catalogue.upcoming(product, day),
    ...upcomingOf(scheduled(), product, days),
  ];

  const products: Earning['products'] = async (now) => {
    const day = days.dayOf(now);
    const catalogue = await readCatalogue(reads);
    const [{ fund, onWire }, taken] = await Promise.all([
      readFund(reads, catalogue, day),
      readPrincipalByProduct(reads),
    ]);
    const stateOf = (terms: Terms, isSoldOut: boolean, isCovered: boolean): LiquidityProduct['state'] => {
      if (!isOffering()) return 'no_licence';
      if (!terms.isOffered) return 'closed';
      if (isSoldOut) return 'sold_out';
      return isCovered ? 'open' : 'uncovered';
    };
    const liquidity = catalogue.liquidityOn(day);
    const regular = LOCKUPS.flatMap((product) => {
      const terms = catalogue.lockupOn(product, day);
      if (terms === undefined) return [];
      const left = quotaLeft(limitsOf(terms, taken.get(product)));
      const least = lockupYield({ ...termsOf(terms), principal: terms.min.units });
      return {
        id: String(product),
        name: String(product),
        days: product,
        state: stateOf(terms, isMore(terms.min, left), covers(fund, least, 0n)),
        quota_left: formatMoney(left),
        ...lockupTerms(terms),
        upcoming: upcoming(catalogue, product, day).flatMap((next) => (isLiquidity(next) ? [] : lockupTerms(next))),
      };
    });
    return {
      liquidity: {
        type: 'liquidity',
        fund: onWire,
        ...(liquidity === undefined
          ? {
              state: isOffering() ? ('closed' as const) : ('no_licence' as const),
              version: 0,
              effective_from: dateText(day),
              offered: false,
              min: usdtText(0n),
              stages: [],
            }
          : {
              state: stateOf(liquidity, false, covers(fund, 0n, mostDaily(liquidity.min.units, liquidity.stages))),
              ...liquidityTerms(liquidity),
            }),
        upcoming: upcoming(catalogue, LIQUIDITY, day).flatMap((next) =>
          isLiquidity(next) ? liquidityTerms(next) : [],
        ),
      },
      regular: { type: 'regular', fund: onWire, products: regular },
    };
  };

  const liquidityBalance = async (customer: bigint, now: Date) => {
    const today = days.dayOf(now);
    const catalogue = await readCatalogue(database);
    const [standing, incomes, pending, moved, quick, balances] = await Promise.all([
      readStanding(database, catalogue, customer, today),
      readIncomes(database, LIQUIDITY, customer, today - INCOME_DAYS, today - 1),
      readPendingOf(database, customer),
      readMoved(database, customer, today),
      readQuicklyRedeemed(database, today),
      ledger.balances(customer),
    ]);
    const byDay = new Map(incomes.map((income) => [income.day, income]));
    const balance = redeemable(standing.position);
    const yesterday = byDay.get(today - 1);
    return {
      type: 'liquidity' as const,
      balance: usdtText(balance),
      earning: usdtText(standing.position.earning),
      pending: usdtText(balances.find(({ account }) => account.name === 'liquidity')?.held ?? 0n),
      available: formatMoney(availableOf(balances, 'spot')),
      rate: formatRate(blendedRate(balance, catalogue.liquidityOn(today)?.stages ?? [])),
      cumulative: usdtText(standing.total - standing.waiting),
      yesterday: usdtText(yesterday?.isPaid ? yesterday.units : 0n),
      today: dateText(today),
      today_in: formatMoney(moved.subscribed),
      today_out: formatMoney(moved.redeemed),
      quick_left: formatMoney(subtract(QUICK_REDEMPTION_MAX, quick)),
      quick_cap: formatMoney(QUICK_REDEMPTION_MAX),
      days: Array.from({ length: INCOME_DAYS }, (_, n) => {
        const day = today - INCOME_DAYS + n;
        const income = byDay.get(day);
        return income ? incomeOfDay(income) : { day: dateText(day), income: usdtText(0n), state: 'paid' as const };
      }),
      redemptions: pending.map(movementRecord),
    };
  };

  const lockupBalance = async (customer: bigint) => {
    const [orders, matured, balances] = await Promise.all([
      readOpenLockups(database, customer),
      readMaturedYield(database, customer),
      ledger.balances(customer),
    ]);
    const paid = await readDaysPaid(database, orders);
    const sum = (of: (order: KeptLockup) => bigint): bigint => orders.reduce((all, order) => all + of(order), 0n);
    const earnedIn = (order: KeptLockup, days: number): bigint =>
      lockupEarned({ principal: order.principal.units, dailyRate: order.daily_rate as never }, days);
    const earned = sum((order) => earnedIn(order, paid.get(order.number) ?? 0));
    return {
      type: 'regular' as const,
      available: formatMoney(availableOf(balances, 'spot')),
      invested: usdtText(sum(({ principal }) => principal.units)),
      earned: usdtText(earned),
      promised: usdtText(sum((order) => order.yield.units) - earned),
      cumulative: usdtText(matured.units + earned),
      daily: usdtText(sum((order) => earnedIn(order, 1))),
      orders: orders.length,
    };
  };

  const lockupOrders = async (orders: readonly KeptLockup[]): Promise<LockupOrder[]> => {
    const paid = await readDaysPaid(database, orders);
    return orders.map((order) => lockupOrderOf(order, paid.get(order.number) ?? 0));
  };

  const orderDetail = async (customer: bigint, type: 'liquidity' | 'regular', id: string) => {
    if (!UUID.test(id)) return undefined;
    if (type === 'liquidity') {
      const movement = await readMovement(database, id, customer);
      return movement && movementRecord(movement);
    }
    const order = await readLockup(database, id, customer);
    if (order === undefined) return undefined;
    const [incomes, paid] = await Promise.all([
      readIncomes(database, order.product, order.number, order.start_day, order.end_day - 1),
      readDaysPaid(database, [order]),
    ]);
    return { ...lockupOrderOf(order, paid.get(order.number) ?? 0), incomes: incomes.map(incomeOfDay) };
  };

  /** A page of days with income, newest first; `next` is the day before which the next page begins. */
  const interest = async (customer: bigint, page: string | null, now: Date) => {
    const today = days.dayOf(now);
    const { firstDay } = await readStanding(database, await readCatalogue(database), customer, today);
    let before = page?.startsWith('d') ? Number(page.slice(1)) : today;
    for (let look = 0; firstDay !== null && before > firstDay && look < INTEREST_LOOKS_MAX; look++) {
      const from = before - INTEREST_PAGE_DAYS;
      const incomes = await readIncomes(database, LIQUIDITY, customer, from, before - 1);
      before = from;
      if (incomes.length === 0) continue;
      const items = incomes.map((income) => incomeRecord(income, days));
      return { items, next: from > firstDay ? `d${from}` : null };
    }
    return { items: [], next: firstDay !== null && before > firstDay ? `d${before}` : null };
  };

  const orders: Earning['orders'] = async (customer, { type, id, kind, page }, now) => {
    if (id !== null) {
      const detail = await orderDetail(customer, type, id);
      return detail ? accept({ items: [detail], next: null }) : refuse('order_unknown', { field: 'id' });
    }
    if (type === 'liquidity' && kind === 'interest') return accept(await interest(customer, page, now));
    // A short number is the specification's page number, a long one is our cursor.
    const isCursor = page !== null && /^n[0-9]+$/.test(page);
    const before = isCursor ? BigInt(page.slice(1)) : null;
    const skip = isCursor ? 0 : Math.max(0, Number(page ?? 0) - 1) * PAGE_MAX;
    if (type === 'regular') {
      const rows = await listLockups(database, customer, before, PAGE_MAX + 1, skip);
      const shown = rows.slice(0, PAGE_MAX);
      const last = shown.at(-1);
      return accept({
        items: await lockupOrders(shown),
        next: rows.length > PAGE_MAX && last ? `n${last.number}` : null,
      });
    }
    const kinds =
      kind === null ? null : kind === 'subscription' ? (['subscription'] as const) : (['quick', 'normal'] as const);
    const rows = await listMovements(database, customer, kinds, before, PAGE_MAX + 1, skip);
    const shown = rows.slice(0, PAGE_MAX);
    const last = shown.at(-1);
    return accept({
      items: shown.map(movementRecord),
      next: rows.length > PAGE_MAX && last ? `n${last.number}` : null,
    });
  };

  const quoteLiquidity = async (customer: bigint, amount: Money<'USDT'>, now: Date) => {
    const day = days.dayOf(now);
    const catalogue = await readCatalogue(database);
    const terms = catalogue.liquidityOn(day);
    if (terms === undefined) return refuse('product_unknown');
    const [{ fund, cost }, balances, { position }] = await Promise.all([
      readFund(database, catalogue, day),
      ledger.balances(customer),
      readStanding(database, catalogue, customer, day),
    ]);
    const available = availableOf(balances, 'spot');
    const decision = decideLiquiditySubscription({
      amount,
      isOffered: isOffering() && terms.isOffered,
      min: terms.min,
      available,
      stages: terms.stages,
      fund: fund.available,
      cost,
    });
    if (!decision.ok) return decision;
    const [before, after] = [redeemable(position), redeemable(subscribed(position, amount.units))];
    return accept({
      type: 'liquidity' as const,
      quote: quoteNameOf(terms.version, day),
      amount: formatMoney(amount),
      available: formatMoney(available),
      available_after: formatMoney(subtract(available, amount)),
      balance: usdtText(before),
      balance_after: usdtText(after),
      rate: formatRate(blendedRate(before, terms.stages)),
      rate_after: formatRate(blendedRate(after, terms.stages)),
      daily_after: usdtText(liquidityIncome(after, terms.stages, 0n).units),
      start_date: dateText(day + 1),
      first_income_at: creditedAt(day + 1),
    });
  };

  const quoteLockup = async (customer: bigint, product: number, amount: Money<'USDT'>, now: Date) => {
    const day = days.dayOf(now);
    const catalogue = await readCatalogue(database);
    const terms = catalogue.lockupOn(product, day);
    if (terms === undefined) return refuse('product_unknown', { field: 'product' });
    const [{ fund, onWire }, balances, taken, takenBy] = await Promise.all([
      readFund(database, catalogue, day),
      ledger.balances(customer),
      readPrincipalByProduct(database),
      readPrincipalOfCustomers(database, [customer]),
    ]);
    const available = availableOf(balances, 'spot');
    const decision = decideLockup({
      amount,
      isOffered: isOffering() && terms.isOffered,
      min: terms.min,
      available,
      fund,
      terms: termsOf(terms),
      limits: limitsOf(terms, taken.get(product), takenBy.get(`${customer}/${product}`)),
    });
    if (!decision.ok) return decision;
    const { start, end } = lockupDays(day, product);
    return accept({
      type: 'regular' as const,
      quote: quoteNameOf(terms.version, day),
      product: String(product),
      amount: formatMoney(amount),
      available: formatMoney(available),
      available_after: formatMoney(subtract(available, amount)),
      days: product,
      daily_rate: formatRate(terms.dailyRate),
      daily_income: usdtText(lockupEarned({ principal: amount.units, dailyRate: terms.dailyRate }, 1)),
      total_income: formatMoney(decision.effect.promised),
      start_date: dateText(start),
      end_date: dateText(end),
      first_income_at: creditedAt(start),
      ends_at: creditedAt(end - 1),
      fund: onWire,
    });
  };

  /** Today's income of the earning balance including the carried remainder, as it will be credited. */
  const incomeToday = ({ position, carry }: LiquidityStanding, terms: LiquidityTerms | undefined): bigint =>
    terms === undefined ? 0n : liquidityIncome(position.earning, terms.stages, carry).units;

  const quoteOut: Earning['quoteRedemption'] = async ({ customer, amount, speed }, now) => {
    const day = days.dayOf(now);
    const catalogue = await readCatalogue(database);
    const terms = catalogue.liquidityOn(day);
    const [standing, quick, balances] = await Promise.all([
      readStanding(database, catalogue, customer, day),
      readQuicklyRedeemed(database, day),
      ledger.balances(customer),
    ]);
    const { position } = standing;
    const before = redeemable(position);
    const quickLeft = subtract(QUICK_REDEMPTION_MAX, quick);
    const decision = decideRedemption({
      amount,
      speed,
      redeemable: usdt(before),
      quick,
    });
    if (!decision.ok) return decision;
    const after = redeemed(position, amount.units, speed);
    const withoutIt = redeemed(position, amount.units, 'quick');
    const interest = incomeToday(standing, terms) - incomeToday({ ...standing, position: withoutIt }, terms);
    const isQuick = speed === 'quick';
    const available = availableOf(balances, 'spot');
    const stages = terms?.stages ?? [];
    return accept({
      quote: quoteNameOf(terms?.version ?? 0, day),
      speed,
      amount: formatMoney(amount),
      from_fresh: usdtText(position.fresh - redeemed(position, amount.units, 'quick').fresh),
      arrives_at: isQuick ? now.toISOString() : creditedAt(day),
      latest_at: isQuick ? now.toISOString() : latestArrival(now).toISOString(),
      forgone: usdtText(isQuick ? interest : 0n),
      kept: usdtText(isQuick ? 0n : interest),
      balance: usdtText(before),
      balance_after: usdtText(redeemable(after)),
      rate: formatRate(blendedRate(before, stages)),
      rate_after: formatRate(blendedRate(redeemable(after), stages)),
      available: formatMoney(available),
      available_after: formatMoney(add(available, amount)),
      quick_left: formatMoney(quickLeft),
      quick_left_after: formatMoney(isQuick ? subtract(quickLeft, amount) : quickLeft),
    });
  };

  const receiptOf = async (
    row: IncomeRow,
    order: KeptLockup | null,
  ): Promise<Decision<IncomeReceipt, 'income_unknown'>> => {
    const catalogue = await readCatalogue(database);
    const terms = catalogue.version(row.product, order?.version ?? row.version ?? 0);
    if (terms === undefined) throw new Error(`income of terms that are not there`);
    const transfer = row.isPaid && row.leg !== null ? await ledger.transferOf(row.journal, row.leg) : undefined;
    return accept({
      type: order === null ? 'liquidity' : 'regular',
      order: order?.id ?? null,
      day: dateText(row.day),
      asset: 'USDT',
      base: String(row.base),
      version: terms.version,
      effective_from: dateText(terms.effectiveDay),
      stages: isLiquidity(terms)
        ? terms.stages.map(({ from, rate }) => ({ from: String(from), rate: String(rate) }))
        : null,
      daily_rate: order === null ? null : String(order.daily_rate),
      nth: order === null ? null : row.day - order.start_day + 1,
      days: order?.days ?? null,
      carry_before: String(row.carryBefore),
      units: String(row.units),
      carry_after: String(row.carryAfter),
      total_after: String(row.totalAfter),
      state: row.isPaid ? 'paid' : 'waiting',
      transfer: transfer
        ? {
            sequence: String(transfer.sequence),
            journal: transfer.journal,
            units: String(transfer.units),
            at: transfer.at.toISOString(),
          }
        : null,
    });
  };

  const addTerms: Earning['addTerms'] = async (transaction, proposed, effectiveDay, approval) => {
    const catalogue = await readCatalogue(transaction);
    const version = catalogue.nextVersion(proposed.product);
    await insertVersion(transaction, { ...proposed, effectiveDay, version }, approval);
  };

  const api: Earning = {
    ...accrual,
    addTerms,
    offerKinds: [lockupOffer({ ledger, days, addTerms }), liquidityOffer({ ledger, days, addTerms })],
    accruals: () => readNewestAccruals(database),
    async countLateAccruals(now) {
      const due = days.dayOf(new Date(now.getTime() - PAID_WITHIN_MS));
      const rows = await readNewestAccruals(database);
      return rows.filter(({ day, state }) => day < due - 1 || (day === due - 1 && state !== 'paid')).length;
    },
    products,
    balance: (customer, type, now) =>
      type === 'liquidity' ? liquidityBalance(customer, now) : lockupBalance(customer),
    orders,
    quoteSubscription: ({ customer, amount, product }, now) =>
      product === null ? quoteLiquidity(customer, amount, now) : quoteLockup(customer, product, amount, now),
    subscribe: ({ customer, amount, product, quote }, intent) =>
      product === null
        ? ledger.post(subscribeLiquidity, { customer, amount, quote }, intent)
        : ledger.post(subscribeLockup, { customer, amount, product, quote }, intent),
    quoteRedemption: quoteOut,
    redeem: (command, intent) => ledger.post(redeemLiquidity, command, intent),

    async income(customer, { order: id, day: text }) {
      const unknown = refuse('income_unknown', { field: 'day' });
      const day = dayOfText(text);
      if (day === undefined) return unknown;
      const order = id !== null && UUID.test(id) ? ((await readLockup(database, id, customer)) ?? null) : null;
      if (id !== null && order === null) return refuse('order_unknown', { field: 'id' });
      const [row] = await readIncomes(database, order?.product ?? LIQUIDITY, order?.number ?? customer, day, day);
      return row === undefined ? unknown : receiptOf(row, order);
    },

    catalogue: () => readCatalogue(database),

    async offerDemo(proposed, now) {
      const catalogue = await readCatalogue(database);
      const effectiveDay = days.dayOf(now);
      for (const terms of proposed)
        if (catalogue.nextVersion(terms.product) === 1)
          await insertVersion(database, { ...terms, effectiveDay, version: 1 }, null);
    },
  };

  return {
    api,
    handlers: [
      ...earningCalls(api),
      readEarningRulesHandler(rules),
      redeemLiquidityHandler(api, passwords, async (journal) => (await ledger.transfersOf([journal])).length > 0),
    ],
    jobs: [{ on: 'settler', run: (signal) => accrual.run(signal) }],
    metrics: [
      {
        name: 'sathorn_accrual_positions',
        help: 'Positions of the latest day of income that have been counted.',
        read: () => accrual.progress()?.positions ?? 0,
      },
      {
        name: 'sathorn_accrual_paid_share',
        help: 'Share of the chunks of the latest day of income that have been paid.',
        read: () => {
          const { chunks = 0, chunksPaid = 0 } = accrual.progress() ?? {};
          return chunks === 0 ? 1 : chunksPaid / chunks;
        },
      },
    ],
  };
}
