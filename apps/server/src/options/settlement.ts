import { hash } from 'node:crypto';
import { accept, type OptionSettlement } from '@sathorn/settlement';
import {
  type AcceptedPosting,
  customerAccount,
  houseAccount,
  type Intent,
  type JournalKind,
  type Transfer,
} from '../ledger/index.ts';
import { Exposures } from './exposures.ts';
import { type HeldOption, lowerExposure, settleOrders } from './option-store.ts';
import { OPTIONS_POOL } from './purchase.ts';

export interface SettlementCommand {
  readonly order: HeldOption;
  readonly settlement: OptionSettlement;
}

interface SettlementAnswer {
  readonly outcome: string;
}

const FEES = houseAccount('fee_income', 'USDT');
// RFC 9562: names of settlements.
const NAMESPACE = Buffer.from('b6c3f3a2f2c15d0f8a0b6f7074696f6e', 'hex');

/** The same order always has the same intent (a UUID of version 5), so it is settled once, whoever tries and how often. */
export function settlementIntent(order: string): Intent {
  const digest = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(`options.settle/${order}`)]), 'buffer');
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return {
    id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`,
    digest: 'options.settle',
  };
}

/** The stake comes back but on a loss, the house pays but for a win only, and the fee is taken from what it paid. */
function transfersOf({ order, settlement }: SettlementCommand): Transfer[] {
  const account = customerAccount(order.customer_id, 'USDT');
  const stake = { sequence: order.stake_hold, debit: account, credit: OPTIONS_POOL, units: order.stake };
  const profit = { sequence: order.promised_hold, debit: OPTIONS_POOL, credit: account, units: order.promised };
  const { outcome, fee } = settlement;
  const transfers: Transfer[] = [
    outcome === 'lost'
      ? { kind: 'post', hold: stake, units: order.stake, code: 'option_stake' }
      : { kind: 'void', hold: stake, code: 'option_stake' },
    outcome === 'won'
      ? { kind: 'post', hold: profit, units: settlement.profit.units, code: 'option_payout' }
      : { kind: 'void', hold: profit, code: 'option_payout' },
  ];
  if (fee.units > 0n)
    transfers.push({ kind: 'single', debit: account, credit: FEES, units: fee.units, code: 'option_fee' });
  return transfers;
}

/** Never refuses: whether an order is decided, and by which ticks, is known before; that it was still holding, the write asserts. */
export function settlementKind(): JournalKind<SettlementCommand, { now: Date }, SettlementAnswer, never> {
  return {
    name: 'options.settle',

    accounts: ({ order, settlement }) => {
      const moved = [customerAccount(order.customer_id, 'USDT'), OPTIONS_POOL];
      return settlement.fee.units > 0n ? [...moved, FEES] : moved;
    },

    load: async (_transaction, _commands, now) => ({ now }),

    decide: (command) => accept({ transfers: transfersOf(command), answer: { outcome: command.settlement.outcome } }),

    async write(transaction, accepted: readonly AcceptedPosting<SettlementCommand, SettlementAnswer>[], { now }) {
      const settled = accepted.map(({ command, intent }) => ({
        id: command.order.id,
        settlement: command.settlement,
        journal: intent.id,
      }));
      const closed = new Exposures();
      for (const { command } of accepted) closed.add(command.order);
      await Promise.all([settleOrders(transaction, settled, now), lowerExposure(transaction, closed.rows())]);
    },
  };
}
