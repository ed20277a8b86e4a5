import type { KeyObject } from 'node:crypto';
import { type Money, money } from '@sathorn/money';
import { accept, decideRepayment, decideReversal, splitHouseArrival } from '@sathorn/settlement';
import { customerAccount, houseAccount, type JournalKind } from '../../ledger/index.ts';
import { type DepositRow, writeDepositCredit, writeDepositReversal, writeRecoveredCredit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { type HotTransfer, takeHotIncome } from './scan-store.ts';
import { storeRepayment } from './shortfall-store.ts';

const CLEARING = houseAccount('inbound_clearing', 'USDT');
const CAPITAL = houseAccount('house_capital', 'USDT');
const FEES = houseAccount('fee_income', 'USDT');
const HOT = houseAccount('reserve_hot', 'USDT');
const COLD = houseAccount('reserve_cold', 'USDT');
const usdt = (units: bigint) => money('USDT', units);

interface CreditCommand {
  readonly deposit: DepositRow;
  readonly at: Date;
}

interface ChainCreditCommand extends CreditCommand {
  /** The key of the watcher's seals. */
  readonly key: KeyObject;
}
/**
 * Credits tokens that arrived at the customer's own address, once they have enough confirmations. Frozen customers are
 * credited too.
 */
export const CHAIN_CREDIT_KIND: JournalKind<ChainCreditCommand, null, never> = {
  name: 'deposits.credit',
  customer: () => null,
  accounts: ({ deposit }) => [CLEARING, customerAccount(deposit.customer_id, 'USDT')],
  decide: ({ deposit }) =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: CLEARING,
          credit: customerAccount(deposit.customer_id, 'USDT'),
          units: deposit.amount,
          code: 'deposit',
        },
      ],
      answer: null,
    }),
  write: (transaction, { accepted }) =>
    accepted.map(({ command, intent }) => writeDepositCredit(transaction, { ...command, journal: intent.id })),
};

interface RecoveryCommand extends CreditCommand {
  readonly fee: Money<'USDT'>;
}
/** Credits the whole amount that two people decided on, and charges the published fee. */
export const RECOVERY_CREDIT_KIND: JournalKind<RecoveryCommand, null, never> = {
  name: 'deposits.credit_recovered',
  customer: () => null,
  accounts: ({ deposit }) => [CLEARING, FEES, customerAccount(deposit.customer_id, 'USDT')],
  decide: ({ deposit: { customer_id: customer, amount: units }, fee }) => {
    const spot = customerAccount(customer, 'USDT');
    return accept({
      transfers: [
        { kind: 'single', debit: CLEARING, credit: spot, units, code: 'deposit' },
        { kind: 'single', debit: spot, credit: FEES, units: fee.units, code: 'recovery_fee' },
      ],
      answer: null,
    });
  },
  write: (transaction, { accepted }) =>
    accepted.map(({ command: { deposit, fee, at }, intent }) =>
      writeRecoveredCredit(transaction, { id: deposit.id, fee, journal: intent.id, at }),
    ),
};

interface ReversalCommand extends CreditCommand {
  /** The end of the freeze at the latest, if the house pays a part. */
  readonly until: Date;
}
interface ReversalAnswer {
  /** Units of USDT that the customer had already spent. */
  readonly shortfall: string;
}

/**
 * Reverses a credited deposit whose block left the chain. It debits the customer's available balance, never below zero,
 * and the house pays the rest.
 */
