const CHANGED = 'own limits changed';

/** Tells the reality check that there may be something to count now. */
export const notifyOwnLimitsChanged = (): void => void window.dispatchEvent(new Event(CHANGED));

export function onOwnLimitsChanged(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}
