import { finishProof, type RequestOf, startProof } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';

export type ProvenOperation = RequestOf<typeof startProof>['operation'];

/** Loaded on first use, because most people sign in without a passkey. */
const library = () => import('@simplewebauthn/browser');

export const hasPasskeySupport = (): boolean => typeof PublicKeyCredential === 'function';

/** Creates a passkey and returns JSON for the server; null if the person or the browser declined. */
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
 * Lets a passkey confirm exactly this operation and returns the proof to send as `otp`; null if declined. The server
 * accepts it for 120 seconds.
 */
export async function provePasskey(operation: ProvenOperation, subject: string): Promise<string | null> {
  const started = await callServer(startProof, { operation, subject });
  if (!started.ok || !started.data.passkey) return null;
  const credential = await answerWithPasskey(started.data.options);
  if (credential === null) return null;
  const finished = await callServer(finishProof, { id: started.data.id, credential });
  return finished.ok ? finished.data.proof : null;
}

/** Returns a name by which most people would recognise this device. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const known = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'].find((name) => userAgent.includes(name));
  return known ?? 'Passkey';
}
