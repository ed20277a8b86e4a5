import { create } from 'zustand';

/**
 * Until when, in ms since 1970, no other code may be asked for: as the server counts it, by purpose and by where it
 * goes.
 */
const useWaits = create<Readonly<Record<string, number>>>(() => ({}));

/** Whoever mistyped a number doesn't wait for the right one; whoever comes back to a page still waits. */
export function useCodeWait(purpose: string, to: string) {
  const key = `${purpose} ${to}`;
  const waitUntil = useWaits((waits) => waits[key] ?? 0);
  return { waitUntil, startWait: (seconds: number) => useWaits.setState({ [key]: Date.now() + seconds * 1000 }) };
}
