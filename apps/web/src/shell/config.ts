import { type ResultOf, readConfig } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';

export type SystemConfig = Extract<ResultOf<typeof readConfig>, { mode: 'demo' | 'live' }>;

/** What the server says of brand and mode; undefined until it has. */
export function useSystemConfig(): SystemConfig | undefined {
  const { data } = useConfig();
  return data && 'mode' in data ? data : undefined;
}

/** It was asked for in vain: nothing waits for it any more. */
export function useIsConfigMissing(): boolean {
  const { data, isError } = useConfig();
  return isError && !data;
}

function useConfig() {
  return useRead(readConfig, { act: 'system' }, { freshForMs: 60_000, everyMs: 300_000 });
}
