/** Long enough for a new worker to download its files over a slow connection; then the page is reloaded in any case. */
const HAND_OVER_MS = 10_000;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The worker that waits to take over; one that is being installed is awaited first. */
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
  // The message to which workbox reacts.
  waiting.postMessage({ type: 'SKIP_WAITING' });
  await isTaken;
}

/**
 * Reloads the page in its newest version. A service worker that cached an old page would serve that again, with names
 * of files that no longer exist since the deployment, so a newer worker takes over first.
 */
export async function loadAnew(): Promise<void> {
  await Promise.race([handOver().catch(() => undefined), after(HAND_OVER_MS)]);
  location.reload();
}
