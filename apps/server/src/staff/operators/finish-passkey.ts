import { finishPasskey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { verifyPasskeyRegistration } from '../../platform/webauthn.ts';
import type { OperatorsModule } from './operators.ts';
import { insertPasskey } from './passkey-store.ts';
import { operatorPasskeyMac, voteKeyOf } from './passkeys.ts';
import { addVoter } from './register-voter.ts';
import { confirmStepUpChallenge, findStepUpChallenge } from './step-up.ts';

export function finishPasskeyHandler(module: OperatorsModule): Handler {
  const { database, keys, party, audit } = module;
  return handle(finishPasskey, async ({ operator, request, now }) => {
    const challenge = await findStepUpChallenge(database, request.challenge, 'device', operator);
    if (!challenge) return refuse('step_up_expired');
    const made = await verifyPasskeyRegistration(party, challenge.challenge, request.credential);
    if (!made) return refuse('step_up_wrong', { field: 'credential' });
    return database.transaction(async (transaction) => {
      if (!(await confirmStepUpChallenge(transaction, challenge.id, 'passkey'))) return refuse('step_up_expired');
      const passkey = {
        ...made,
        operator: operator.id,
        name: request.name,
      };
      const mac = operatorPasskeyMac(keys, passkey);
      if (!(await insertPasskey(transaction, { ...passkey, mac }, now)))
        return refuse('step_up_wrong', { field: 'credential' });
      await audit.append(transaction, {
        operator,
        what: 'operator.device_added',
        on: { kind: 'operator', id: String(operator.id) },
        note: request.name,
      });
      const key = await voteKeyOf(passkey);
      // The key's votes count once two administrators have registered it.
      if (key !== null) {
        const voter = {
          kind: 'passkey' as const,
          public_key: key,
          party: party.id,
          passkey: made.id,
          name: request.name,
        };
        await addVoter(module, transaction, operator, voter, now);
      }
      return accept({});
    });
  });
}
