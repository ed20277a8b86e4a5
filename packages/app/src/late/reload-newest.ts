/** Long enough to download a new worker's files over a slow connection. Then the page reloads in any case. */
const HAND_OVER_MS = 10_000;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the worker that waits to take over. If one is being installed, waits for it first. */
async function newestOf(registration: ServiceWorkerRegistration): Promise<ServiceWorker | null> {
  await registration.update();
  const { installing } = registration;
  if (installing !== null)
    await new Promise<void>((resolve) => {
      const tell = (): void => {
        if (installing.state !== 'installing') resolve();
      };
      installing.addEventListener('statechange', tell);
      tell();
    });
  return registration.waiting;
}

async function handOver(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  const waiting = registration && (await newestOf(registration));
  if (!waiting) return;
  const isTaken = new Promise<void>((resolve) =>
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true }),
  );
  // Workbox reacts to this message.
  waiting.postMessage({ type: 'SKIP_WAITING' });
  await isTaken;
}

/**
 * Reloads the page in its newest version. A service worker that has cached an old page would serve that page again,
 * with file names that no longer exist since the deployment. So a newer worker takes over first.
 */
export async function reloadNewest(): Promise<void> {
  await Promise.race([handOver().catch(() => undefined), after(HAND_OVER_MS)]);
  location.reload();
}
