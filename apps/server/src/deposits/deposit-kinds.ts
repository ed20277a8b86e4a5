import { accept, refuse } from '@sathorn/settlement';
import { customerAccount, houseAccount, type JournalKind } from '../ledger/index.ts';
import { type DepositRow, writeCredit, writeReversal } from './deposit-store.ts';
import { type HotTransfer, takeHotIncome } from './scan-store.ts';

const CLEARING = houseAccount('inbound_clearing', 'USDT');
const CAPITAL = houseAccount('house_capital', 'USDT');
const HOT = houseAccount('reserve_hot', 'USDT');

export interface CreditCommand {
  readonly deposit: DepositRow;
  readonly at: Date;
}

/**
 * Credits tokens that arrived at the customer's own address, once they have enough confirmations. Frozen customers are
 * credited too.
 */
export const CHAIN_CREDIT: JournalKind<CreditCommand, null, never> = {
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
    accepted.map(({ command: { deposit, at }, intent }) =>
      writeCredit(transaction, { id: deposit.id, blockHash: deposit.block_hash, journal: intent.id, line: null, at }),
    ),
};

export interface ReversalAnswer {
  /** Units of USDT that the customer had already spent. */
  readonly shortfall: string;
}

/**
 * Reverses a credited deposit whose block left the chain. The customer's available balance is debited, never below
 * zero, and the house bears the rest.
 */
export const CHAIN_REVERSAL: JournalKind<CreditCommand, ReversalAnswer, 'house_short'> = {
  name: 'deposits.reverse',
  customer: () => null,
  accounts: ({ deposit }) => [CLEARING, CAPITAL, customerAccount(deposit.customer_id, 'USDT')],
  decide: ({ deposit }, funds) => {
    const spot = customerAccount(deposit.customer_id, 'USDT');
    const available = funds.available(spot);
    const hasAll = available >= deposit.amount;
    const taken = hasAll ? deposit.amount : available;
    const shortfall = deposit.amount - taken;
    if (shortfall > funds.available(CAPITAL)) return refuse('house_short');
    const part = (debit: typeof spot, units: bigint) =>
      units > 0n ? [{ kind: 'single', debit, credit: CLEARING, units, code: 'deposit_reversed' } as const] : [];
    return accept({
      transfers: [...part(spot, taken), ...part(CAPITAL, shortfall)],
      answer: { shortfall: String(shortfall) },
    });
  },
  write: (transaction, { accepted }) =>
    accepted.map(({ command: { deposit, at }, intent, answer }) =>
      writeReversal(transaction, { deposit, journal: intent.id, shortfall: BigInt(answer.shortfall), at }),
    ),
};

/** Tokens that reached the house's own wallet: added capital, or swept from a deposit address. */
export const HOT_INCOME: JournalKind<HotTransfer, null, never> = {
  name: 'deposits.hot_income',
  customer: () => null,
  accounts: () => [HOT, CAPITAL, CLEARING],
  decide: ({ direction, amount }) =>
    accept({
      transfers: [
        direction === 'sweep'
          ? { kind: 'single', debit: HOT, credit: CLEARING, units: amount, code: 'sweep' }
          : { kind: 'single', debit: HOT, credit: CAPITAL, units: amount, code: 'capital_received' },
      ],
      answer: null,
    }),
  write: (transaction, { accepted }) =>
    accepted.map(({ command, intent }) => takeHotIncome(transaction, command, intent.id)),
};
