import type { User } from '@sathorn/api';
import {
  type AssetCode,
  COIN_CODES,
  formatMoney,
  type Money,
  money,
  mulDiv,
  scaleOf,
  UNIT_OF_ACCOUNT,
} from '@sathorn/money';
import { accountsWhere, type Balance, spotFundsOf } from '../../ledger/index.ts';
import { readCredential } from './credential-store.ts';
import type { CustomerRow } from './customer-store.ts';
import type { CustomersModule } from './customers.ts';
import { findLatestFactorReset } from './factor-reset/factor-reset-store.ts';

/** The accounts that may hold a customer's USDT. */
export const TOTAL_ACCOUNTS = accountsWhere(({ isInTotal }) => isInTotal);

function sum(
  asset: AssetCode,
  balances: readonly Balance[],
  unitsOf: (balance: Balance) => bigint,
  accounts: ReadonlySet<string>,
): Money {
  const counted = balances.filter(({ account }) => account.asset === asset && accounts.has(account.name));
  return money(
    asset,
    counted.reduce((units, balance) => units + unitsOf(balance), 0n),
  );
}

interface CoinHolding {
  readonly amount: Money;
  readonly held: Money;
  /** Valued at the newest index, rounded down. */
  readonly value: Money<'USDT'> | null;
}

function coinsOf(balances: readonly Balance[], priceOf: CustomersModule['priceOf']): CoinHolding[] {
  const funds = spotFundsOf(balances);
  return COIN_CODES.flatMap((coin) => {
    const { available, held } = funds.get(coin) ?? { available: 0n, held: 0n };
    const units = available + held;
    if (units === 0n) return [];
    const price = priceOf(coin);
    const value = price === null ? null : money('USDT', mulDiv(units, price, 10n ** BigInt(scaleOf(coin)), 'down'));
    return [{ amount: money(coin, units), held: money(coin, held), value }];
  });
}

/** A customer as they see themselves, unmasked. */
export async function viewUser(
  { database, ledger, priceOf, standing, secondFactor }: CustomersModule,
  customer: CustomerRow,
): Promise<User> {
  const [balances, paymentPassword, { certification, level }, hasSecondFactor, reset] = await Promise.all([
    ledger.balances(customer.id),
    readCredential(database, customer.id, 'payment'),
    standing(customer.id),
    secondFactor.hasFactor(customer.id),
    findLatestFactorReset(database, customer.id),
  ]);
  const spot = new Set(['spot']);
  const of = (asset: AssetCode, unitsOf: (balance: Balance) => bigint, accounts: ReadonlySet<string>): string =>
    formatMoney(sum(asset, balances, unitsOf, accounts));
  const whole = ({ available, held }: Balance): bigint => available + held;
  const coins = coinsOf(balances, priceOf);
  const total = coins.reduce<bigint>(
    (units, { value }) => units + (value?.units ?? 0n),
    sum(UNIT_OF_ACCOUNT, balances, whole, TOTAL_ACCOUNTS).units,
  );
  return {
    id: String(customer.id),
    username: customer.username,
    phone: customer.phone,
    email: customer.email,
    nickname: customer.nickname,
    avatar: customer.avatar,
    currency: customer.currency,
    invite_code: customer.invite_code,
    invite_allowed: customer.invite_allowed,
    vip_level: level,
    balance: of(UNIT_OF_ACCOUNT, ({ available }) => available, spot),
    total: formatMoney(money(UNIT_OF_ACCOUNT, total)),
    lockup: of(UNIT_OF_ACCOUNT, whole, new Set(['lockup'])),
    liquidity: of(UNIT_OF_ACCOUNT, whole, new Set(['liquidity'])),
    coins: coins.map(({ amount, held, value }) => ({
      code: amount.asset,
      amount: formatMoney(amount),
      held: formatMoney(held),
      value: value && formatMoney(value),
    })),
    held: formatMoney(money(UNIT_OF_ACCOUNT, spotFundsOf(balances).get(UNIT_OF_ACCOUNT)?.held ?? 0n)),
    score: of('POINTS', ({ available }) => available, spot),
    certification,
    public_wins: customer.public_wins,
    has_paypass: paymentPassword !== null,
    second_factor: hasSecondFactor,
    second_factor_reset_until: reset?.state === 'waiting' ? reset.due_at.toISOString() : null,
    created_at: customer.created_at.toISOString(),
  };
}
