import { finishEnrolment } from '@sathorn/api';
import { isCommonPassword } from '@sathorn/api/common-secrets';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { stepOfCode } from './authenticator.ts';
import { enrolmentKeyOf, storeNewCredentials } from './enrolment.ts';
import { enrolmentHashOf } from './enrolment-code.ts';
import { openOperatorSession } from './open-operator-session.ts';
import { spendEnrolmentOnce } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';
import { findInvitedOperator } from './start-enrolment.ts';

export function finishEnrolmentHandler(module: OperatorsModule): Handler {
  const { database, attempts, keys, issuer } = module;
  return handle(finishEnrolment, async ({ request, client, now }) => {
    const wait = await attempts.begin(request.username, client.address, now);
    if (wait > 0) return refuse('login_delayed', { params: { wait: String(wait) } });
    const operator = await findInvitedOperator(module, request.username, request.secret);
    if (operator === null) return refuse('enrolment_wrong', { field: 'secret' });
    if (isCommonPassword(request.password, { username: request.username, phone: null, email: null, brand: issuer }))
      return refuse('password_common', { field: 'password' });
    const key = enrolmentKeyOf(keys, operator.id, request.secret);
    const usedStep = stepOfCode(key, request.code, now, 0);
    if (usedStep === null) return refuse('code_wrong', { field: 'code' });

    const entered = await database.transaction(async (transaction) => {
      // If two people have the same secret, only one enrols.
      if (!(await spendEnrolmentOnce(transaction, operator.id, enrolmentHashOf(request.secret)))) return null;
      const given = { password: request.password, key, usedStep };
      const codes = await storeNewCredentials(module, transaction, operator.id, given, now);
      const session = await openOperatorSession(
        module,
        transaction,
        operator,
        { factor: 'authenticator', ...client },
        now,
      );
      return { ...session, recovery_codes: codes };
    });
    if (entered === null) return refuse('enrolment_wrong', { field: 'secret' });
    await attempts.succeeded(request.username, client.address);
    return accept(entered);
  });
}
