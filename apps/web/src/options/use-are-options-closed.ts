import { useSystemConfig } from '../shell/config.ts';

/** True if options may not be sold here; false until the server has answered. */
export function useAreOptionsClosed(): boolean {
  const state = useSystemConfig()?.products.options;
  return state !== undefined && state !== 'open';
}
