import { randomBytes } from 'node:crypto';
import { startStepUp } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { listPasskeyRows } from './passkey-store.ts';
import { questionOf } from './passkeys.ts';
import type { Room } from './room.ts';
import { insertChallenge } from './step-up.ts';

export function startStepUpHandler({ database, party }: Room): Handler {
  return handle(startStepUp, async ({ operator, request }) => {
    const passkeys = await listPasskeyRows(database, operator.id);
    const question = passkeys.length > 0 ? await questionOf(party, passkeys) : null;
    const { id, expiresAt } = await insertChallenge(database, {
      purpose: 'decision',
      operator,
      act: request.op,
      subject: request.id,
      fingerprint: request.fingerprint,
      challenge: question?.challenge ?? randomBytes(32).toString('base64url'),
    });
    return accept({
      step_up: id,
      expires_at: expiresAt.toISOString(),
      ways: [...(question ? ['passkey'] : []), 'authenticator'],
      options: question && JSON.stringify(question),
    });
  });
}
