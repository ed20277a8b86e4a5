import { readSecondFactor } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { readCredential } from '../credential-store.ts';
import { readCustomer } from '../customer-store.ts';
import type { CustomersModule, FactorResets } from '../customers.ts';
import { CREDENTIALS_WAIT_MS } from './guarded-operation.ts';
import {
  countRecoveryCodes,
  listPasskeys,
  readCredentialsChangedAt,
  readSecondFactorRow,
} from './second-factor-store.ts';

export function readSecondFactorHandler({ database }: CustomersModule, resets: FactorResets | null): Handler {
  return handle(readSecondFactor, async ({ customer: { id }, now }) => {
    const [row, codes, passkeys, login, payment, changedAt, customer, reset] = await Promise.all([
      readSecondFactorRow(database, id),
      countRecoveryCodes(database, id),
      listPasskeys(database, id),
      readCredential(database, id, 'login'),
      readCredential(database, id, 'payment'),
      readCredentialsChangedAt(database, id),
      readCustomer(database, id),
      resets?.waiting(id) ?? null,
    ]);
    const until = changedAt && new Date(changedAt.getTime() + CREDENTIALS_WAIT_MS);
    return accept({
      authenticator_since: row?.confirmed_at?.toISOString() ?? null,
      recovery_codes: codes.unused,
      recovery_codes_of: codes.all,
      passkeys: passkeys.map(({ id: passkey, name, created_at: createdAt, used_at: usedAt }) => ({
        id: passkey,
        name,
        created_at: createdAt.toISOString(),
        used_at: usedAt?.toISOString() ?? null,
      })),
      password_changed_at: (login?.changed_at ?? customer.created_at).toISOString(),
      paypass_changed_at: payment?.changed_at.toISOString() ?? null,
      withdrawals_wait_until: until && until > now ? until.toISOString() : null,
      reset: reset && {
        asked_at: reset.asked_at.toISOString(),
        due_at: reset.due_at.toISOString(),
        device: reset.device,
        address: reset.address,
      },
    });
  });
}
