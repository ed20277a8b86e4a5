import { readFactorReset } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { viewFactorResetLine } from './list-factor-resets.ts';
import { maskAddress, maskEmail, maskPhone } from './mask.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export function readFactorResetHandler({ database, customers, operators }: ConsoleModule): Handler {
  return handle(readFactorReset, async ({ operator, request: { id }, now }) => {
    const seen = await customers.factorReset(id);
    const customer = seen && (await customers.read(seen.row.customer));
    if (!seen || !customer) return refuse('reset_unknown', { field: 'id' });
    const { row } = seen;
    await database.transaction((transaction) =>
      operators.audit.append(transaction, {
        operator,
        what: 'factor_reset.opened',
        on: { kind: 'factor_reset', id },
        customer: row.customer,
      }),
    );
    const sessions = await customers.sessions(row.customer, now);
    return accept({
      ...viewFactorResetLine(row, customer.username),
      device: row.device,
      address: maskAddress(row.address),
      is_known_device: row.is_known_device,
      is_known_network: row.is_known_network,
      authenticator_since: iso(seen.authenticatorSince),
      passkeys: seen.passkeys,
      recovery_codes: seen.recoveryCodes,
      factor_used_at: iso(seen.factorUsedAt),
      password_changed_at: iso(seen.passwordChangedAt),
      credentials_changed_at: iso(seen.credentialsChangedAt),
      has_word: seen.hasWord,
      open_sessions: sessions.length,
      session_used_at: iso(sessions[0]?.used_at ?? null),
      contacts: [maskPhone(customer.phone), maskEmail(customer.email)].filter((contact) => contact !== null),
      earlier: seen.earlier.map((one) => viewFactorResetLine(one, customer.username)),
      approval: await operators.viewApproval(row.approval, operator),
    });
  });
}
