/** The state of notifications in this browser: `ready`, or the reason why it cannot receive any. */
export type PushState = 'ready' | 'denied' | 'install' | 'unsupported';

interface BrowserFacts {
  readonly userAgent: string;
  readonly touchPoints: number;
  readonly hasPush: boolean;
  readonly isInstalled: boolean;
  readonly permission: string;
}

/** Safari on iPhones and iPads offers push only to installed apps, and hides the interface otherwise. */
export function pushStateOf({ userAgent, touchPoints, hasPush, isInstalled, permission }: BrowserFacts): PushState {
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  if (!hasPush) return isApple && !isInstalled ? 'install' : 'unsupported';
  return permission === 'denied' ? 'denied' : 'ready';
}

export function readPushSupport(): PushState {
  return pushStateOf({
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
    isInstalled: matchMedia('(display-mode: standalone)').matches,
    permission: 'Notification' in window ? Notification.permission : 'default',
  });
}

/** The subscription as the call expects it. */
interface BrowserSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

const WORKER_MS = 10_000;

function fieldsOf(subscription: PushSubscription): BrowserSubscription {
  const { keys } = subscription.toJSON();
  return { endpoint: subscription.endpoint, p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' };
}

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Waits for the service worker, which starts after the app; null if there is none, as in a private window. */
async function manager(): Promise<PushManager | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), WORKER_MS);
  });
  const registration = await Promise.race([navigator.serviceWorker.ready, late]);
  return registration?.pushManager ?? null;
}

/** Returns the browser's subscription, or null. */
export async function currentSubscription(): Promise<BrowserSubscription | null> {
  if (readPushSupport() !== 'ready' || Notification.permission !== 'granted') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? fieldsOf(subscription) : null;
}

/**
 * Asks for the permission, which browsers allow only right after a tap, and subscribes with the deployment's key.
 * Rejects if the browser cannot reach its push service.
 */
export async function subscribeBrowser(key: string): Promise<BrowserSubscription | 'denied' | 'dismissed'> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'dismissed';
  const push = await manager();
  if (push === null) throw new Error('there is no service worker');
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
  try {
    return fieldsOf(await push.subscribe(options));
  } catch (error) {
    // A subscription with an older key of the deployment blocks the new one.
    const old = await push.getSubscription();
    if (old === null) throw error;
    await old.unsubscribe();
    return fieldsOf(await push.subscribe(options));
  }
}

export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

const STORED_AS = 'push';

/** Stores what the server was last told, so that a change is noticed. */
export function rememberReportedSubscription(told: string | null): void {
  try {
    if (told === null) localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, told);
  } catch {
    // Without storage the change is not noticed, and notifications keep their language.
  }
}

export function readReportedSubscription(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

export const reportedSubscriptionOf = (language: string, { endpoint }: BrowserSubscription): string =>
  `${language} ${endpoint}`;
