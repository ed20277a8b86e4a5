import { startPasskeyLogin } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { passkeyQuestion } from '../../platform/webauthn.ts';
import type { OperatorsModule } from './operators.ts';
import { insertChallenge } from './step-up.ts';

export function startPasskeyLoginHandler({ database, party }: OperatorsModule): Handler {
  return handle(startPasskeyLogin, async () => {
    const question = await passkeyQuestion(party, []);
    const { id } = await insertChallenge(database, {
      purpose: 'login',
      operator: null,
      challenge: question.challenge,
    });
    return accept({ challenge: id, options: JSON.stringify(question) });
  });
}
