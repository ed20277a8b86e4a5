import { setTimeout as pause } from 'node:timers/promises';
import type { Sealer } from '../../platform/sealing.ts';
import { encryptPush } from './encrypt-push.ts';
import type { PushDependencies, PushSender, SubscriptionKeys } from './push.ts';
import { type PushReply, type PushTransport, pushEndpointOf } from './push-service.ts';
import {
  claimDeliveries,
  type DeliveryRow,
  endDelivery,
  lockSubscriptionsOf,
  putOffDelivery,
  readSubscriptions,
  removeSubscriptions,
  type SubscriptionRow,
  writeDeliveries,
} from './push-store.ts';
import { isPushWanted, pushSecondsToLive, pushUrgencyOf, wordPush } from './push-texts.ts';
import type { Vapid } from './vapid.ts';

/** How many notices one transaction takes. */
const TOGETHER = 100;
/** How many messages are sent at the same time. */
const AT_ONCE = 20;
/** Pauses between tries: 30 s, then 2, 8 and 32 min, then an hour each. */
const TRIES_MAX = 12;
const IDLE_MS = 5_000;
/** A push service may ask for a longer pause, but not for ever. */
const RETRY_AFTER_MAX_MS = 6 * 3_600_000;

interface SendingDependencies extends PushDependencies {
  readonly sealer: Sealer;
  readonly vapid: Vapid;
  readonly transport: PushTransport;
}

/** The result of a try: final, or when to retry. */
type Outcome = 'sent' | 'subscription_ended' | 'refused' | { readonly retryAt: Date | null };

function outcomeOf({ status, retryAfter }: PushReply, now: Date): Outcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'subscription_ended';
  // The key that the browser subscribed with was replaced: only a new subscription helps.
  if (status === 401 || status === 403) return 'subscription_ended';
  if (status !== 408 && status !== 429 && status < 500) return 'refused';
  const seconds = Number(retryAfter ?? '');
  const at =
    retryAfter === null
      ? Number.NaN
      : Number.isFinite(seconds)
        ? now.getTime() + seconds * 1_000
        : Date.parse(retryAfter);
  const latest = now.getTime() + RETRY_AFTER_MAX_MS;
  return { retryAt: Number.isNaN(at) ? null : new Date(Math.min(at, latest)) };
}

