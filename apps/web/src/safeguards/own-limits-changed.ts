const CHANGED = 'own limits changed';

/** The reality check may have something to count now. */
export const noteChange = (): void => void window.dispatchEvent(new Event(CHANGED));

export function onChange(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}
