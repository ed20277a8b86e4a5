import type { IncomeReceipt, LiquidityProduct, LockupOrder } from '@sathorn/api';
import { add, formatMoney, formatRate, isMore, type Money, money, subtract } from '@sathorn/money';
import {
  accept,
  blendedRate,
  coversPromise,
  type Decision,
  decideLiquiditySubscription,
  decideLockup,
  decideRedemption,
  highestDailyIncome,
  isStandingRefusal,
  liquidityIncome,
  lockupDaysOf,
  lockupEarned,
  lockupYield,
  QUICK_REDEMPTION_MAX,
  quotaLeft,
  redeemableUnits,
  redeemFromPosition,
  refuse,
  type StandingRefusal,
  subscribeToPosition,
  yieldFundOf,
} from '@sathorn/settlement';
import { HOUSE_OWNER, type Intent } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { dateText, dayOfText, INCOME_CREDITED_MINUTES, localDays } from '../../platform/local-day.ts';
import type { Module } from '../../platform/module.ts';
import { openAccruals } from './accrue.ts';
import { earningCalls } from './calls.ts';
import type { Earning, EarningDependencies, SubscriptionRequest } from './earning.ts';
import {
  type IncomeRow,
  insertTermsVersion,
  listLiquidityMovements,
  listLockups,
  readIncomes,
  readLiquidityCost,
  readLiquidityMovement,
  readLockup,
  readLockupDaysPaid,
  readMaturedYield,
  readMovedOnDay,
  readNewestAccruals,
  readOpenLockups,
  readPendingMovements,
  readPrincipalByProduct,
  readPrincipalOfCustomers,
  readRenewedBy,
  readTermsCatalogue,
  type StoredLockup,
  sumQuickRedemptions,
} from './earning-store.ts';
import {
  type EarningTerms,
  isLiquidityTerms,
  LIQUIDITY_PRODUCT,
  type LiquidityTerms,
  LOCKUP_PRODUCTS,
  type LockupTermsVersion,
  type TermsCatalogue,
} from './earning-terms.ts';
import { type LiquidityStanding, readLiquidityStanding } from './liquidity-standing.ts';
import { redeemLiquidityKind, subscribeLiquidityKind } from './move-liquidity.ts';
import type { NamedStanding } from './named-standing.ts';
import { liquidityOfferKind, lockupOfferKind, upcomingTermsOf } from './offer-kinds.ts';
import { readEarningRulesHandler } from './read-earning-rules.ts';
import { dayIncomeView, incomeRecordOf, latestRedemptionArrival, lockupOrderOf, movementRecordOf } from './records.ts';
import { redeemLiquidityHandler } from './redeem-liquidity.ts';
import { lockupLimitsOf, lockupTermsOf, quoteNameOf, subscribeLockupKind } from './subscribe-lockup.ts';
import { availableOfAccount, usdtText, yieldFundOnWire } from './yield-fund.ts';

const PAGE_MAX = 20;
const INCOME_DAYS = 30;
/** Days per page of interest. Days without income are skipped, up to a year per call. */
const INTEREST_PAGE_DAYS = 30;
const INTEREST_LOOKS_MAX = 12;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Income is credited half an hour after midnight; two hours later all of it should be paid. */
const PAID_WITHIN_MS = 150 * 60_000;

const usdt = (units: bigint): Money<'USDT'> => money('USDT', units);

/** A customer's own subscription gets no refusal of a standing order. */
function ofCustomer<Effect, Refusal extends string>(decision: Decision<Effect, Refusal>) {
  if (!decision.ok && isStandingRefusal(decision.refusal)) throw new Error(`not a standing order: ${decision.refusal}`);
  return decision as Decision<Effect, Exclude<Refusal, StandingRefusal>>;
}

