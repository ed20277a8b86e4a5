import { useSystemConfig } from '../shell/config.ts';

/** Whether the operator may sell options here; until the server has said so, nothing is claimed. */
export function useAreOptionsClosed(): boolean {
  const state = useSystemConfig()?.products.options;
  return state !== undefined && state !== 'open';
}
