/** The newest public answers, for a device without a connection. A customer's own data is never kept here. */
const CACHE = 'last-answers';
/** Enough for a few coins and intervals. */
const KEPT_MAX = 40;

const isPossible = (): boolean => typeof caches !== 'undefined';

export async function keepAnswer(address: string, text: string): Promise<void> {
  if (!isPossible()) return;
  const cache = await caches.open(CACHE);
  // `put` replaces the older answer in one step and moves the key to the end.
  await cache.put(address, new Response(text));
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - KEPT_MAX)).map((request) => cache.delete(request)));
}

export async function readKeptAnswer(address: string): Promise<string | undefined> {
  if (!isPossible()) return undefined;
  const cache = await caches.open(CACHE);
  return (await cache.match(address))?.text();
}
