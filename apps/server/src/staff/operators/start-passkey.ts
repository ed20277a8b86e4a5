import { createHash } from 'node:crypto';
import { startPasskey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { passkeyCreationOptions } from '../../platform/webauthn.ts';
import type { OperatorsModule } from './operators.ts';
import { listPasskeyRows } from './passkey-store.ts';
import { VOTE_ALGORITHMS } from './passkeys.ts';
import { insertStepUpChallenge } from './step-up.ts';

/** The content to confirm before a device is added: only the operator, because nothing is known of the device yet. */
export const deviceFingerprint = (operator: bigint): string =>
  createHash('sha256').update(`device of operator ${operator}`).digest('hex');

export function startPasskeyHandler({ database, party, stepUps }: OperatorsModule): Handler {
  return handle(startPasskey, async ({ operator }) =>
    database.transaction(async (transaction) => {
      const of = {
        act: 'device.add',
        subject: String(operator.id),
        fingerprint: deviceFingerprint(operator.id),
      };
      if (!(await stepUps.spend(transaction, operator, of)).ok) return refuse('step_up_expired');
      const question = await passkeyCreationOptions(
        party,
        { id: `operator ${operator.id}`, name: operator.workName },
        await listPasskeyRows(transaction, operator.id),
        VOTE_ALGORITHMS,
      );
      const { id } = await insertStepUpChallenge(transaction, {
        purpose: 'device',
        operator,
        challenge: question.challenge,
      });
      return accept({ challenge: id, options: JSON.stringify(question) });
    }),
  );
}
