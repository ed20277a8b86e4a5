import { create } from 'zustand';

/** When the next code can be requested, in ms since 1970, per purpose and contact, as on the server. */
const useWaits = create<Readonly<Record<string, number>>>(() => ({}));

/**
 * Returns the wait for the next code per contact, so that a customer who mistyped a number need not wait for the right
 * one. Leaving the page does not end the wait.
 */
export function useCodeWait(purpose: string, to: string) {
  const key = `${purpose} ${to}`;
  const waitUntil = useWaits((waits) => waits[key] ?? 0);
  return { waitUntil, startWait: (seconds: number) => useWaits.setState({ [key]: Date.now() + seconds * 1000 }) };
}
