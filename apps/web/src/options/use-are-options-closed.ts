import { useSystemConfig } from '../shell/config.ts';

/** True when the operator may not sell options here; false until the server has said so. */
export function useAreOptionsClosed(): boolean {
  const state = useSystemConfig()?.products.options;
  return state !== undefined && state !== 'open';
}
