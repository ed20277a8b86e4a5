import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { hexQuantityOf, openRpc, type Rpc, TEST_TOKEN, transferCallData } from './chain/index.ts';

/**
 * Two of the node's built-in accounts, for which it signs; the first has test money. Payer and stranger differ, because
 * the node drops a transaction whose sender has an earlier one that did not fit into its block.
 */
const PAYER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const STRANGER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
/** The node's blocks hold 30 million gas, so each of these transactions fills one. */
const GAS = 29_900_000;
/** Full blocks raise the chain's fee, so the transactions offer a high one. */
const FEE = 10n ** 11n;

const word = (value: string | number): string =>
  (typeof value === 'number' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0');

export interface EventFlood {
  readonly rpc: Rpc;
  /** Sends a transaction with this many events of a contract that is no token. */
  worthless(to: string, events: number): Promise<string>;
  /** Sends a real transfer of the token. */
  pay(to: string, units: bigint): Promise<string>;
  /** Like `worthless`, with real events of the token that move nothing. */
  empty(to: string, events: number): Promise<string>;
}

/** Opens a stranger with a contract on the local chain of the server that runs on a data folder. */
export async function openEventFlood(dataDir: string): Promise<EventFlood> {
  const running = JSON.parse(readFileSync(path.join(dataDir, 'chain', 'running.json'), 'utf8')) as { port: number };
  const rpc = openRpc(`http://127.0.0.1:${running.port}`);
  const artifact = readFileSync(new URL('./chain/contracts/event-flood.json', import.meta.url), 'utf8');
  const { bytecode } = JSON.parse(artifact) as { bytecode: string };
  const send = (to: string | null, data: string, gas: number, from = STRANGER): Promise<string> =>
    rpc.call('eth_sendTransaction', [
      { from, ...(to && { to }), data, gas: hexQuantityOf(gas), gasPrice: hexQuantityOf(FEE) },
    ]);
  const hash = await send(null, bytecode, 1_000_000);
  let contract: string | undefined;
  while (contract === undefined) {
    await pause(100);
    contract = (
      await rpc.call<{ contractAddress: string } | null>('eth_getTransactionReceipt', [hash]).catch(() => null)
    )?.contractAddress;
  }
  const at = contract;
  return {
    rpc,
    pay: (to, units) => send(TEST_TOKEN, transferCallData(to, units), 200_000, PAYER),
    worthless: (to, events) => send(at, `0x152d57b9${word(to)}${word(events)}`, GAS),
    empty: (to, events) => send(at, `0x7d30e5a5${word(TEST_TOKEN)}${word(to)}${word(events)}`, GAS),
  };
}

interface ProcessMemory {
  /** The memory of a server's Node processes in bytes, by name. */
  readonly [name: string]: number;
}

export function processMemoryOf(server: number): ProcessMemory {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*([0-9]+)\s+([0-9]+)\s+([0-9]+)\s+(.*)$/.exec(line)?.slice(1) ?? []);
  return Object.fromEntries(
    rows.flatMap(([pid, parent, rss, args = '']) => {
      const name = /src\/(\S+)\.ts/.exec(args)?.[1];
      if (name === undefined || (Number(pid) !== server && Number(parent) !== server)) return [];
      return [[`${name}${args.split('.ts')[1] ?? ''} ${pid}`, Number(rss) * 1024]];
    }),
  );
}

/** Listens to a coin's ticks as an app does. `lateMs` is how long after its second each tick arrived. */
export function listenToTicks(url: string): { readonly lateMs: number[]; readonly gapsMs: number[]; stop(): void } {
  const stream = new WebSocket(`${url.replace('http', 'ws')}/api/stream`);
  const lateMs: number[] = [];
  const gapsMs: number[] = [];
  let newest = 0;
  let lastMs = performance.now();
  stream.on('message', (bytes: Buffer) => {
    const frame = JSON.parse(bytes.toString()) as { op: string; events?: { data: { code: string; at: string }[] }[] };
    if (frame.op === 'hello') stream.send('{"op":"subscribe","topics":["tickers"]}');
    for (const { data } of frame.events ?? [])
      for (const { code, at } of data) {
        if (code !== 'BTC' || Date.parse(at) <= newest) continue;
        if (newest > 0) gapsMs.push(performance.now() - lastMs);
        [newest, lastMs] = [Date.parse(at), performance.now()];
        lateMs.push(Date.now() - newest);
      }
  });
  return { lateMs, gapsMs, stop: () => stream.terminate() };
}
