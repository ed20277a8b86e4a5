import { setTimeout as pause } from 'node:timers/promises';
import { type KeepItem, openAnswerFilter } from './answer-filter.ts';

/** The node answered with an error, or with more than we read. */
export class RpcRefusal extends Error {
  readonly code: number;
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message}`);
    this.code = code;
  }
}
/** The outcome is unknown: no answer, or an unreadable one. */
export class RpcFault extends Error {}

export interface Rpc {
  readonly url: string;
  /**
   * With `keep`, the answer's lists are read as they arrive and only the kept items are held, so the answer may have
   * any length. `keep` is called for each try.
   */
  call<Result>(method: string, params: readonly unknown[], keep?: () => KeepItem): Promise<Result>;
  /** Sends the calls in few requests. If one call fails, the whole batch fails. */
  batch<Result>(
    calls: readonly (readonly [method: string, params: readonly unknown[]])[],
    keep?: () => KeepItem,
  ): Promise<Result[]>;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const PATIENCE_MS = 10_000;
/** How much longer a filtered answer may take, because it may have hundreds of megabytes. */
const PATIENCE_FILTERED = 3;
const BATCH_MAX = 100;
/** Limit of an unfiltered answer: a query for too much returns megabytes, and a malicious node never stops sending. */
const ANSWER_BYTES_MAX = 64 << 20;
/** Limit of a filtered answer. */
const FILTERED_BYTES_MAX = 512 << 20;
const AGAIN_MS = [100, 400];

async function readBody(response: Response, method: string, keep: KeepItem | undefined): Promise<string> {
  const tooLong = (): RpcRefusal => new RpcRefusal(method, 0, 'the answer is too long');
  const decoder = new TextDecoder();
  const filter = keep && openAnswerFilter(keep);
  const texts: string[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > (filter ? FILTERED_BYTES_MAX : ANSWER_BYTES_MAX)) throw tooLong();
    const text = decoder.decode(chunk as Uint8Array, { stream: true });
    if (filter === undefined) texts.push(text);
    else {
      filter.take(text);
      if (filter.size() > ANSWER_BYTES_MAX) throw tooLong();
    }
  }
  return filter ? filter.end() : texts.join('');
}

/** JSON-RPC over HTTP. A call without an answer is retried twice. Keeps no state between calls. */
export function openRpc(url: string, { patienceMs = PATIENCE_MS } = {}): Rpc {
  let id = 0;

  type Calls = readonly (readonly [string, readonly unknown[]])[];
  const ask = async (calls: Calls, keep: (() => KeepItem) | undefined): Promise<unknown[]> => {
    const requests = calls.map(([method, params]) => ({ jsonrpc: '2.0', id: ++id, method, params }));
    let answers: Answer[];
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
        signal: AbortSignal.timeout(keep ? patienceMs * PATIENCE_FILTERED : patienceMs),
        redirect: 'error',
      });
      const text = await readBody(response, calls[0]?.[0] ?? '', keep?.());
      const parsed = JSON.parse(text) as Answer | Answer[];
      answers = Array.isArray(parsed) ? parsed : [parsed];
    } catch (cause) {
      if (cause instanceof RpcRefusal) throw cause;
      throw new RpcFault(`${calls[0]?.[0]}: the node does not answer`, { cause });
    }
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    return requests.map(({ id, method }) => {
      const answer = byId.get(id);
      if (answer?.error) throw new RpcRefusal(method, answer.error.code, answer.error.message);
      if (answer === undefined || answer.result === undefined) throw new RpcFault(`${method}: half an answer`);
      return answer.result;
    });
  };

  const insist = async (calls: Calls, keep: (() => KeepItem) | undefined): Promise<unknown[]> => {
    for (const waitMs of AGAIN_MS) {
      try {
        return await ask(calls, keep);
      } catch (error) {
        if (!(error instanceof RpcFault)) throw error;
        await pause(waitMs);
      }
    }
    return ask(calls, keep);
  };

  const rpc: Rpc = {
    url,
    async call<Result>(method: string, params: readonly unknown[], keep?: () => KeepItem) {
      const [result] = await insist([[method, params]], keep);
      return result as Result;
    },
    async batch<Result>(calls: Calls, keep?: () => KeepItem) {
      const results: unknown[] = [];
      for (let at = 0; at < calls.length; at += BATCH_MAX)
        results.push(...(await insist(calls.slice(at, at + BATCH_MAX), keep)));
      return results as Result[];
    },
  };
  return rpc;
}
