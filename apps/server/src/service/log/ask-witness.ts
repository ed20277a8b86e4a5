import { createHash } from 'node:crypto';
import { type AskWitness, NOTE_BYTES_MAX, type PolicyWitness } from '@sathorn/transparency';

const PATIENCE_MS = 5_000;

async function textOf(response: Response): Promise<string> {
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength > 2 * NOTE_BYTES_MAX) throw new Error('a witness answered with too much');
  return new TextDecoder().decode(bytes);
}

const request = (witness: PolicyWitness, at: string, init: RequestInit = {}): Promise<Response> => {
  if (witness.url === null) throw new Error(`the policy names no address of ${witness.name}`);
  const url = `${witness.url.replace(/\/$/, '')}${at}`;
  return fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) });
};

export const askWitness: AskWitness = async (witness, body) => {
  const response = await request(witness, '/add-checkpoint', { method: 'POST', body });
  return { status: response.status, body: await textOf(response) };
};

/** The newest note that a witness has of a log; null if it has none, undefined if it did not say. */
export async function hearWitness(witness: PolicyWitness, origin: string): Promise<string | null | undefined> {
  const hash = createHash('sha256').update(origin).digest('hex');
  try {
    const response = await request(witness, `/${hash}/checkpoint`);
    if (response.status === 404) return null;
    return response.status === 200 ? await textOf(response) : undefined;
  } catch {
    return undefined;
  }
}
