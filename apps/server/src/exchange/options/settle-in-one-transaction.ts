import { accept, type Decision, type OptionSettlement } from '@sathorn/settlement';
import { type HoldEnding, type HoldResolutionKind, houseAccount, type Ledger } from '../../ledger/index.ts';
import { Exposures } from './exposures.ts';
import { type HeldOption, lowerExposure, settleOptionOrders } from './option-store.ts';

export interface SettlementCommand {
  readonly order: HeldOption;
  readonly settlement: OptionSettlement;
}

const KIND: HoldResolutionKind = {
  name: 'options.settle',
  charges: { to: houseAccount('fee_income', 'USDT'), code: 'option_fee' },
};
/** Ends an order's two holds: only a loss takes the stake, only a win takes the house's part, less the fee. */
function endsOf({ order, settlement: { outcome, profit, fee } }: SettlementCommand): [HoldEnding, HoldEnding] {
  return [
    { hold: order.stake_hold, posted: outcome === 'lost' ? order.stake.units : null, charge: 0n },
    { hold: order.promised_hold, posted: outcome === 'won' ? profit.units : null, charge: fee.units },
  ];
}

/**
 * Settles orders in one transaction, as the journal with that id; returns those that were settled. Other processes may
 * settle at the same time, and after a crash an order may appear again in another batch. An order that is no longer
 * holding when its row is written is left out with its transfers.
 */
export async function settleInOneTransaction(
  ledger: Ledger,
  commands: readonly SettlementCommand[],
  journal: string,
  now: Date,
): Promise<Decision<readonly SettlementCommand[], 'money_halted'>> {
  let settled: readonly SettlementCommand[] = [];
  const decision = await ledger.resolveHolds(KIND, async (transaction, resolve) => {
    const written = await settleOptionOrders(transaction, commands, journal, now);
    settled = commands.filter(({ order }) => written.has(order.id));
    if (settled.length === 0) return new Set();

    const closed = new Exposures();
    for (const { order } of settled) closed.add(order);
    const resolution = { intent: { id: journal, digest: KIND.name }, ends: settled.flatMap(endsOf) };
    // Both are sent together and in this order, so that the exposure changes under the ledger's lock.
    await Promise.all([resolve(resolution), lowerExposure(transaction, closed.rows())]);
    return new Set(settled.map(({ order }) => order.customer_id));
  });
  return decision.ok ? accept(settled) : decision;
}
