import { readRules } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { sha256, toHex, utf8Bytes } from '@sathorn/proof';

/** True if the server has the option rules with this hash and their text matches it. */
async function isServed(hash: string): Promise<boolean> {
  const answer = await callServer(readRules, { of: 'options', hash });
  return answer.ok && toHex(sha256(utf8Bytes(answer.data.content))) === hash;
}

const served = new Map<string, Promise<boolean>>();

/** True if the rules text with this hash is available. Each hash is requested once per visit. */
export function areRulesServed(hash: string): Promise<boolean> {
  const asked = served.get(hash) ?? isServed(hash);
  served.set(hash, asked);
  void asked.then((is) => is || served.delete(hash));
  return asked;
}

/** Returns the hash of the current rules, computed from their text; null if they could not be read. */
export async function readRulesHash(): Promise<string | null> {
  const answer = await callServer(readRules, { of: 'options' });
  return answer.ok && (await areRulesServed(answer.data.hash)) ? answer.data.hash : null;
}
