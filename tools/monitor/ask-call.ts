import type { Call, RequestOf, ResultOf } from '@sathorn/api';
import type { AskServer } from '../verify/public-chain.ts';

/** Makes a public call; rejects an answer of another form than the call's. */
export type AskCall = <C extends Call>(call: C, request?: RequestOf<C>) => Promise<ResultOf<C>>;

export function askCalls(ask: AskServer): AskCall {
  return async (call, request) => {
    const query = new URLSearchParams(request as Record<string, string> | undefined).toString();
    const data = await ask(query === '' ? call.path : `${call.path}?${query}`);
    const read = await call.result['~standard'].validate(data);
    if (read.issues !== undefined) throw new Error(`${call.path} answered in another form`);
    return read.value as ResultOf<typeof call>;
  };
}
