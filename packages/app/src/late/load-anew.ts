/** Long enough to fetch what a worker keeps, over a slow line; then the page is loaded again whatever comes of it. */
const HAND_OVER_MS = 10_000;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The worker that waits for its turn; one that was just found is first installed. */
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
  // The message that workbox listens for.
  waiting.postMessage({ type: 'SKIP_WAITING' });
  await isTaken;
}

/**
 * Loads the page again, as it is by now: the worker that kept an old page would bring that one again, with names of
 * files that are gone since the deployment, so a newer one takes over first.
 */
export async function loadAnew(): Promise<void> {
  await Promise.race([handOver().catch(() => undefined), after(HAND_OVER_MS)]);
  location.reload();
}
