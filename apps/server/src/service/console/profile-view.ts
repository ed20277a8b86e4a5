import { createHash } from 'node:crypto';
import type { CustomerProfile } from '@sathorn/api';
import { formatMoney, money, scaleOf } from '@sathorn/money';
import { canonicalText } from '@sathorn/proof';
import { spotFundsOf } from '../../ledger/index.ts';
import type { CustomerRow, FreezeRow } from '../../people/customers/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { hasRole } from './has-role.ts';
import { amountBandOf, maskEmail, maskPhone } from './mask.ts';

export const viewCustomerLine = (customer: CustomerRow, isFrozen: boolean) => ({
  id: String(customer.id),
  username: customer.username,
  nickname: customer.nickname,
  contact: maskPhone(customer.phone) ?? maskEmail(customer.email) ?? '',
  created_at: customer.created_at.toISOString(),
  is_frozen: isFrozen,
});

/** A hash of the state on which a decision about a customer is based; freezes that begin or end change it. */
export function customerStateHash(customer: CustomerRow, freezes: readonly FreezeRow[]): string {
  const seen = canonicalText({
    customer: String(customer.id),
    freezes: freezes.filter(({ is_active }) => is_active).map(({ id, until }) => ({ id, until: until.toISOString() })),
  });
  return createHash('sha256').update(seen).digest('hex');
}

const viewFreeze = (freeze: FreezeRow) => ({
  id: freeze.id,
  scopes: freeze.scopes,
  reason: freeze.reason,
  by: { id: String(freeze.made_by), work_name: freeze.made_by_name },
  from: freeze.starts_at.toISOString(),
  until: freeze.until.toISOString(),
  lifted_at: freeze.lifted_at?.toISOString() ?? null,
});

export async function viewProfile(
  { customers, ledger }: Pick<ConsoleModule, 'customers' | 'ledger'>,
  customer: CustomerRow,
  operator: OperatorSession,
  now: Date,
): Promise<CustomerProfile> {
  const [balances, sessions, freezes] = await Promise.all([
    ledger.balances(customer.id),
    customers.sessions(customer.id, now),
    customers.freezes(customer.id),
  ]);
  const isExact = hasRole(operator, 'compliance', 'finance', 'admin');
  return {
    ...viewCustomerLine(
      customer,
      customer.frozen_reason !== null || freezes.some(({ is_active: isActive }) => isActive),
    ),
    phone: maskPhone(customer.phone),
    email: maskEmail(customer.email),
    currency: customer.currency,
    language: customer.language,
    invited_by: customer.invited_by === null ? null : String(customer.invited_by),
    invite_allowed: customer.invite_allowed,
    sessions: sessions.length,
    freezes: freezes.map(viewFreeze),
    balances: [...spotFundsOf(balances)].map(([asset, { available, held }]) => ({
      asset,
      available: isExact ? formatMoney(money(asset, available)) : amountBandOf(available, scaleOf(asset)),
      held: isExact ? formatMoney(money(asset, held)) : amountBandOf(held, scaleOf(asset)),
      is_band: !isExact,
    })),
    fingerprint: customerStateHash(customer, freezes),
  };
}
