import type { Call, RequestOf, ResultOf } from '@sathorn/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { presentationOf, usePreferences } from '../preferences/preferences.ts';
import { useSession } from '../session/session.ts';
import { CallFault } from './answer.ts';
import { callServer } from './call-server.ts';

export interface ReadOptions {
  enabled?: boolean;
  /** An answer counts as fresh for this long. */
  freshForMs?: number;
  /** Polls at this interval, for data without a live topic. */
  everyMs?: number | false;
  /** The number of retries of a failed read, if not the default. */
  tries?: number;
}

/** The common prefix of this call's query keys, to invalidate all its requests. */
export const readQueryKey = (call: Call): [string] => [`${call.method} ${call.path}`];

/** Reads a call. `data` is undefined until the first answer; `error` is a CallFault. */
export function useRead<C extends Call>(
  call: C,
  request: RequestOf<C>,
  options: ReadOptions = {},
): UseQueryResult<ResultOf<C>, CallFault> {
  const language = usePreferences((preferences) => preferences.language);
  const presentation = usePreferences(presentationOf);
  const token = useSession((session) => session.token);
  return useQuery<ResultOf<C>, CallFault>({
    queryKey: [...readQueryKey(call), request, language, presentation, call.who === 'anyone' ? null : token],
    queryFn: async ({ signal }) => {
      const answer = await callServer(call, request, { signal });
      if (!answer.ok) throw new CallFault(answer);
      return answer.data;
    },
    enabled: (options.enabled ?? true) && (call.who === 'anyone' || token !== null),
    staleTime: options.freshForMs ?? 5_000,
    refetchInterval: options.everyMs ?? false,
    ...(options.tries === undefined
      ? {}
      : { retry: (count: number, fault: CallFault) => count < (options.tries ?? 0) && !fault.failure.isAnswered }),
  });
}
