import { QueryClient } from '@tanstack/react-query';
import { CallFault } from './answer.ts';

/** Decisions of the server are not retried; requests that did not reach it are, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, fault) => count < 2 && !(fault instanceof CallFault && fault.failure.isAnswered),
      retryDelay: (count) => 800 * 2 ** count,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
  },
});
