import { addVotingKey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OperatorsModule } from './operators.ts';
import { addVoter } from './register-voter.ts';
import { deviceFingerprint } from './start-passkey.ts';

/** Adds a key that this browser stores, for operators without a passkey. */
export function addVotingKeyHandler(module: OperatorsModule): Handler {
  const { database, stepUps, audit, voting } = module;
  return handle(addVotingKey, async ({ operator, request, now }) => {
    if (!voting.allowsDevices) return refuse('device_keys_off');
    return database.transaction(async (transaction) => {
      const id = String(operator.id);
      const of = { act: 'device.add', subject: id, fingerprint: deviceFingerprint(operator.id) };
      if (!(await stepUps.spend(transaction, operator, of)).ok) return refuse('step_up_expired');
      const key = {
        kind: 'device' as const,
        public_key: request.public_key,
        party: '',
        passkey: null,
        name: request.name,
      };
      const approval = await addVoter(module, transaction, operator, key, now);
      if (approval === null) return refuse('step_up_wrong', { field: 'public_key' });
      await audit.append(transaction, {
        operator,
        what: 'operator.device_added',
        on: { kind: 'operator', id },
        note: request.name,
      });
      return accept({ approval });
    });
  });
}
