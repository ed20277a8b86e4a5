import { addDeviceKey, listOrdered, orderedFields, type RequestOf, type ResultOf } from '@sathorn/api';
import { type Answer, callServer, type OrderSigner, type OrderToSign } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { bytesOfOrdered, bytesToCommit, writeOrdered } from '@sathorn/proof/ordered';
import { canKeepKeys, keepDeviceKey, makeDeviceKey, readDeviceKey, signWithKey, toHex } from './device-key.ts';
import { keepOrder } from './kept-orders.ts';

const customerOf = (): string | undefined => useSession.getState().user?.id;

async function commit(
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly salt: string; readonly hash: string }> {
  const salt = toHex(crypto.getRandomValues(new Uint8Array(16)));
  return { salt, hash: toHex(await crypto.subtle.digest('SHA-256', bytesToCommit(salt, fields))) };
}

const base64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

async function sign({ call, intent, form, isHidden }: OrderToSign): Promise<string | null> {
  const customer = customerOf();
  const key = customer === undefined ? null : await readDeviceKey(customer);
  if (customer === undefined || key === null || key.since === null) return null;
  const fields = orderedFields(Object.fromEntries(new URLSearchParams(form)));
  const hidden = isHidden ? await commit(fields) : null;
  const body = writeOrdered({ key: key.id, call, intent, fields: hidden?.hash ?? fields, atMs: Date.now() });
  const signature = await signWithKey(key, bytesOfOrdered(body));
  void keepOrder(customer, intent, null);
  return [base64Url(body), signature, ...(hidden === null ? [] : [hidden.salt])].join('.');
}

/** The id of the record that an answer shows: an order, a withdrawal, or a payee of either kind. */
function recordIdOf(data: unknown): string | null {
  const { id, card, wallet } = data as Record<string, unknown>;
  if (typeof id === 'string') return id;
  return typeof (card ?? wallet) === 'object' ? recordIdOf(card ?? wallet ?? {}) : null;
}

function answered({ intent }: OrderToSign, answer: Answer<unknown>): void {
  const customer = customerOf();
  if (customer === undefined) return;
  if (answer.ok) void keepOrder(customer, intent, recordIdOf(answer.data));
  // The key was removed on another device. The next order goes out unsigned, and says so.
  else if (answer.code === 'device_key_unknown') void keepDeviceKey(customer, null).catch(() => undefined);
}

export const signer: OrderSigner = { sign, answered };

type Confirmation = Pick<RequestOf<typeof addDeviceKey>, 'paypass' | 'otp'>;

/** Registers this device's key, and makes one first if there is none. */
export async function registerDeviceKey(
  customer: string,
  confirmation: Confirmation = {},
): Promise<Answer<ResultOf<typeof addDeviceKey>>> {
  const key = (await readDeviceKey(customer)) ?? (await makeDeviceKey(customer));
  const answer = await callServer(addDeviceKey, { public_key: key.publicKey, ...confirmation });
  if (answer.ok) await keepDeviceKey(customer, { ...key, since: answer.data.created_at });
  return answer;
}

/**
 * Loads the key of a customer who is signed in. The first device of an account registers its key by itself; others wait
 * for the customer's confirmation. Then looks at what the platform says that this device ordered.
 */
export async function prepareDeviceKey(customer: string): Promise<void> {
  if (!canKeepKeys()) return;
  const key = await readDeviceKey(customer);
  if (key === null) return void (await registerDeviceKey(customer));
  const answer = await callServer(listOrdered, {});
  if (!answer.ok || customerOf() !== customer) return;
  const { keys, since, items } = answer.data;
  const isRegistered = keys.includes(key.id);
  // The answer to the registration may have been lost.
  if (key.since === null) return void ((isRegistered || since === null) && (await registerDeviceKey(customer)));
  if (!isRegistered) return keepDeviceKey(customer, null);
  const { checkOrders } = await import('./check-orders.ts');
  await checkOrders(customer, { ...key, since: key.since }, items);
}
