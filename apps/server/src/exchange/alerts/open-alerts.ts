import { randomUUID } from 'node:crypto';
import type { PriceAlert } from '@sathorn/api';
import { COINS, type CoinCode, formatPrice, PRICE_SCALE, price } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { customerTopic } from '../../platform/edge/topic-source.ts';
import type { Module } from '../../platform/module.ts';
import {
  type AlertRow,
  findAlert,
  insertAlert,
  listAlertRows,
  lockAndCountAlerts,
  removeAlertRow,
  switchAlertRow,
} from './alert-store.ts';
import type { Alerts, AlertsDependencies } from './alerts.ts';
import { alertCalls } from './calls.ts';
import { openTickWatch } from './watch-ticks.ts';

const ALERTS_MAX = 20;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function viewOf(row: AlertRow): PriceAlert {
  const { indexDecimals } = COINS[row.coin as CoinCode];
  const text = (units: bigint): string => formatPrice(price(units), indexDecimals);
  const { fired_at: at, fired_price: units, fired_sequence: sequence } = row;
  return {
    id: row.id,
    code: row.coin,
    side: row.side,
    price: text(row.price),
    mode: row.mode,
    on: row.is_on,
    created_at: row.created_at.toISOString(),
    fired:
      at && units !== null && sequence !== null
        ? { at: at.toISOString(), price: text(units), sequence: String(sequence) }
        : null,
  };
}

export function openAlerts(dependencies: AlertsDependencies): Module<Alerts> {
  const { database, market, bus } = dependencies;
  const watch = openTickWatch(dependencies);
  /** True if the price is already on that side, so that the alert would be triggered at once. */
  const isPassed = (side: 'above' | 'below', at: bigint, now: bigint): boolean =>
    side === 'above' ? now >= at : now <= at;
  const changed = (owner: bigint): void => void bus.emit('alerts', { owner, data: { changed: 1 } });

  const api: Alerts = {
    ...watch,

    list: async (customer) => ({ items: (await listAlertRows(database, customer)).map(viewOf), max: ALERTS_MAX }),

    async add(customer, { code, side, price: at, mode }, now) {
      const last = market.lastTick(code);
      if (last === null) return refuse('coin_not_offered', { field: 'code' });
      if (at % 10n ** BigInt(PRICE_SCALE - COINS[code].indexDecimals) !== 0n)
        return refuse('price_off_tick', { field: 'price' });
      if (isPassed(side, at, last.price)) return refuse('alert_passed', { field: 'price' });
      const isAdded = await database.transaction(async (transaction) => {
        if ((await lockAndCountAlerts(transaction, customer)) >= ALERTS_MAX) return false;
        const row = { id: randomUUID(), customer, coin: code, side, price: at, mode, created_at: now };
        await insertAlert(transaction, row, last.sequence);
        return true;
      });
      if (!isAdded) return refuse('too_many_alerts', { params: { max: String(ALERTS_MAX) } });
      changed(customer);
      return accept(await api.list(customer));
    },

    async switch(customer, id, isOn) {
      const row = UUID.test(id) ? await findAlert(database, id, customer) : undefined;
      if (row === undefined) return refuse('alert_unknown', { field: 'id' });
      const last = market.lastTick(row.coin as CoinCode);
      if (isOn && (last === null || isPassed(row.side, row.price, last.price)))
        return refuse('alert_passed', { field: 'id' });
      await switchAlertRow(database, id, isOn, last?.sequence ?? 0n);
      changed(customer);
      return accept(await api.list(customer));
    },

    async remove(customer, id, now) {
      if (!UUID.test(id) || !(await removeAlertRow(database, id, customer, now)))
        return refuse('alert_unknown', { field: 'id' });
      changed(customer);
      return accept(await api.list(customer));
    },
  };
  return {
    api,
    handlers: alertCalls(api),
    topics: [customerTopic('alerts', api.list)],
    jobs: [{ on: 'settler', run: watch.run }],
  };
}
