import { finishProof, startProof } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';

/** Loaded with the first use: most people sign in without. */
const library = () => import('@simplewebauthn/browser');

export const hasPasskeySupport = (): boolean => typeof PublicKeyCredential === 'function';

/** JSON for the server; null when the person or the browser said no. */
export async function makePasskey(options: string): Promise<string | null> {
  const { startRegistration } = await library();
  try {
    return JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) }));
  } catch {
    return null;
  }
}

export async function answerWithPasskey(options: string): Promise<string | null> {
  const { startAuthentication } = await library();
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) }));
  } catch {
    return null;
  }
}

/**
 * A proof that this customer's passkey vouches for exactly this operation, to be sent as its `otp`; null when there is
 * none. The server forgets it after 120 seconds.
 */
export async function provePasskey(operation: 'withdrawal' | 'payee', subject: string): Promise<string | null> {
  const started = await callServer(startProof, { operation, subject });
  if (!started.ok || !started.data.passkey) return null;
  const credential = await answerWithPasskey(started.data.options);
  if (credential === null) return null;
  const finished = await callServer(finishProof, { id: started.data.id, credential });
  return finished.ok ? finished.data.proof : null;
}
