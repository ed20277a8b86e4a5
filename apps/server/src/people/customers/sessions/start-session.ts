import { lockLoginIfUnchanged } from '../credential-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { insertSignIn, type SignInFactor } from '../second-factor/sign-in-store.ts';
import type { Device } from './device.ts';
import { forgetOldDevices, rememberDevices } from './session-store.ts';

/** How long an unused device still counts as its owner's. */
export const DEVICE_MEMORY_MS = 180 * 24 * 60 * 60 * 1_000;
const DEVICES_MAX = 40;

interface NewLogin {
  readonly customer: bigint;
  /** The password hash that was verified. */
  readonly passwordHash: string;
  readonly device: Device;
  readonly isNewDevice: boolean;
  readonly factor: SignInFactor;
}

/** Opens a session after a correct password; null if the password changed while it was being checked. */
export async function startSession(
  module: CustomersModule,
  { customer, passwordHash, device, isNewDevice, factor }: NewLogin,
  now: Date,
): Promise<string | null> {
  const opened = await module.database.transaction(async (transaction) => {
    // Changing the password ends all sessions that it finds. The lock ensures that it finds this one, or that this one
    // is not opened.
    if (!(await lockLoginIfUnchanged(transaction, customer, passwordHash))) return null;
    await rememberDevices(transaction, customer, device.keys, now);
    await forgetOldDevices(transaction, customer, DEVICES_MAX);
    await insertSignIn(transaction, customer, {
      at: now,
      device: device.name,
      address: device.address,
      factor,
      is_new_device: isNewDevice,
      failure: null,
    });
    return module.sessions.open(transaction, customer, device, now);
  });
  if (!opened) return null;
  module.sessions.announceEnded(opened.ended);
  if (isNewDevice) {
    await notifyCustomer(
      module,
      customer,
      'sign_in',
      { device: device.name, address: device.address, at: now.toISOString() },
      now,
    );
  }
  return opened.token;
}
