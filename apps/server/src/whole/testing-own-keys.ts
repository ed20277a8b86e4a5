import { addApiKey, type Call, finishOwnPasskey, finishProof, startOwnPasskey, startProof } from '@sathorn/api';
import { createTestPasskey } from '../people/customers/second-factor/testing-passkey.ts';
import type { TestForm, TestPlatform } from './testing-platform.ts';

export interface MadeKey {
  readonly id: string;
  /** Null for a key whose public half was brought. */
  readonly secret: string | null;
}

/** Registers a passkey for a customer who is signed in, and returns a function that makes API keys with it. */
export async function openKeyMaker(
  platform: TestPlatform,
  { token, paypass }: { readonly token: string; readonly paypass: string },
): Promise<(fields: TestForm) => Promise<MadeKey>> {
  const get = async (call: Call, fields: TestForm) => {
    const { answer } = await platform.send(call, fields, { token });
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.data.code}`);
    return answer.data;
  };
  const passkey = createTestPasskey({ origin: 'http://localhost:0' });
  const started = await get(startOwnPasskey, { paypass });
  const registered = passkey.register(String(started.options));
  await get(finishOwnPasskey, { id: String(started.id), credential: registered, name: 'a phone' });
  return async (fields) => {
    const step = await get(startProof, { operation: 'api_key', subject: 'own' });
    const credential = passkey.sign(String(step.options));
    const { proof } = await get(finishProof, { id: String(step.id), credential });
    const added = await get(addApiKey, { paypass, otp: String(proof), ...fields });
    const { key, secret } = added as unknown as { key: { id: string }; secret: string | null };
    return { id: key.id, secret };
  };
}
