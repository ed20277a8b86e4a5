import type { Call, RequestOf, ResultOf } from '@sathorn/api';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type * as v from 'valibot';
import { presentationOf, usePreferences } from '../preferences/preferences.ts';
import { useSession } from '../session/session.ts';
import { CallFault } from './answer.ts';
import { callServer } from './call-server.ts';
import { type ReadOptions, readQueryKey } from './use-read.ts';

interface Page<Item = unknown> {
  items: Item[];
  next: string | null;
}
type ListCall = Call<v.GenericSchema, v.GenericSchema<unknown, Page>>;
type ItemOf<C extends ListCall> = ResultOf<C>['items'][number];

/** Reads a list page by page; `rowsOfPages(query)` are all items so far. */
export function useReadPages<C extends ListCall>(call: C, request: RequestOf<C>, options: ReadOptions = {}) {
  const language = usePreferences((preferences) => preferences.language);
  const presentation = usePreferences(presentationOf);
  const token = useSession((session) => session.token);
  return useInfiniteQuery<
    Page<ItemOf<C>>,
    CallFault,
    InfiniteData<Page<ItemOf<C>>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: [...readQueryKey(call), 'pages', request, language, presentation, token],
    queryFn: async ({ pageParam, signal }) => {
      const paged = { ...(request as object), ...(pageParam === undefined ? {} : { page: pageParam }) } as RequestOf<C>;
      const answer = await callServer(call, paged, { signal });
      if (!answer.ok) throw new CallFault(answer);
      return answer.data as Page<ItemOf<C>>;
    },
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    enabled: (options.enabled ?? true) && (call.who === 'anyone' || token !== null),
    staleTime: options.freshForMs ?? 5_000,
    refetchInterval: options.everyMs ?? false,
  });
}

export function rowsOfPages<Item>(pages: InfiniteData<Page<Item>> | undefined): Item[] {
  return pages?.pages.flatMap((page) => page.items) ?? [];
}
