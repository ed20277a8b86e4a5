import { finishPasskeyLogin } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { openOperatorSession } from './open-operator-session.ts';
import { readOperatorRow } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';
import { findAnsweringPasskey } from './passkeys.ts';
import { confirmStepUpChallenge, findStepUpChallenge } from './step-up.ts';

/** A passkey counts as two factors: the device, and the person's face, finger or PIN. */
export function finishPasskeyLoginHandler(module: OperatorsModule): Handler {
  const { database } = module;
  return handle(finishPasskeyLogin, async ({ request, client, now }) => {
    const challenge = await findStepUpChallenge(database, request.challenge, 'login', null);
    const passkey =
      challenge && (await findAnsweringPasskey(database, module, challenge.challenge, request.credential, now));
    const operator = passkey && (await readOperatorRow(database, passkey.operator));
    if (!challenge || !operator?.is_active) return refuse('credentials_wrong');
    const entered = await database.transaction(async (transaction) =>
      (await confirmStepUpChallenge(transaction, challenge.id, 'passkey'))
        ? openOperatorSession(module, transaction, operator, { factor: 'passkey', ...client }, now)
        : null,
    );
    return entered ? accept(entered) : refuse('credentials_wrong');
  });
}
