import { formatMoney, formatRate, money, type Rate, zero } from '@sathorn/money';
import {
  coversPromise,
  FUND_COVER_DAYS,
  highestDailyIncome,
  lockupYield,
  quotaLeft,
  yieldFundOf,
} from '@sathorn/settlement';
import { HOUSE_OWNER, type Ledger } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { dateText, type LocalDays } from '../../platform/local-day.ts';
import {
  type OfferFields,
  type OfferKind,
  type OfferTermsChange,
  storedRateOf,
  storedUnitsOf,
  storedUsdtOf,
} from '../../staff/offer/index.ts';
import type { Earning, ProposedTerms } from './earning.ts';
import {
  listProductHolders,
  readLiquidityCost,
  readLiquidityTotal,
  readLockupsByVersion,
  readPrincipalByProduct,
  readTermsCatalogue,
} from './earning-store.ts';
import { type EarningTerms, isLiquidityTerms, LIQUIDITY_PRODUCT, LOCKUP_PRODUCTS } from './earning-terms.ts';
import { availableOfAccount } from './yield-fund.ts';

const MOST_STAGES = 8;

interface Stored {
  readonly offered: boolean;
  readonly min: string;
  readonly max: string;
  readonly quota: string;
  readonly daily_rate: string;
  readonly stages: readonly { readonly from: string; readonly rate: string }[];
}

export const offerKindNameOf = (product: number): 'lockup' | 'liquidity' =>
  product === LIQUIDITY_PRODUCT ? 'liquidity' : 'lockup';

/** Converts terms from their stored form to the module's. */
function proposedTermsOf(subject: string, fields: OfferFields): ProposedTerms {
  const { offered: isOffered, min, max, quota, daily_rate: rate, stages } = fields as unknown as Stored;
  const product = Number(subject);
  if (product === LIQUIDITY_PRODUCT)
    return {
      product,
      isOffered,
      min: storedUsdtOf(min),
      stages: stages.map((stage) => ({ from: storedUnitsOf(stage.from), rate: storedRateOf(stage.rate) as Rate })),
    };
  return {
    product,
    isOffered,
    min: storedUsdtOf(min),
    max: storedUsdtOf(max),
    quota: storedUsdtOf(quota),
    dailyRate: storedRateOf(rate) as Rate,
  };
}

const text = (units: bigint): string => formatMoney(money('USDT', units));

/** Converts terms to their stored form. */
export function offerFieldsOf(terms: ProposedTerms): OfferFields {
  const common = { offered: terms.isOffered, min: formatMoney(terms.min) };
  if (isLiquidityTerms(terms as EarningTerms)) {
    const { stages } = terms as Extract<ProposedTerms, { stages: unknown }>;
    return { ...common, stages: stages.map(({ from, rate }) => ({ from: text(from), rate: formatRate(rate) })) };
  }
  const { max, quota, dailyRate } = terms as Exclude<ProposedTerms, { stages: unknown }>;
  return { ...common, max: formatMoney(max), quota: formatMoney(quota), daily_rate: formatRate(dailyRate) };
}

interface Room {
  readonly ledger: Ledger;
  readonly days: LocalDays;
  readonly addTerms: Earning['addTerms'];
}

