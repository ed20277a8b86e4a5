import type { KeyedOrder, OrderedThing, SignedOrder } from '@sathorn/api';
import { verifyOrdered } from '@sathorn/proof';
import { verifySignedRequest } from '@sathorn/proof/signed-request';
import { type DeviceKey, readDeviceKey } from './device-key.ts';
import { reportFindings } from './evidence-findings.ts';
import { isFromHere, judgeOrders } from './judge-orders.ts';
import { readKeptOrders } from './kept-orders.ts';

const isSignedBy = async (signed: SignedOrder, publicKey: string): Promise<boolean> =>
  (await verifyOrdered(signed, publicKey)) === null;

/** Reports orders that no device signed, and those that are said to be signed by this one and are not. */
export async function checkOrders(
  customer: string,
  { id, publicKey, since }: DeviceKey & { readonly since: string },
  items: readonly OrderedThing[],
): Promise<void> {
  const findings = await judgeOrders(items, { id, since }, await readKeptOrders(customer), {
    isOwn: (signed) => isSignedBy(signed, publicKey),
    nowMs: () => Date.now(),
  });
  if (findings.length > 0) await reportFindings(findings);
}

/** Which device signed a record, verified here; null if it is said to be this one and it was not. */
export async function signerOf(
  customer: string,
  record: string,
  signed: SignedOrder | null,
): Promise<'this' | 'other' | 'none' | null> {
  if (signed === null) return 'none';
  const key = await readDeviceKey(customer);
  if (signed.key !== key?.id) return (await isSignedBy(signed, signed.public_key)) ? 'other' : 'none';
  const isOwn = await isFromHere(record, signed, await readKeptOrders(customer), (own) =>
    isSignedBy(own, key.publicKey),
  );
  return isOwn ? 'this' : null;
}

/** The name of the API key that ordered a record; null if its signature is wrong. Only the platform can verify HMAC. */
export async function keyNameOf({ name, public_key: publicKey, ...kept }: KeyedOrder): Promise<string | null> {
  return publicKey === null || (await verifySignedRequest(kept, publicKey)) === null ? name : null;
}
