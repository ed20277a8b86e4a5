import { loginOperator } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { recoveryHashOf } from './enrolment.ts';
import { openOperatorSession } from './open-operator-session.ts';
import { findOperator, readOperatorCredential, useRecoveryCodeOnce } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';
import { useAuthenticatorCode } from './use-authenticator-code.ts';

/** Judges password and second factor together, so that the answer does not reveal which of them was wrong. */
export function loginOperatorHandler(module: OperatorsModule): Handler {
  const { database, hasher, attempts, keys, audit } = module;
  return handle(loginOperator, async ({ request, client, now }) => {
    const wait = await attempts.begin(request.username, client.address, now);
    if (wait > 0) return refuse('login_delayed', { params: { wait: String(wait) } });
    const operator = await findOperator(database, request.username);
    const credential = operator && (await readOperatorCredential(database, operator.id));
    const { isRight } =
      operator && credential
        ? await hasher.verify(request.password, credential.password, { customer: operator.id, kind: 'operator' })
        : await hasher.verifyNobody(request.password);

    const entered = await database.transaction(async (transaction) => {
      if (!operator?.is_active || !credential || !isRight) return null;
      const isCode = await useAuthenticatorCode(transaction, keys, operator.id, request.code, now);
      const isRecovery =
        !isCode &&
        (await useRecoveryCodeOnce(transaction, operator.id, recoveryHashOf(keys, operator.id, request.code), now));
      if (!isCode && !isRecovery) return null;
      const factor = isCode ? 'authenticator' : 'recovery_code';
      return openOperatorSession(module, transaction, operator, { factor, ...client }, now);
    });
    if (entered === null) {
      if (operator)
        await database.transaction((transaction) =>
          audit.append(transaction, {
            operator: null,
            what: 'operator.sign_in_refused',
            on: { kind: 'operator', id: String(operator.id) },
            after: { network: keys.hash('network', client.address).toString('hex').slice(0, 16) },
          }),
        );
      return refuse('credentials_wrong');
    }
    await attempts.succeeded(request.username, client.address);
    return accept(entered);
  });
}
