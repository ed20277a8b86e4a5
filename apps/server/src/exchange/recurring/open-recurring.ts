import type { Recurring } from '@sathorn/api';
import { COINS, type CoinCode, formatMoney, formatPrice, money, parseMoney } from '@sathorn/money';
import {
  accept,
  averagePrice,
  type Calendar,
  decideNewRecurring,
  newestRecurringTime,
  RECURRING_LIMITS,
  recurringTimeAfter,
  refuse,
} from '@sathorn/settlement';
import type { Transaction } from '../../platform/database/index.ts';
import { localDays } from '../../platform/local-day.ts';
import type { Module } from '../../platform/module.ts';
import { recurringCalls } from './calls.ts';
import type { RecurringDependencies, Recurrings } from './recurring.ts';
import {
  changeInstruction,
  findInstruction,
  type InstructionRow,
  insertInstruction,
  listExecutionRows,
  listInstructions,
  lockAndCountActive,
  lockRecurring,
} from './recurring-store.ts';
import { openRecurringJob } from './run-recurring.ts';

/** How many of a customer's instructions are listed beside those that go on. */
const NEWEST = 50;
const PAGE_MAX = 20;

export function openRecurring(dependencies: RecurringDependencies): Module<Recurrings> {
  const { database, contracts, timeZone, orderKey } = dependencies;
  const calendars = new Map<string, Calendar>();
  const calendarOf = (zone: string): Calendar => {
    const calendar = calendars.get(zone) ?? localDays(zone);
    calendars.set(zone, calendar);
    return calendar;
  };
  const job = openRecurringJob(dependencies, calendarOf);

  const viewsOf = async (rows: readonly InstructionRow[]): Promise<Recurring[]> => {
    const totals = await contracts.recurringTotals(rows.map(({ id }) => id));
    return rows.map((row) => {
      const { quantity = 0n, amount = 0n, value = 0n, fee = 0n } = totals.get(row.id) ?? {};
      const { priceDecimals } = COINS[row.coin];
      const average = averagePrice(row.coin, value, quantity);
      return {
        id: row.id,
        code: row.coin,
        amount: formatMoney(money('USDT', row.amount)),
        every: row.every,
        day: row.day,
        hour: row.hour,
        time_zone: row.timeZone,
        price_max: row.priceMax && formatPrice(row.priceMax, priceDecimals),
        times: row.times,
        status: row.state,
        bought: row.bought,
        skipped: row.attempts - row.bought,
        next_at: nextOf(row, calendarOf(row.timeZone)),
        spent: formatMoney(money('USDT', amount)),
        received: formatMoney(money(row.coin, quantity - fee)),
        average_price: average && formatPrice(average, priceDecimals),
        created_at: new Date(row.createdMs).toISOString(),
        updated_at: new Date(row.changedMs).toISOString(),
      };
    });
  };
  const viewOf = async (row: InstructionRow): Promise<Recurring> => (await viewsOf([row]))[0] as Recurring;
  const own = async (customer: bigint, id: string): Promise<InstructionRow | undefined> => {
    const row = await findInstruction(database, id);
    return row?.customer === customer ? row : undefined;
  };

  /** Changes an instruction that goes on, under its lock, so that no order is accepted meanwhile. */
  const change = async (customer: bigint, id: string, of: (row: InstructionRow) => InstructionRow) => {
    const changed = await database.transaction(async (transaction: Transaction) => {
      const row = (await lockRecurring(transaction, [id])).get(id);
      if (row?.customer !== customer) return refuse('recurring_unknown', { field: 'id' });
      if (row.state === 'ended' || row.state === 'revoked') return refuse('recurring_ended', { field: 'id' });
      const next = of(row);
      if (next !== row) await changeInstruction(transaction, next);
      return accept(next);
    });
    return changed.ok ? accept(await viewOf(changed.effect)) : changed;
  };

  const api: Recurrings = {
    ...job,

    async add(
      customer,
      { code: coin, amount, every, day = null, hour, price_max: priceMax = null, times = null },
      intent,
      now,
    ) {
      const recurrence = { every, day, hour };
      const calendar = calendarOf(timeZone);
      const { day: lastDay } = newestRecurringTime(recurrence, now, calendar);
      const row: InstructionRow = {
        ...recurrence,
        id: intent.id,
        customer,
        digest: intent.digest,
        coin,
        amount: amount.units,
        priceMax,
        times,
        timeZone,
        createdMs: now.getTime(),
        state: 'active',
        changedMs: now.getTime(),
        lastDay,
        attempts: 0,
        bought: 0,
        nextMs: null,
      };
      const isFrozen = await dependencies.isFrozen(database, customer);
      const added = await database.transaction(async (transaction) => {
        const active = await lockAndCountActive(transaction, customer);
        const known = await findInstruction(transaction, intent.id);
        if (known !== undefined)
          return known.digest === intent.digest ? accept(known) : refuse('idempotency_key_reused');
        if (isFrozen) return refuse('account_frozen');
        const { isOffered, ...limits } = contracts.terms().of(coin);
        const allowed = decideNewRecurring(
          { ...recurrence, coin, amount, priceMax, times },
          { isOffered, active, limits },
        );
        if (!allowed.ok) return allowed;
        const nextMs = recurringTimeAfter(recurrence, lastDay, calendar).at.getTime();
        await insertInstruction(transaction, { ...row, nextMs }, orderKey);
        return accept({ ...row, nextMs });
      });
      return added.ok ? accept(await viewOf(added.effect)) : added;
    },

    list: async (customer) => ({
      items: await viewsOf(await listInstructions(database, customer, NEWEST)),
      max: RECURRING_LIMITS.activeMax,
    }),

    async read(customer, id) {
      const row = await own(customer, id);
      return row === undefined ? refuse('recurring_unknown', { field: 'id' }) : accept(await viewOf(row));
    },

    async executions(customer, id, before) {
      const row = await own(customer, id);
      if (row === undefined) return refuse('recurring_unknown', { field: 'id' });
      const rows = await listExecutionRows(database, id, before, PAGE_MAX + 1);
      const shown = rows.slice(0, PAGE_MAX);
      const { coin } = row;
      const placed = await contracts.orders(
        shown.flatMap(({ order }) => (order === null ? [] : [{ coin, sequence: order }])),
      );
      const orders = new Map(placed.map((order) => [order.id, order]));
      const calendar = calendarOf(row.timeZone);
      const items = shown.map(({ number, day, atMs, order, refusal }) => {
        const bought = order === null ? undefined : orders.get(`${coin}-${order}`);
        return {
          number,
          due_at: calendar.momentOf(day, row.hour * 60).toISOString(),
          at: new Date(atMs).toISOString(),
          order: bought?.id ?? null,
          refusal,
          spent: bought?.dealt_amount ?? null,
          received: bought === undefined ? null : netOf(coin, bought),
          price: bought?.dealt_price ?? null,
        };
      });
      return accept({ items, next: rows.length > PAGE_MAX ? String(shown.at(-1)?.number) : null });
    },

    switch: (customer, id, isOn, now) =>
      change(customer, id, (row) => {
        if (isOn === (row.state === 'active')) return row;
        const changed = { ...row, changedMs: now.getTime() };
        if (!isOn) return { ...changed, state: 'paused', nextMs: null };
        const calendar = calendarOf(row.timeZone);
        // Times that passed while it was paused are not bought later.
        const lastDay = Math.max(row.lastDay, newestRecurringTime(row, now, calendar).day);
        return {
          ...changed,
          state: 'active',
          lastDay,
          nextMs: recurringTimeAfter(row, lastDay, calendar).at.getTime(),
        };
      }),

    revoke: (customer, id, now) =>
      change(customer, id, (row) => ({ ...row, state: 'revoked', changedMs: now.getTime(), nextMs: null })),
  };
  return {
    api,
    handlers: recurringCalls(api),
    jobs: [{ on: 'settler', run: job.run }],
  };
}

function nextOf(row: InstructionRow, calendar: Calendar): string | null {
  if (row.state !== 'active') return null;
  const nextMs = row.nextMs ?? recurringTimeAfter(row, row.lastDay, calendar).at.getTime();
  return new Date(nextMs).toISOString();
}

/** Coins after the fee, of an order of a buy. */
function netOf(coin: CoinCode, { dealt_quantity: dealt, fee }: { dealt_quantity: string; fee: string }): string {
  const [got, paid] = [parseMoney(coin, dealt), parseMoney(coin, fee)];
  return formatMoney(money(coin, (got?.units ?? 0n) - (paid?.units ?? 0n)));
}
