import { setTimeout as pause } from 'node:timers/promises';

/** The node answered with an error. */
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
  call<Result>(method: string, params: readonly unknown[]): Promise<Result>;
  /** Sends the calls in few requests. If one call fails, the whole batch fails. */
  batch<Result>(calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<Result[]>;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const PATIENCE_MS = 10_000;
const BATCH_MAX = 100;
/** A query for too much returns megabytes, and a malicious node never stops sending. */
const ANSWER_BYTES_MAX = 64 << 20;
const AGAIN_MS = [100, 400];

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new RpcFault('the answer is too long');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON-RPC over HTTP. A call without an answer is retried twice. Keeps no state between calls. */
export function openRpc(url: string, { patienceMs = PATIENCE_MS } = {}): Rpc {
  let id = 0;

  const ask = async (calls: readonly (readonly [string, readonly unknown[]])[]): Promise<unknown[]> => {
    const requests = calls.map(([method, params]) => ({ jsonrpc: '2.0', id: ++id, method, params }));
    let answers: Answer[];
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
        signal: AbortSignal.timeout(patienceMs),
        redirect: 'error',
      });
      const text = await readBody(response);
      const parsed = JSON.parse(text) as Answer | Answer[];
      answers = Array.isArray(parsed) ? parsed : [parsed];
    } catch (cause) {
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

  const insist = async (calls: readonly (readonly [string, readonly unknown[]])[]): Promise<unknown[]> => {
    for (const waitMs of AGAIN_MS) {
      try {
        return await ask(calls);
      } catch (error) {
        if (!(error instanceof RpcFault)) throw error;
        await pause(waitMs);
      }
    }
    return ask(calls);
  };

  const rpc: Rpc = {
    url,
    async call<Result>(method: string, params: readonly unknown[]) {
      const [result] = await insist([[method, params]]);
      return result as Result;
    },
    async batch<Result>(calls: readonly (readonly [string, readonly unknown[]])[]) {
      const results: unknown[] = [];
      for (let at = 0; at < calls.length; at += BATCH_MAX)
        results.push(...(await insist(calls.slice(at, at + BATCH_MAX))));
      return results as Result[];
    },
  };
  return rpc;
}
