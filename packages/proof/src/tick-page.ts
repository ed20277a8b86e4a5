import { isKeyInTime, type ProofKey } from './proof-keys.ts';
import { hashOfBody, keyIdOf, type SignatureFault, type SignedText, verifySignedText } from './signature.ts';
import { faultOfLink, faultOfPrice, readTick, type Tick, type TickFault } from './tick.ts';

export type TickPageFault = SignatureFault | TickFault | 'key_unknown' | 'key_out_of_time' | 'signature_missing';

/**
 * Checks consecutive ticks of one coin, as returned by `GET /proof/ticks`. A tick that is some minutes old may have an
 * empty signature and key: the next signed tick names the hash of the tick before it, and so on, so its signature
 * covers them all. The last tick of a page must therefore be signed. `before` is the tick before the first, if the
 * reader has it. Returns null if nothing is wrong.
 */
export async function verifyTickPage(
  items: readonly SignedText[],
  keys: readonly ProofKey[],
  before?: SignedText,
): Promise<{ readonly at: number; readonly fault: TickPageFault } | null> {
  let previous = before;
  for (const [at, item] of items.entries()) {
    const fault = await faultOfItem(item, keys, previous);
    if (fault !== null) return { at, fault };
    previous = item;
  }
  return items.at(-1)?.signature === '' ? { at: items.length - 1, fault: 'signature_missing' } : null;
}

async function faultOfItem(
  item: SignedText,
  keys: readonly ProofKey[],
  previous: SignedText | undefined,
): Promise<TickPageFault | null> {
  const tick = readTick(item.body);
  if (tick === undefined) return 'tick_malformed';
  if (hashOfBody(item.body) !== item.hash) return 'hash_differs';
  if (item.signature !== '' || item.key !== '') {
    const fault = await faultOfSignature(item, tick, keys);
    if (fault !== null) return fault;
  }
  const fault = faultOfPrice(tick);
  if (fault !== null || previous === undefined) return fault;
  return faultOfLink(tick, readTick(previous.body), previous.hash);
}

async function faultOfSignature(
  item: SignedText,
  tick: Tick,
  keys: readonly ProofKey[],
): Promise<TickPageFault | null> {
  const key = keys.find(({ use, id, public_key }) => use === 'index' && id === item.key && keyIdOf(public_key) === id);
  if (key === undefined) return 'key_unknown';
  return (await verifySignedText(item, key.public_key)) ?? (isKeyInTime(key, tick.at) ? null : 'key_out_of_time');
}
