import { randomBytes, randomUUID } from 'node:crypto';
import { startStepUp } from '@sathorn/api';
import { challengeOfVote } from '@sathorn/proof';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { passkeyRequestOptions } from '../../platform/webauthn.ts';
import type { OperatorsModule } from './operators.ts';
import { listPasskeyRows } from './passkey-store.ts';
import { insertStepUpChallenge } from './step-up.ts';
import { readTrustedKeys, signedTextOf } from './voting.ts';

export function startStepUpHandler({ database, party }: OperatorsModule): Handler {
  return handle(startStepUp, async ({ operator, request }) => {
    const { op: act, id: subject, fingerprint } = request;
    const id = randomUUID();
    const vote = await signedTextOf(database, operator.id, { stepUp: id, act, subject, fingerprint });
    const voters = vote === null ? [] : await readTrustedKeys(database, operator.id);
    const own = await listPasskeyRows(database, operator.id);
    const passkeys = vote === null ? own : own.filter((one) => voters.some(({ passkey }) => passkey === one.id));
    // If something is signed, the challenge is derived from the text, so that the passkey's answer is its signature.
    const challenge = vote === null ? undefined : challengeOfVote(vote);
    const question = passkeys.length > 0 ? await passkeyRequestOptions(party, passkeys, challenge) : null;
    const { expiresAt } = await insertStepUpChallenge(database, {
      id,
      purpose: 'decision',
      operator,
      act,
      subject,
      fingerprint,
      challenge: question?.challenge ?? challenge ?? randomBytes(32).toString('base64url'),
    });
    const devices = voters.filter(({ kind }) => kind === 'device');
    const isDemo = voters.some(({ kind }) => kind === 'demo');
    const hasCode = vote === null || devices.length > 0 || isDemo;
    return accept({
      step_up: id,
      expires_at: expiresAt.toISOString(),
      ways: [...(question ? ['passkey'] : []), ...(hasCode ? ['authenticator'] : [])],
      options: question && JSON.stringify(question),
      vote,
      device_keys: devices.map((voter) => voter.id),
      is_demo: isDemo,
    });
  });
}
