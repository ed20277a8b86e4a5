/** Caches a read for `ms`, however many clients request it. A failed read is not cached. */
export function cacheFor<Value>(ms: number, read: (now: Date) => Promise<Value>): (now: Date) => Promise<Value> {
  let kept: { readonly atMs: number; readonly value: Promise<Value> } | null = null;
  return (now) => {
    const atMs = performance.now();
    if (kept && atMs - kept.atMs < ms) return kept.value;
    const value = read(now);
    const own = { atMs, value };
    kept = own;
    value.catch(() => {
      if (kept === own) kept = null;
    });
    return value;
  };
}
