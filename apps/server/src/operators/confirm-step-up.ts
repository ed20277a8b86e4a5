import { confirmStepUp } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { useCode } from './check-code.ts';
import { answerOf } from './passkeys.ts';
import type { Room } from './room.ts';
import { confirmChallenge, findChallenge } from './step-up.ts';

export function confirmStepUpHandler({ database, keys, party, attempts }: Room): Handler {
  return handle(confirmStepUp, async ({ operator, request, client, now }) => {
    const { step_up: id, code, credential } = request;
    const challenge = await findChallenge(database, id, 'decision', operator);
    if (!challenge) return refuse('step_up_expired');
    if (credential !== undefined) {
      const passkey = await answerOf(database, party, challenge.challenge, credential, now);
      if (passkey?.operator !== operator.id) return refuse('step_up_wrong', { field: 'credential' });
    } else {
      // Guessing codes with a stolen token is limited like guessing at the sign-in.
      const name = `step_up.${operator.workName}`;
      const wait = await attempts.begin(name, client.address, now);
      if (wait > 0) return refuse('login_delayed', { params: { wait: String(wait) } });
      if (!(await useCode(database, keys, operator.id, code ?? '', now)))
        return refuse('step_up_wrong', { field: 'code' });
      await attempts.succeeded(name, client.address);
    }
    const by = credential === undefined ? 'authenticator' : 'passkey';
    return (await confirmChallenge(database, id, by)) ? accept({}) : refuse('step_up_expired');
  });
}
