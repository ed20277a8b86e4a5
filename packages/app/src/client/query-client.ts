import { QueryClient } from '@tanstack/react-query';
import { CallFault } from './answer.ts';

/** What the server decided is not asked again; what did not reach it is, twice. */
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
