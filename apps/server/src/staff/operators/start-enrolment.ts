import { startEnrolment } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { authenticatorUri, encodeBase32 } from './authenticator.ts';
import { enrolmentKeyOf } from './enrolment.ts';
import { enrolmentHashOf } from './enrolment-code.ts';
import { findOperator, type OperatorRow } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';

/** The operator whom this one-time secret enrols; null for a wrong name or secret, or after it has expired. */
export async function findInvitedOperator(
  { database }: Pick<OperatorsModule, 'database'>,
  username: string,
  secret: string,
): Promise<OperatorRow | null> {
  const operator = await findOperator(database, username);
  return operator?.is_active && operator.enrolment_hash?.equals(enrolmentHashOf(secret)) ? operator : null;
}

export function startEnrolmentHandler(module: OperatorsModule): Handler {
  const { attempts, keys, issuer } = module;
  return handle(startEnrolment, async ({ request, client, now }) => {
    const wait = await attempts.begin(request.username, client.address, now);
    if (wait > 0) return refuse('login_delayed', { params: { wait: String(wait) } });
    const operator = await findInvitedOperator(module, request.username, request.secret);
    if (operator === null) return refuse('enrolment_wrong', { field: 'secret' });
    await attempts.succeeded(request.username, client.address);
    const key = enrolmentKeyOf(keys, operator.id, request.secret);
    return accept({ key: encodeBase32(key), uri: authenticatorUri(key, issuer, operator.work_name) });
  });
}
