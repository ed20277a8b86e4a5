// Converts between the binary buffers of WebAuthn and the server's JSON.

const toBytes = (text: string): ArrayBuffer => {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0)).buffer;
};
const toText = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

interface Listed {
  readonly id: string;
  readonly transports?: AuthenticatorTransport[];
}
const listOf = (credentials: readonly Listed[] | undefined): PublicKeyCredentialDescriptor[] =>
  (credentials ?? []).map(({ id, transports }) => ({
    id: toBytes(id),
    type: 'public-key',
    ...(transports?.length ? { transports } : {}),
  }));

export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Answers the server's challenge with a passkey. Returns null if the operator cancels. */
export async function answerWithPasskey(options: string): Promise<string | null> {
  const asked = JSON.parse(options) as PublicKeyCredentialRequestOptions & {
    challenge: string;
    allowCredentials?: Listed[];
  };
  const publicKey = {
    ...asked,
    challenge: toBytes(asked.challenge as string),
    allowCredentials: listOf(asked.allowCredentials as Listed[] | undefined),
  };
  const credential = (await navigator.credentials.get({ publicKey }).catch(() => null)) as PublicKeyCredential | null;
  if (!credential) return null;
  const response = credential.response as AuthenticatorAssertionResponse;
  return JSON.stringify({
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      authenticatorData: toText(response.authenticatorData),
      clientDataJSON: toText(response.clientDataJSON),
      signature: toText(response.signature),
      ...(response.userHandle ? { userHandle: toText(response.userHandle) } : {}),
    },
  });
}

export async function makePasskey(options: string): Promise<string | null> {
  const asked = JSON.parse(options) as {
    challenge: string;
    user: { id: string; name: string; displayName: string };
    excludeCredentials?: Listed[];
  } & Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'>;
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...asked,
    challenge: toBytes(asked.challenge),
    user: { ...asked.user, id: toBytes(asked.user.id) },
    excludeCredentials: listOf(asked.excludeCredentials),
  };
  const credential = (await navigator.credentials
    .create({ publicKey })
    .catch(() => null)) as PublicKeyCredential | null;
  if (!credential) return null;
  const response = credential.response as AuthenticatorAttestationResponse;
  return JSON.stringify({
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      attestationObject: toText(response.attestationObject),
      clientDataJSON: toText(response.clientDataJSON),
      transports: response.getTransports(),
    },
  });
}