/** Lock-ups: open orders keep their terms. The yield account must cover the whole new quota before it is offered. */
export function lockupOfferKind({ ledger, days, addTerms }: Room): OfferKind {
  return {
    name: 'lockup',
    page: 'products',
    subjects: LOCKUP_PRODUCTS.map(String),
    beginsAtMidnight: true,
    read(_subject, from) {
      const fields = {
        offered: from.flag('offered'),
        daily_rate: from.rate('daily_rate', '0.01'),
        min: from.usdt('min', 1n),
        max: from.usdt('max', 1n),
        quota: from.usdt('quota'),
      };
      from.demand(storedUnitsOf(fields.max) >= storedUnitsOf(fields.min), 'max');
      return fields;
    },
    async check(queries, { subject, after }) {
      const product = Number(subject);
      const terms = proposedTermsOf(subject, after) as Exclude<ProposedTerms, { stages: unknown }>;
      const fund = await readFund(queries, ledger, days, new Date());
      const taken = (await readPrincipalByProduct(queries)).get(product) ?? zero('USDT');
      const left = terms.isOffered ? quotaLeft({ quota: terms.quota, taken }) : zero('USDT');
      const cost = lockupYield({ principal: left.units, dailyRate: terms.dailyRate, days: product });
      const free = fund.available - fund.liquidityDaily * BigInt(FUND_COVER_DAYS);
      return [
        {
          code: 'not_funded',
          ok: coversPromise(fund, cost, 0n),
          value: `${text(cost)} / ${text(free > 0n ? free : 0n)}`,
        },
      ];
    },
    apply: (transaction, change, now) =>
      addTerms(
        transaction,
        proposedTermsOf(change.subject, change.after),
        days.dayOf(change.effectiveFrom),
        change.approval,
        now,
      ),
    audience: (queries, { subject }, after, limit) => listProductHolders(queries, Number(subject), after, limit),
    async usage(queries, subject) {
      const rows = await readLockupsByVersion(queries, Number(subject));
      return rows.map(({ approval, orders, units, reserved, last_end: last }) => ({
        approval,
        orders: Number(orders),
        units: BigInt(units),
        reserved: BigInt(reserved),
        lastEnds: last === null ? null : dateText(last),
      }));
    },
  };
}

/** Liquidity: existing balances earn the new rates from that day on, so the notice period is a week. */
export function liquidityOfferKind({ ledger, days, addTerms }: Room): OfferKind {
  return {
    name: 'liquidity',
    page: 'products',
    subjects: [String(LIQUIDITY_PRODUCT)],
    beginsAtMidnight: true,
    read(_subject, from) {
      const fields = {
        offered: from.flag('offered'),
        min: from.usdt('min', 1n),
        stages: from.list('stages', { min: 1, max: MOST_STAGES }, (stage) => ({
          from: stage.usdt('from'),
          rate: stage.rate('rate', '1'),
        })),
      };
      const froms = fields.stages.map((stage) => storedUnitsOf(stage.from));
      from.demand(froms[0] === 0n && froms.every((one, n) => n === 0 || one > (froms[n - 1] ?? 0n)), 'stages');
      return fields;
    },
    async check(queries, { subject, after }) {
      const terms = proposedTermsOf(subject, after) as Extract<ProposedTerms, { stages: unknown }>;
      const fund = await readFund(queries, ledger, days, new Date());
      const daily = highestDailyIncome(await readLiquidityTotal(queries), terms.stages);
      const isCovered = coversPromise({ ...fund, liquidityDaily: daily }, 0n, 0n);
      return [
        {
          code: 'not_funded',
          ok: isCovered,
          value: `${text(daily * BigInt(FUND_COVER_DAYS))} / ${text(fund.available)}`,
        },
      ];
    },
    apply: (transaction, change, now) =>
      addTerms(
        transaction,
        proposedTermsOf(change.subject, change.after),
        days.dayOf(change.effectiveFrom),
        change.approval,
        now,
      ),
    audience: (queries, _change, after, limit) => listProductHolders(queries, LIQUIDITY_PRODUCT, after, limit),
  };
}

async function readFund(queries: Queries, ledger: Ledger, days: LocalDays, now: Date) {
  const [cost, house, catalogue] = await Promise.all([
    readLiquidityCost(queries),
    ledger.balances(HOUSE_OWNER),
    readTermsCatalogue(queries),
  ]);
  return yieldFundOf(
    availableOfAccount(house, 'yield').units,
    cost,
    catalogue.liquidityOn(days.dayOf(now))?.stages ?? [],
  );
}

/** Approved changes of a product as terms that start on a day. */
export const upcomingTermsOf = (
  changes: readonly OfferTermsChange[],
  product: number,
  days: LocalDays,
): EarningTerms[] =>
  changes
    .filter(({ kind, subject }) => kind === offerKindNameOf(product) && subject === String(product))
    .map(({ subject, after, version, effectiveFrom }) => ({
      ...proposedTermsOf(subject, after),
      version,
      effectiveDay: days.dayOf(effectiveFrom),
    }));