export function openPushSender(dependencies: SendingDependencies): PushSender {
  const { database, clock, bus, messages, brand, openSessionsOf, sealer, vapid, transport, onFault } = dependencies;

  /** Writes a delivery per notice and device, in the transaction that takes the notices. */
  const handOver = (): Promise<boolean> =>
    database.transaction(async (transaction) => {
      const now = clock.now();
      const taken = await messages.takeUnpushed(transaction, TOGETHER);
      if (taken.length === 0) return false;
      const subscriptions = await lockSubscriptionsOf(transaction, [...new Set(taken.map(({ owner }) => owner))]);
      const deliveries = taken.flatMap(({ id, owner, template, params, at }) =>
        subscriptions
          .filter((subscription) => subscription.customer === owner && isPushWanted(template, subscription))
          .map((subscription) => ({
            subscription: subscription.id,
            message: id,
            template,
            params,
            at,
            expires_at: new Date(at.getTime() + pushSecondsToLive(template) * 1_000),
          })),
      );
      await writeDeliveries(transaction, deliveries, now);
      return taken.length === TOGETHER;
    });

  /** Decrypts the subscription; null if somebody changed the row, which could then point to another host. */
  const keysOf = ({ customer, session, sealed }: SubscriptionRow): SubscriptionKeys | null => {
    try {
      return JSON.parse(sealer.open(customer, [session], sealed).toString()) as SubscriptionKeys;
    } catch {
      onFault(new Error('push: a subscription could not be decrypted and is removed'));
      return null;
    }
  };

  const post = async (delivery: DeliveryRow, subscription: SubscriptionRow, now: Date): Promise<Outcome> => {
    const text = wordPush(delivery, subscription.language, { messages, brand });
    if (text === null) return 'refused';
    const keys = keysOf(subscription);
    // The endpoint is checked again, because the list of push services may have become shorter.
    const endpoint = keys && pushEndpointOf(keys.endpoint);
    if (keys === null || endpoint === null) return 'subscription_ended';
    const body = encryptPush(Buffer.from(JSON.stringify(text)), {
      p256dh: Buffer.from(keys.p256dh, 'base64url'),
      auth: Buffer.from(keys.auth, 'base64url'),
    });
    const reply = await transport({
      endpoint,
      body,
      headers: {
        authorization: vapid.authorizationFor(endpoint.origin, now),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(Math.ceil((delivery.expires_at.getTime() - now.getTime()) / 1_000)),
        urgency: pushUrgencyOf(delivery.template),
        // A repeated message replaces the one that still waits for the browser.
        topic: delivery.message,
      },
    });
    const outcome = outcomeOf(reply, now);
    if (outcome === 'refused' || reply.status === 401 || reply.status === 403)
      onFault(new Error(`push: ${endpoint.hostname} answered ${reply.status}; the message is dropped`));
    return outcome;
  };

  const deliver = async (delivery: DeliveryRow, subscription: SubscriptionRow): Promise<boolean> => {
    const now = clock.now();
    let outcome: Outcome;
    try {
      outcome = await post(delivery, subscription, now);
    } catch (error) {
      // The error of a request may contain the endpoint, which is a secret of the browser.
      const reason = error instanceof Error ? error.name : 'an error';
      if (delivery.tries >= TRIES_MAX) onFault(new Error(`push: given up after ${delivery.tries} tries: ${reason}`));
      outcome = { retryAt: null };
    }
    if (outcome === 'subscription_ended') await removeSubscriptions(database, [subscription.id]);
    else if (typeof outcome === 'string' || delivery.tries >= TRIES_MAX) await endDelivery(database, delivery);
    else if (outcome.retryAt !== null) await putOffDelivery(database, delivery, outcome.retryAt);
    return outcome === 'sent';
  };

  /** Null when nothing was due. */
  const sendSome = async (): Promise<number | null> => {
    const now = clock.now();
    const claimed = await claimDeliveries(database, now, TOGETHER);
    if (claimed.length === 0) return null;
    const rows = await readSubscriptions(database, [...new Set(claimed.map(({ subscription }) => subscription))]);
    // Queried right before sending, because a customer who has signed out must get nothing more.
    const open = await openSessionsOf(
      database,
      rows.map(({ session }) => session),
      now,
    );
    await removeSubscriptions(
      database,
      rows.filter(({ session }) => !open.has(session)).map(({ id }) => id),
    );
    const byId = new Map(rows.filter(({ session }) => open.has(session)).map((row) => [row.id, row]));
    let sent = 0;
    const waiting = [...claimed];
    const work = async (): Promise<void> => {
      for (let delivery = waiting.shift(); delivery !== undefined; delivery = waiting.shift()) {
        const subscription = byId.get(delivery.subscription);
        if (subscription === undefined) continue;
        if (delivery.expires_at <= now || delivery.tries > TRIES_MAX) await endDelivery(database, delivery);
        else if (await deliver(delivery, subscription)) sent += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return sent;
  };

  const sendDue = async (): Promise<number> => {
    while (await handOver());
    let sent = 0;
    for (let some = await sendSome(); some !== null; some = await sendSome()) sent += some;
    return sent;
  };

  let woken = new AbortController();
  const wake = (): void => woken.abort();
  return {
    sendDue,
    wake,
    async run(signal) {
      bus.on('messages', wake);
      try {
        while (!signal.aborted) {
          woken = new AbortController();
          await sendDue().catch(onFault);
          await pause(IDLE_MS, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined);
        }
      } finally {
        bus.off('messages', wake);
      }
    },
  };
}
