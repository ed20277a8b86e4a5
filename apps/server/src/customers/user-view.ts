import type { User } from '@sathorn/api';
import { type AssetCode, formatMoney, money, UNIT_OF_ACCOUNT } from '@sathorn/money';
import { type Balance, spotFunds } from '../ledger/index.ts';
import { readCredential } from './credential-store.ts';
import type { CustomerRow } from './customer-store.ts';
import type { Room } from './room.ts';

/** Where a customer's USDT can be. */
const TOTAL_ACCOUNTS: ReadonlySet<string> = new Set(['spot', 'in_orders', 'lockup', 'liquidity']);
/** VIP levels count from here; deposits, which raise them, are not served yet. */
const FIRST_LEVEL = 0;

function sum(
  asset: AssetCode,
  balances: readonly Balance[],
  unitsOf: (balance: Balance) => bigint,
  accounts: ReadonlySet<string>,
): string {
  const counted = balances.filter(({ account }) => account.asset === asset && accounts.has(account.name));
  return formatMoney(
    money(
      asset,
      counted.reduce((units, balance) => units + unitsOf(balance), 0n),
    ),
  );
}

/** A customer as they see themselves: nothing of their own is masked. */
export async function viewUser({ database, ledger }: Room, customer: CustomerRow): Promise<User> {
  const [balances, paymentPassword] = await Promise.all([
    ledger.balances(customer.id),
    readCredential(database, customer.id, 'payment'),
  ]);
  const spot = new Set(['spot']);
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
    vip_level: FIRST_LEVEL,
    balance: sum(UNIT_OF_ACCOUNT, balances, ({ available }) => available, spot),
    total: sum(UNIT_OF_ACCOUNT, balances, ({ available, held }) => available + held, TOTAL_ACCOUNTS),
    lockup: sum(UNIT_OF_ACCOUNT, balances, ({ available, held }) => available + held, new Set(['lockup'])),
    liquidity: sum(UNIT_OF_ACCOUNT, balances, ({ available, held }) => available + held, new Set(['liquidity'])),
    held: formatMoney(money(UNIT_OF_ACCOUNT, spotFunds(balances).get(UNIT_OF_ACCOUNT)?.held ?? 0n)),
    score: sum('POINTS', balances, ({ available }) => available, spot),
    certification: { primary: 'none', advanced: 'none', reason: null },
    has_paypass: paymentPassword !== null,
    second_factor: false,
    created_at: customer.created_at.toISOString(),
  };
}
