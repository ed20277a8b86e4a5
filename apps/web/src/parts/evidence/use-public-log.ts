import { useQuery } from '@tanstack/react-query';
import { LOOK_EVERY_MS, type LogView, lookAtLog } from './follow-log.ts';

/** What this device knows of the platform's public log, looked at again each minute; undefined until the first look. */
export function usePublicLog(): LogView | undefined {
  const { data } = useQuery({
    queryKey: ['public-log'],
    queryFn: lookAtLog,
    staleTime: LOOK_EVERY_MS,
    // A little later than the next look is allowed.
    refetchInterval: LOOK_EVERY_MS + 1_000,
    retry: false,
  });
  return data;
}
