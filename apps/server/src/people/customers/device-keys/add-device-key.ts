import { addDeviceKey, OWN_SUBJECT } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { lockCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { checkFactor } from '../second-factor/check-factor.ts';
import { checkPaymentPassword } from '../second-factor/check-payment-password.ts';
import {
  insertDeviceKey,
  isActive,
  listDeviceKeyRows,
  readSessionDevice,
  revokeDeviceKey,
} from './device-key-store.ts';
import { DEVICE_KEYS_MAX, deviceKeyIdOf, deviceKeyMac, readPoint } from './device-keys.ts';

/** So soon after the sign-up, a notice of the first key would say nothing new. */
const SIGN_UP_MS = 3_600_000;

/**
 * The first key needs no confirmation. Later ones do; otherwise whoever stole a session could register a key and sign
 * with it.
 */
export function addDeviceKeyHandler(module: CustomersModule): Handler {
  const { database, keyedHash } = module;
  return handle(addDeviceKey, async ({ request, customer: { id: customer, sessionId }, now }) => {
    const publicKey = Buffer.from(request.public_key, 'hex');
    if (readPoint(publicKey) === null) return refuse('device_key_unfit');
    const id = deviceKeyIdOf(publicKey);
    if (request.paypass !== undefined) {
      const paid = await checkPaymentPassword(module, customer, request.paypass, now);
      if (!paid.ok) return paid;
      const proved = await checkFactor(
        module,
        customer,
        { kind: 'device_key', subject: OWN_SUBJECT },
        request.otp,
        now,
      );
      if (!proved.ok) return proved;
    }
    const added = await database.transaction(async (transaction) => {
      const { created_at: joinedAt } = await lockCustomer(transaction, customer);
      const keys = await listDeviceKeyRows(transaction, customer);
      const same = keys.find((key) => key.id === id && isActive(key));
      // The device asks again because it has lost the answer.
      if (same) return accept({ device: same.device, createdAt: same.created_at, isNews: false });
      if (keys.length > 0 && request.paypass === undefined) return refuse('device_key_not_first');
      const active = keys.filter(isActive);
      const before = active.find(({ session }) => session === sessionId);
      if (before) await revokeDeviceKey(transaction, customer, before.id, now);
      else if (active.length >= DEVICE_KEYS_MAX) return refuse('too_many_device_keys');
      const device = await readSessionDevice(transaction, sessionId);
      const mac = deviceKeyMac(keyedHash, customer, publicKey);
      const row = { id, customer, public_key: publicKey, session: sessionId, device, mac, created_at: now };
      const createdAt = await insertDeviceKey(transaction, row);
      // It was revoked, or it is another customer's.
      if (createdAt === null) return refuse('device_key_unfit');
      const isOfSignUp = keys.length === 0 && now.getTime() - joinedAt.getTime() < SIGN_UP_MS;
      return accept({ device, createdAt, isNews: !isOfSignUp });
    });
    if (!added.ok) return added;
    const { device, createdAt, isNews } = added.effect;
    if (isNews) await notifyCustomer(module, customer, 'device_key_added', { device, at: now.toISOString() }, now);
    return accept({ id, created_at: createdAt.toISOString() });
  });
}
