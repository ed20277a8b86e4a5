import type { Standing } from '@sathorn/api';
import { formatMoney, formatRate, money, type Rate } from '@sathorn/money';
import { accept, type Decision, decideNewDepositOrder, decideNewRenewal, refuse } from '@sathorn/settlement';
import type { Intent } from '../../ledger/index.ts';
import type { Transaction } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { LIQUIDITY_PRODUCT, LOCKUP_PRODUCTS } from '../earning/index.ts';
import { standingCalls } from './calls.ts';
import { openStandingJob } from './run-standing.ts';
import type { StandingDependencies, StandingOrders } from './standing.ts';
import {
  findInstruction,
  type InstructionRow,
  insertInstruction,
  listExecutionRows,
  listInstructions,
  lockAndCountActive,
  lockInstruction,
  markRevoked,
  productOf,
} from './standing-store.ts';

/** How many of a customer's instructions are listed beside those that go on. */
const NEWEST = 50;
const PAGE_MAX = 20;

const usdtText = (units: bigint): string => formatMoney(money('USDT', units));

function viewOf(row: InstructionRow): Standing {
  const product = productOf(row);
  return {
    id: row.id,
    kind: row.kind,
    order: row.lockup,
    current: row.current,
    type: product === null ? 'liquidity' : 'regular',
    product: product === null ? null : String(product),
    rate_min: row.rateMin === null ? null : formatRate(row.rateMin as Rate),
    amount_min: row.amountMin === null ? null : usdtText(row.amountMin),
    amount_max: row.amountMax === null ? null : usdtText(row.amountMax),
    status: row.state,
    done: row.done,
    skipped: row.attempts - row.done,
    reason: row.reason,
    created_at: new Date(row.createdMs).toISOString(),
    updated_at: new Date(row.changedMs).toISOString(),
  };
}

export function openStanding(dependencies: StandingDependencies): Module<StandingOrders> {
  const { database, earning, orderKey } = dependencies;
  const job = openStandingJob(dependencies);

  const own = async (customer: bigint, id: string): Promise<InstructionRow | undefined> => {
    const row = await findInstruction(database, id);
    return row?.customer === customer ? row : undefined;
  };

  type Bounds = Pick<InstructionRow, 'kind' | 'lockup' | 'product' | 'rateMin' | 'amountMin' | 'amountMax'>;
  /** Stores a new instruction, once per intent. */
  const add = async <Refusal extends string>(
    customer: bigint,
    bounds: Bounds,
    intent: Intent,
    now: Date,
    decide: (active: { readonly deposits: number; readonly isRenewed: boolean }) => Decision<null, Refusal>,
  ): Promise<Decision<Standing, Refusal | 'account_frozen' | 'idempotency_key_reused'>> => {
    const isFrozen = await dependencies.isFrozen(database, customer);
    return database.transaction(
      async (
        transaction: Transaction,
      ): Promise<Decision<Standing, Refusal | 'account_frozen' | 'idempotency_key_reused'>> => {
        const active = await lockAndCountActive(transaction, customer, bounds.lockup);
        const known = await findInstruction(transaction, intent.id);
        if (known !== undefined)
          return known.digest === intent.digest ? accept(viewOf(known)) : refuse('idempotency_key_reused');
        if (isFrozen) return refuse('account_frozen');
        const allowed = decide(active);
        if (!allowed.ok) return allowed;
        const row: InstructionRow = {
          ...bounds,
          id: intent.id,
          customer,
          digest: intent.digest,
          createdMs: now.getTime(),
          state: 'active',
          changedMs: now.getTime(),
          attempts: 0,
          done: 0,
          current: bounds.lockup,
          reason: null,
        };
        await insertInstruction(transaction, row, orderKey);
        return accept(viewOf(row));
      },
    );
  };

  const api: StandingOrders = {
    ...job,

    async addRenewal(customer, { id, rate_min: rateMin }, intent, now) {
      const order = await earning.lockupOf(customer, id);
      const bounds: Bounds = {
        kind: 'renewal',
        lockup: id,
        product: order?.product ?? 0,
        rateMin,
        amountMin: null,
        amountMax: null,
      };
      return add(customer, bounds, intent, now, ({ isRenewed }) => decideNewRenewal(order && { ...order, isRenewed }));
    },

    async addFromDeposits(
      customer,
      { type, product: named, amount_min: amountMin, amount_max: amountMax, rate_min: rateMin = null },
      intent,
      now,
    ) {
      const product = type === 'liquidity' ? null : LOCKUP_PRODUCTS.find((days) => String(days) === named);
      const terms = product === undefined ? undefined : await earning.termsOf(product, now);
      const bounds: Bounds = {
        kind: 'deposits',
        lockup: null,
        product: product ?? LIQUIDITY_PRODUCT,
        rateMin,
        amountMin: amountMin.units,
        amountMax: amountMax.units,
      };
      return add(customer, bounds, intent, now, ({ deposits: active }) =>
        decideNewDepositOrder({ product: product ?? null, rateMin, amountMin, amountMax }, { active, terms }),
      );
    },

    list: async (customer, kind) => ({
      items: (await listInstructions(database, customer, NEWEST, kind)).map(viewOf),
    }),

    async read(customer, id) {
      const row = await own(customer, id);
      return row === undefined ? refuse('standing_unknown', { field: 'id' }) : accept(viewOf(row));
    },

    async runs(customer, id, before) {
      if ((await own(customer, id)) === undefined) return refuse('standing_unknown', { field: 'id' });
      const rows = await listExecutionRows(database, id, before, PAGE_MAX + 1);
      const shown = rows.slice(0, PAGE_MAX);
      const items = shown.map(({ number, atMs, source, made, units, refusal }) => ({
        number,
        at: new Date(atMs).toISOString(),
        source,
        order: made,
        amount: usdtText(units),
        refusal,
      }));
      return accept({ items, next: rows.length > PAGE_MAX ? String(shown.at(-1)?.number) : null });
    },

    // Under the lock of the instruction, so that a subscription comes before it or not at all.
    revoke: (customer, id, now) =>
      database.transaction(async (transaction) => {
        const row = await lockInstruction(transaction, id);
        if (row?.customer !== customer) return refuse('standing_unknown', { field: 'id' });
        if (row.state !== 'active') return refuse('standing_ended', { field: 'id' });
        await markRevoked(transaction, id, now.getTime());
        return accept(viewOf({ ...row, state: 'revoked', changedMs: now.getTime() }));
      }),
  };
  return {
    api,
    handlers: standingCalls(api),
    jobs: [{ on: 'settler', run: job.run }],
  };
}
