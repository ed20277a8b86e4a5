import { startPasskeyLogin } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { passkeyRequestOptions } from '../../platform/webauthn.ts';
import type { OperatorsModule } from './operators.ts';
import { insertStepUpChallenge } from './step-up.ts';

export function startPasskeyLoginHandler({ database, party }: OperatorsModule): Handler {
  return handle(startPasskeyLogin, async () => {
    const question = await passkeyRequestOptions(party, []);
    const { id } = await insertStepUpChallenge(database, {
      purpose: 'login',
      operator: null,
      challenge: question.challenge,
    });
    return accept({ challenge: id, options: JSON.stringify(question) });
  });
}
