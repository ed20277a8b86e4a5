import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A part of a screen in a chunk of its own, which is fetched at once and not only when it is first drawn. */
export function lazyNow<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  const first = load();
  // Drawing it tells; here nobody waits for it.
  first.catch(() => {});
  return lazy(() => first);
}
