import { QueryClient } from '@tanstack/react-query';
import { CallFault } from './answer.ts';

/** Reads that did not reach the server are retried twice; the server's decisions are not. */
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
