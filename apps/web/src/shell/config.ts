import { type ResultOf, readConfig } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';

export type SystemConfig = Extract<ResultOf<typeof readConfig>, { mode: 'demo' | 'live' }>;

/** The server's brand and mode; undefined until loaded. */
export function useSystemConfig(): SystemConfig | undefined {
  const { data } = useConfig();
  return data && 'mode' in data ? data : undefined;
}

/** True if the config could not be loaded, so that nothing need wait for it. */
export function useIsConfigMissing(): boolean {
  const { data, isError } = useConfig();
  return isError && !data;
}

function useConfig() {
  return useRead(readConfig, { act: 'system' }, { freshForMs: 60_000, everyMs: 300_000 });
}