export const reversalKind = ({
  audit,
  freezes,
}: {
  readonly audit: DepositsModule['audit'];
  readonly freezes: Pick<DepositsModule['freezes'], 'freeze'>;
}): JournalKind<ReversalCommand, ReversalAnswer, 'house_short'> => ({
  name: 'deposits.reverse',
  isRepeated: true,
  customer: () => null,
  accounts: ({ deposit }) => [CLEARING, CAPITAL, customerAccount(deposit.customer_id, 'USDT')],
  decide: ({ deposit }, funds) => {
    const spot = customerAccount(deposit.customer_id, 'USDT');
    const decided = decideReversal({
      amount: usdt(deposit.amount),
      available: usdt(funds.available(spot)),
      capital: usdt(funds.available(CAPITAL)),
    });
    if (!decided.ok) return decided;
    const { taken, shortfall } = decided.effect;
    const part = (debit: typeof spot, { units }: Money) =>
      units > 0n ? [{ kind: 'single', debit, credit: CLEARING, units, code: 'deposit_reversed' } as const] : [];
    return accept({
      transfers: [...part(spot, taken), ...part(CAPITAL, shortfall)],
      answer: { shortfall: String(shortfall.units) },
    });
  },
  write: (transaction, { accepted }) =>
    accepted.flatMap(({ command: { deposit, at, until }, intent, answer }) => {
      const shortfall = usdt(BigInt(answer.shortfall));
      const written: Promise<unknown>[] = [
        writeDepositReversal(transaction, { deposit, journal: intent.id, shortfall, at }),
      ];
      const { customer_id: customer } = deposit;
      // Freezes the customer, who could otherwise spend the remaining money as well.
      if (shortfall.units > 0n)
        written.push(
          freezes.freeze(transaction, { id: intent.id, customer, until }),
          audit.append(transaction, {
            operator: null,
            what: 'customer.frozen',
            on: { kind: 'customer', id: String(customer) },
            customer,
            reason: 'deposit_reversed',
            after: { scopes: ['withdrawals', 'trading'], until: until.toISOString(), shortfall: answer.shortfall },
          }),
        );
      return written;
    }),
});

interface RepayCommand {
  readonly customer: bigint;
  /** The customer's debt, which the house paid in their place. */
  readonly owed: Money<'USDT'>;
  readonly at: Date;
}
interface RepayAnswer {
  readonly units: string;
}
/** Repays the house from the customer's available money, up to the customer's debt from a reversed deposit. */
export const repayKind = ({
  audit,
  freezes,
}: Pick<DepositsModule, 'audit' | 'freezes'>): JournalKind<RepayCommand, RepayAnswer, 'exceeds_balance'> => ({
  name: 'deposits.repay_shortfall',
  isRepeated: true,
  customer: () => null,
  accounts: ({ customer }) => [CAPITAL, customerAccount(customer, 'USDT')],
  decide: ({ customer, owed }, funds) => {
    const spot = customerAccount(customer, 'USDT');
    const decided = decideRepayment(owed, usdt(funds.available(spot)));
    if (!decided.ok) return decided;
    const { units } = decided.effect;
    return accept({
      transfers: [{ kind: 'single', debit: spot, credit: CAPITAL, units, code: 'shortfall_repaid' }],
      answer: { units: String(units) },
    });
  },
  write: (transaction, { accepted }) =>
    accepted.flatMap(({ command: { customer, owed, at }, intent, answer }) => {
      const units = BigInt(answer.units);
      const written: Promise<unknown>[] = [storeRepayment(transaction, { id: intent.id, customer, units, at })];
      if (units === owed.units)
        written.push(
          freezes.end(transaction, customer),
          audit.append(transaction, {
            operator: null,
            what: 'customer.unfrozen',
            on: { kind: 'customer', id: String(customer) },
            customer,
            reason: 'shortfall_repaid',
          }),
        );
      return written;
    }),
});

interface HotIncome extends HotTransfer {
  /** True if it comes from another address at which the house keeps money. */
  readonly isFromHouse: boolean;
}
/**
 * Tokens that reached the house's own wallet: swept from a deposit address, back from another address of the house, or
 * added capital. At most the amount that was booked as moved to that address counts as coming back.
 */
export const HOT_INCOME_KIND: JournalKind<HotIncome, null, never> = {
  name: 'deposits.hot_income',
  customer: () => null,
  accounts: () => [HOT, COLD, CAPITAL, CLEARING],
  decide({ direction, amount, isFromHouse }, funds) {
    const part = (credit: typeof HOT, units: bigint, code: 'sweep' | 'house_moved' | 'capital_received') =>
      units > 0n ? [{ kind: 'single', debit: HOT, credit, units, code } as const] : [];
    if (direction === 'sweep') return accept({ transfers: part(CLEARING, amount.units, 'sweep'), answer: null });
    // The account of the house's tokens elsewhere is a debit account, so its balance shows as a negative available
    // amount.
    const { back, capital } = splitHouseArrival(amount, usdt(isFromHouse ? -funds.available(COLD) : 0n));
    return accept({
      transfers: [...part(COLD, back.units, 'house_moved'), ...part(CAPITAL, capital.units, 'capital_received')],
      answer: null,
    });
  },
  write: (transaction, { accepted }) =>
    accepted.map(({ command, intent }) => takeHotIncome(transaction, command, intent.id)),
};
