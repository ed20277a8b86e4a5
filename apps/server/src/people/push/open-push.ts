import { randomUUID } from 'node:crypto';
import { accept, refuse } from '@sathorn/settlement';
import { type Module, sweepJob } from '../../platform/module.ts';
import { openSealer } from '../../platform/sealing.ts';
import { pushCalls } from './calls.ts';
import { isPublicKey } from './encrypt-push.ts';
import type { PushDependencies, PushModule, SubscriptionKeys } from './push.ts';
import { httpsTransport, pushEndpointOf } from './push-service.ts';
import {
  findSubscription,
  listSubscriptionsAfter,
  putSubscription,
  removeSubscriptions,
  setSubscriptionKinds,
  stopSubscription,
  writeDeliveries,
} from './push-store.ts';
import { pushKindSwitchesOf, pushSecondsToLive, WELCOME_TEMPLATE } from './push-texts.ts';
import { openPushSender } from './send-pushes.ts';
import { openVapid } from './vapid.ts';

/** Limit of devices per customer. A new device replaces the least recently renewed one. */
const DEVICES_MAX = 10;
const SWEPT_TOGETHER = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Web push (RFC 8030): notices reach a customer's devices while the app is closed. */
export function openPush(dependencies: PushDependencies): Module<PushModule> {
  const { database, clock, secrets, contact, openSessionsOf, transport = httpsTransport, onFault } = dependencies;
  const sealer = openSealer(secrets.pushKey, 'push');
  const vapid = openVapid(secrets.pushKey, contact);
  const sending = openPushSender({ ...dependencies, sealer, vapid, transport });

  const api: PushModule = {
    sendDue: sending.sendDue,
    run: sending.run,

    async read({ customer, session }) {
      const row = await findSubscription(database, session);
      const isOwn = row !== null && row.customer === customer;
      return {
        key: vapid.publicKey,
        subscription: isOwn ? { kinds: pushKindSwitchesOf(row), created_at: row.created_at.toISOString() } : null,
      };
    },

    async subscribe(device, { endpoint, p256dh, auth }, language, now) {
      const { customer, session } = device;
      if (pushEndpointOf(endpoint) === null) return refuse('push_service_unknown', { field: 'endpoint' });
      if (!isPublicKey(Buffer.from(p256dh, 'base64url'))) return refuse('push_keys_invalid', { field: 'p256dh' });
      const keys = Buffer.from(JSON.stringify({ endpoint, p256dh, auth } satisfies SubscriptionKeys));
      const id = randomUUID();
      const sealed = sealer.seal(customer, [session], keys);
      const browser = sealer.digest('browser', endpoint, auth);
      await database.transaction(async (transaction) => {
        const isNew = await putSubscription(
          transaction,
          { id, customer, session, sealed, browser, language },
          DEVICES_MAX,
          now,
        );
        if (!isNew) return;
        const expires = new Date(now.getTime() + pushSecondsToLive(WELCOME_TEMPLATE) * 1_000);
        const welcome = {
          subscription: id,
          message: WELCOME_TEMPLATE,
          template: WELCOME_TEMPLATE,
          params: {},
          at: now,
        };
        await writeDeliveries(transaction, [{ ...welcome, expires_at: expires }], now);
      });
      sending.wake();
      return accept(await api.read(device));
    },

    async switch(device, kinds) {
      if (!(await setSubscriptionKinds(database, device.session, kinds))) return refuse('push_is_off');
      return accept(await api.read(device));
    },

    stop: ({ session }) => stopSubscription(database, session),

    async sweep(now) {
      let after = FIRST_ID;
      for (;;) {
        const rows = await listSubscriptionsAfter(database, after, SWEPT_TOGETHER);
        const open = await openSessionsOf(
          database,
          rows.map(({ session }) => session),
          now,
        );
        const ended = rows.filter(({ session }) => !open.has(session));
        await removeSubscriptions(
          database,
          ended.map(({ id }) => id),
        );
        const last = rows.at(-1);
        if (last === undefined || rows.length < SWEPT_TOGETHER) return;
        after = last.id;
      }
    },
  };
  return {
    api,
    handlers: pushCalls(api),
    jobs: [{ on: 'edge', run: sending.run }, sweepJob(clock, onFault, api.sweep)],
  };
}