export function openEarning(dependencies: EarningDependencies): Module<Earning> {
  const { database, ledger, timeZone, isOffering, rules, lockStanding } = dependencies;
  const reads = dependencies.reads ?? database;
  const days = localDays(timeZone);
  const gate = { isOffering, days, lockStanding };
  const [subscribeLockup, subscribeLiquidity, redeemLiquidity] = [
    subscribeLockupKind(gate),
    subscribeLiquidityKind(gate),
    redeemLiquidityKind(gate),
  ];
  const accrual = openAccruals({ ...dependencies, days });

  const creditedAt = (day: number): string => days.momentOf(day + 1, INCOME_CREDITED_MINUTES).toISOString();

  const readFund = async (queries: Queries, catalogue: TermsCatalogue, day: number) => {
    const [cost, house] = await Promise.all([readLiquidityCost(queries), ledger.balances(HOUSE_OWNER)]);
    const fund = yieldFundOf(availableOfAccount(house, 'yield').units, cost, catalogue.liquidityOn(day)?.stages ?? []);
    return { fund, cost, onWire: yieldFundOnWire(fund, availableOfAccount(house, 'yield_reserved'), cost) };
  };

  const commonTerms = ({ version, effectiveDay, isOffered, min }: EarningTerms) => ({
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
  const upcoming = (catalogue: TermsCatalogue, product: number, day: number): EarningTerms[] => [
    ...catalogue.upcoming(product, day),
    ...upcomingTermsOf(scheduled(), product, days),
  ];

  const products: Earning['products'] = async (now) => {
    const day = days.dayOf(now);
    const catalogue = await readTermsCatalogue(reads);
    const [{ fund, onWire }, taken] = await Promise.all([
      readFund(reads, catalogue, day),
      readPrincipalByProduct(reads),
    ]);
    const stateOf = (terms: EarningTerms, isSoldOut: boolean, isCovered: boolean): LiquidityProduct['state'] => {
      if (!isOffering()) return 'no_licence';
      if (!terms.isOffered) return 'closed';
      if (isSoldOut) return 'sold_out';
      return isCovered ? 'open' : 'uncovered';
    };
    const liquidity = catalogue.liquidityOn(day);
    const regular = LOCKUP_PRODUCTS.flatMap((product) => {
      const terms = catalogue.lockupOn(product, day);
      if (terms === undefined) return [];
      const left = quotaLeft(lockupLimitsOf(terms, taken.get(product)));
      const least = lockupYield({ ...lockupTermsOf(terms), principal: terms.min.units });
      return {
        id: String(product),
        name: String(product),
        days: product,
        state: stateOf(terms, isMore(terms.min, left), coversPromise(fund, least, 0n)),
        quota_left: formatMoney(left),
        ...lockupTerms(terms),
        upcoming: upcoming(catalogue, product, day).flatMap((next) =>
          isLiquidityTerms(next) ? [] : lockupTerms(next),
        ),
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
              state: stateOf(
                liquidity,
                false,
                coversPromise(fund, 0n, highestDailyIncome(liquidity.min.units, liquidity.stages)),
              ),
              ...liquidityTerms(liquidity),
            }),
        upcoming: upcoming(catalogue, LIQUIDITY_PRODUCT, day).flatMap((next) =>
          isLiquidityTerms(next) ? liquidityTerms(next) : [],
        ),
      },
      regular: { type: 'regular', fund: onWire, products: regular },
    };
  };

  const liquidityBalance = async (customer: bigint, now: Date) => {
    const today = days.dayOf(now);
    const catalogue = await readTermsCatalogue(database);
    const [standing, incomes, pending, moved, quick, balances] = await Promise.all([
      readLiquidityStanding(database, catalogue, customer, today),
      readIncomes(database, LIQUIDITY_PRODUCT, customer, today - INCOME_DAYS, today - 1),
      readPendingMovements(database, customer),
      readMovedOnDay(database, customer, today),
      sumQuickRedemptions(database, today),
      ledger.balances(customer),
    ]);
    const byDay = new Map(incomes.map((income) => [income.day, income]));
    const balance = redeemableUnits(standing.position);
    const yesterday = byDay.get(today - 1);
    const terms = catalogue.liquidityOn(today);
    return {
      type: 'liquidity' as const,
      balance: usdtText(balance),
      earning: usdtText(standing.position.earning),
      pending: usdtText(balances.find(({ account }) => account.name === 'liquidity')?.held ?? 0n),
      available: formatMoney(availableOfAccount(balances, 'spot')),
      rate: formatRate(blendedRate(balance, terms?.stages ?? [])),
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
        return income ? dayIncomeView(income) : { day: dateText(day), income: usdtText(0n), state: 'paid' as const };
      }),
      redemptions: pending.map(movementRecordOf),
      terms: terms === undefined ? null : liquidityTerms(terms),
    };
  };

  const lockupBalance = async (customer: bigint) => {
    const [orders, matured, balances] = await Promise.all([
      readOpenLockups(database, customer),
      readMaturedYield(database, customer),
      ledger.balances(customer),
    ]);
    const paid = await readLockupDaysPaid(database, orders);
    const sum = (of: (order: StoredLockup) => bigint): bigint => orders.reduce((all, order) => all + of(order), 0n);
    const earnedIn = (order: StoredLockup, days: number): bigint =>
      lockupEarned({ principal: order.principal.units, dailyRate: order.daily_rate as never }, days);
    const earned = sum((order) => earnedIn(order, paid.get(order.number) ?? 0));
    return {
      type: 'regular' as const,
      available: formatMoney(availableOfAccount(balances, 'spot')),
      invested: usdtText(sum(({ principal }) => principal.units)),
      earned: usdtText(earned),
      promised: usdtText(sum((order) => order.yield.units) - earned),
      cumulative: usdtText(matured.units + earned),
      daily: usdtText(sum((order) => earnedIn(order, 1))),
      orders: orders.length,
    };
  };

  const lockupOrders = async (orders: readonly StoredLockup[]): Promise<LockupOrder[]> => {
    const paid = await readLockupDaysPaid(database, orders);
    return orders.map((order) => lockupOrderOf(order, paid.get(order.number) ?? 0));
  };

  const orderDetail = async (customer: bigint, type: 'liquidity' | 'regular', id: string) => {
    if (!UUID.test(id)) return undefined;
    if (type === 'liquidity') {
      const movement = await readLiquidityMovement(database, id, customer);
      return movement && movementRecordOf(movement);
    }
    const order = await readLockup(database, id, customer);
    if (order === undefined) return undefined;
    const [incomes, paid, renewedBy] = await Promise.all([
      readIncomes(database, order.product, order.number, order.start_day, order.end_day - 1),
      readLockupDaysPaid(database, [order]),
      readRenewedBy(database, order.id),
    ]);
    return {
      ...lockupOrderOf(order, paid.get(order.number) ?? 0),
      renewed_by: renewedBy,
      incomes: incomes.map(dayIncomeView),
    };
  };

  /** A page of days with income, newest first; `next` is the day before which the next page begins. */
  const interest = async (customer: bigint, page: string | null, now: Date) => {
    const today = days.dayOf(now);
    const { firstDay } = await readLiquidityStanding(database, await readTermsCatalogue(database), customer, today);
    let before = page?.startsWith('d') ? Number(page.slice(1)) : today;
    for (let look = 0; firstDay !== null && before > firstDay && look < INTEREST_LOOKS_MAX; look++) {
      const from = before - INTEREST_PAGE_DAYS;
      const incomes = await readIncomes(database, LIQUIDITY_PRODUCT, customer, from, before - 1);
      before = from;
      if (incomes.length === 0) continue;
      const items = incomes.map((income) => incomeRecordOf(income, days));
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
    const rows = await listLiquidityMovements(database, customer, kinds, before, PAGE_MAX + 1, skip);
    const shown = rows.slice(0, PAGE_MAX);
    const last = shown.at(-1);
    return accept({
      items: shown.map(movementRecordOf),
      next: rows.length > PAGE_MAX && last ? `n${last.number}` : null,
    });
  };

  const quoteLiquidity = async (customer: bigint, amount: Money<'USDT'>, now: Date) => {
    const day = days.dayOf(now);
    const catalogue = await readTermsCatalogue(database);
    const terms = catalogue.liquidityOn(day);
    if (terms === undefined) return refuse('product_unknown');
    const [{ fund, cost }, balances, { position }] = await Promise.all([
      readFund(database, catalogue, day),
      ledger.balances(customer),
      readLiquidityStanding(database, catalogue, customer, day),
    ]);
    const available = availableOfAccount(balances, 'spot');
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
    const [before, after] = [redeemableUnits(position), redeemableUnits(subscribeToPosition(position, amount.units))];
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
    const catalogue = await readTermsCatalogue(database);
    const terms = catalogue.lockupOn(product, day);
    if (terms === undefined) return refuse('product_unknown', { field: 'product' });
    const [{ fund, onWire }, balances, taken, takenBy] = await Promise.all([
      readFund(database, catalogue, day),
      ledger.balances(customer),
      readPrincipalByProduct(database),
      readPrincipalOfCustomers(database, [customer]),
    ]);
    const available = availableOfAccount(balances, 'spot');
    const decision = decideLockup({
      amount,
      isOffered: isOffering() && terms.isOffered,
      min: terms.min,
      available,
      fund,
      terms: lockupTermsOf(terms),
      limits: lockupLimitsOf(terms, taken.get(product), takenBy.get(`${customer}/${product}`)),
    });
    if (!decision.ok) return decision;
    const { start, end } = lockupDaysOf(day, product);
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
    const catalogue = await readTermsCatalogue(database);
    const terms = catalogue.liquidityOn(day);
    const [standing, quick, balances] = await Promise.all([
      readLiquidityStanding(database, catalogue, customer, day),
      sumQuickRedemptions(database, day),
      ledger.balances(customer),
    ]);
    const { position } = standing;
    const before = redeemableUnits(position);
    const quickLeft = subtract(QUICK_REDEMPTION_MAX, quick);
    const decision = decideRedemption({
      amount,
      speed,
      redeemable: usdt(before),
      quick,
    });
    if (!decision.ok) return decision;
    const after = redeemFromPosition(position, amount.units, speed);
    const withoutIt = redeemFromPosition(position, amount.units, 'quick');
    const interest = incomeToday(standing, terms) - incomeToday({ ...standing, position: withoutIt }, terms);
    const isQuick = speed === 'quick';
    const available = availableOfAccount(balances, 'spot');
    const stages = terms?.stages ?? [];
    return accept({
      quote: quoteNameOf(terms?.version ?? 0, day),
      speed,
      amount: formatMoney(amount),
      from_fresh: usdtText(position.fresh - redeemFromPosition(position, amount.units, 'quick').fresh),
      arrives_at: isQuick ? now.toISOString() : creditedAt(day),
      latest_at: isQuick ? now.toISOString() : latestRedemptionArrival(now).toISOString(),
      forgone: usdtText(isQuick ? interest : 0n),
      kept: usdtText(isQuick ? 0n : interest),
      balance: usdtText(before),
      balance_after: usdtText(redeemableUnits(after)),
      rate: formatRate(blendedRate(before, stages)),
      rate_after: formatRate(blendedRate(redeemableUnits(after), stages)),
      available: formatMoney(available),
      available_after: formatMoney(add(available, amount)),
      quick_left: formatMoney(quickLeft),
      quick_left_after: formatMoney(isQuick ? subtract(quickLeft, amount) : quickLeft),
    });
  };

  const receiptOf = async (
    row: IncomeRow,
    order: StoredLockup | null,
  ): Promise<Decision<IncomeReceipt, 'income_unknown'>> => {
    const catalogue = await readTermsCatalogue(database);
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
      stages: isLiquidityTerms(terms)
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
    const catalogue = await readTermsCatalogue(transaction);
    const version = catalogue.nextVersion(proposed.product);
    await insertTermsVersion(transaction, { ...proposed, effectiveDay, version }, approval);
  };

  const subscribeFor = (
    { customer, amount, product, quote, standing }: SubscriptionRequest & { readonly standing: NamedStanding | null },
    intent: Intent,
  ): ReturnType<Earning['subscribeStanding']> =>
    product === null
      ? ledger.post(subscribeLiquidity, { customer, amount, quote, standing }, intent)
      : ledger.post(subscribeLockup, { customer, amount, product, quote, standing }, intent);

  const api: Earning = {
    ...accrual,
    addTerms,
    offerKinds: [lockupOfferKind({ ledger, days, addTerms }), liquidityOfferKind({ ledger, days, addTerms })],
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
    async subscribe(request, intent) {
      return ofCustomer(await subscribeFor({ ...request, standing: null }, intent));
    },
    subscribeStanding: (request, intent) => subscribeFor({ ...request, quote: null }, intent),
    async lockupOf(customer, id) {
      const order = await readLockup(database, id, customer);
      return order && { product: order.product, hasEnded: order.matured_at !== null };
    },
    async termsOf(product, now) {
      const catalogue = await readTermsCatalogue(database);
      const terms = catalogue.on(product ?? LIQUIDITY_PRODUCT, days.dayOf(now));
      return (
        terms && {
          isOffered: isOffering() && terms.isOffered,
          min: terms.min,
          max: isLiquidityTerms(terms) ? null : terms.max,
        }
      );
    },
    quoteRedemption: quoteOut,
    redeem: (command, intent) => ledger.post(redeemLiquidity, command, intent),

    async income(customer, { order: id, day: text }) {
      const unknown = refuse('income_unknown', { field: 'day' });
      const day = dayOfText(text);
      if (day === undefined) return unknown;
      const order = id !== null && UUID.test(id) ? ((await readLockup(database, id, customer)) ?? null) : null;
      if (id !== null && order === null) return refuse('order_unknown', { field: 'id' });
      const [row] = await readIncomes(
        database,
        order?.product ?? LIQUIDITY_PRODUCT,
        order?.number ?? customer,
        day,
        day,
      );
      return row === undefined ? unknown : receiptOf(row, order);
    },

    catalogue: () => readTermsCatalogue(database),

    async offerDemo(proposed, now) {
      const catalogue = await readTermsCatalogue(database);
      const effectiveDay = days.dayOf(now);
      for (const terms of proposed)
        if (catalogue.nextVersion(terms.product) === 1)
          await insertTermsVersion(database, { ...terms, effectiveDay, version: 1 }, null);
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
