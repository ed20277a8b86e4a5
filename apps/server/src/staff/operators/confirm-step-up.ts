import { confirmStepUp } from '@sathorn/api';
import { canonicalText, faultOfProof } from '@sathorn/proof';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle, type OperatorSession } from '../../platform/edge/index.ts';
import { signAsDemoVoter, type VoterRow } from '../votes/index.ts';
import type { OperatorsModule } from './operators.ts';
import { findAnsweringPasskey } from './passkeys.ts';
import { confirmStepUpChallenge, findStepUpChallenge, type SignedVote, type StepUpChallengeRow } from './step-up.ts';
import { useAuthenticatorCode } from './use-authenticator-code.ts';
import { isSignatureRequired, readTrustedKeys, signedTextOf, voterRegistrationOf } from './voting.ts';

interface Answer {
  readonly code?: string | undefined;
  readonly credential?: string | undefined;
  readonly signature?: string | undefined;
  readonly key?: string | undefined;
}

/** The passkey's assertion in the form in which votes store it. */
function assertionOf(credential: string): string {
  const { response } = JSON.parse(credential) as { response: Record<string, string> };
  const { authenticatorData = '', clientDataJSON = '', signature = '' } = response;
  return canonicalText({ authenticator_data: authenticatorData, client_data: clientDataJSON, signature });
}

/**
 * The signature under a vote or an act, by a trusted key: the passkey's assertion, the browser key's signature, or in
 * the demo a signature by the server.
 */
async function signedWith(
  { voting }: OperatorsModule,
  operator: OperatorSession,
  vote: string,
  voters: readonly VoterRow[],
  given: Answer & { readonly passkey: string | null },
): Promise<SignedVote | null> {
  const sealed = async (voter: VoterRow | undefined, proof: string): Promise<SignedVote | null> =>
    voter && (await faultOfProof(proof, vote, voterRegistrationOf(voter))) === null ? { key: voter.id, proof } : null;
  if (given.passkey !== null && given.credential !== undefined)
    return sealed(
      voters.find(({ passkey }) => passkey === given.passkey),
      assertionOf(given.credential),
    );
  if (given.signature !== undefined)
    return sealed(
      voters.find(({ kind, id }) => kind === 'device' && id === given.key),
      canonicalText({ signature: given.signature }),
    );
  const demo = voters.find(({ kind }) => kind === 'demo');
  return voting.mode === 'demo' ? sealed(demo, signAsDemoVoter(voting.sessionKey, operator.id, vote)) : null;
}

/** The text that the person signs with this confirmation; null if nothing is signed. */
async function toSign(
  module: OperatorsModule,
  operator: OperatorSession,
  { id, act, subject, fingerprint }: StepUpChallengeRow,
) {
  if (act === null || subject === null || fingerprint === null || !isSignatureRequired(act)) return null;
  const of = { stepUp: id, act, subject, fingerprint: fingerprint.toString('hex') };
  return { text: await signedTextOf(module.database, operator.id, of) };
}

export function confirmStepUpHandler(module: OperatorsModule): Handler {
  const { database, keys, attempts } = module;
  const factorOf = async (
    operator: OperatorSession,
    challenge: StepUpChallengeRow,
    { code, credential }: Answer,
    address: string,
    now: Date,
  ): Promise<Decision<{ passkey: string | null }, 'step_up_wrong' | 'login_delayed'>> => {
    if (credential !== undefined) {
      const passkey = await findAnsweringPasskey(database, module, challenge.challenge, credential, now);
      if (passkey?.operator !== operator.id) return refuse('step_up_wrong', { field: 'credential' });
      return accept({ passkey: passkey.id });
    }
    // Guessing codes with a stolen token has the same limit as guessing at the sign-in.
    const name = `step_up.${operator.workName}`;
    const wait = await attempts.begin(name, address, now);
    if (wait > 0) return refuse('login_delayed', { params: { wait: String(wait) } });
    if (!(await useAuthenticatorCode(database, keys, operator.id, code ?? '', now)))
      return refuse('step_up_wrong', { field: 'code' });
    await attempts.succeeded(name, address);
    return accept({ passkey: null });
  };

  return handle(confirmStepUp, async ({ operator, request, client, now }) => {
    const challenge = await findStepUpChallenge(database, request.step_up, 'decision', operator);
    if (!challenge) return refuse('step_up_expired');
    const factor = await factorOf(operator, challenge, request, client.address, now);
    if (!factor.ok) return factor;
    const { passkey } = factor.effect;
    let signed: SignedVote | null = null;
    const vote = await toSign(module, operator, challenge);
    if (vote !== null) {
      // The content of the ballot has changed since it was shown.
      if (vote.text === null) return refuse('step_up_expired');
      const voters = await readTrustedKeys(database, operator.id);
      signed = await signedWith(module, operator, vote.text, voters, { ...request, passkey });
      if (signed === null) return refuse('vote_unsigned');
    }
    const by = passkey === null ? 'authenticator' : 'passkey';
    return (await confirmStepUpChallenge(database, challenge.id, by, signed)) ? accept({}) : refuse('step_up_expired');
  });
}
