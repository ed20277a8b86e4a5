import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { runFlood } from '../platform/testing-flood.ts';
import { TestCustomer } from './testing-customer.ts';
import { newDataDir, type ServerProcess, startServerProcess, violationsOf } from './testing-server.ts';

const FORM = { code: 'BTC', direction: 'up', quantity: '1', duration: '300' };
/** The attack continues until this many ticks were published. The benchmark measures how long that takes. */
const TICKS_WANTED = 5;
const PURCHASES_WANTED = 4;
const ATTACK_MIN_MS = 5_000;
const ATTACK_MAX_MS = 90_000;
const GROWTH_MAX_BYTES = 400e6;

const candles = 'code=BTC&interval=1m&limit=1000';
const CANDLES =
  'POST /api/coin/data/lists HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n' +
  `content-length: ${candles.length}\r\n\r\n${candles}`;
const TICKS = 'GET /api/proof/ticks?code=BTC&from=1&limit=1000 HTTP/1.1\r\nhost: x\r\n\r\n';
const COINS = 'GET /api/coin/lists HTTP/1.1\r\nhost: x\r\n\r\n';
const UPGRADE =
  'GET /api/stream HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
const FRAME = '\x81\x81\x01\x02\x03\x04y';

/**
 * The load at which options once became void, and twice that load. The demo's limits per address are wider than live
 * ones.
 */
const ATTACKS: [
  string,
  { text: string; connections: number; opening?: string; isDeaf?: boolean; isStubborn?: boolean },
][] = [
  ['1,200 calls for candles', { text: CANDLES.repeat(60), connections: 20 }],
  ['2,000 calls for ticks', { text: TICKS.repeat(100), connections: 20 }],
  ['2,000 pipelined requests on each of ten connections', { text: COINS.repeat(2_000), connections: 10 }],
  ['200 connections that read nothing', { text: TICKS.repeat(10), connections: 200, isDeaf: true, isStubborn: false }],
  ['100 connections of one-byte frames', { text: FRAME.repeat(5_000), connections: 100, opening: UPGRADE }],
];

describe('C10b a stranger', () => {
  let dataDir: string;
  let server: ServerProcess;
  let customer: TestCustomer;
  beforeAll(async () => {
    dataDir = newDataDir('bursts');
    server = await startServerProcess({ DATA_DIR: dataDir, SIM_SEED: 'bursts', LOG_LEVEL: 'silent' });
    server.start();
    await server.untilReady();
    customer = new TestCustomer(server.url);
    await customer.signIn();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const memory = (): number =>
    Number(/VmRSS:\s+([0-9]+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1]) * 1024;

  it.each(ATTACKS)(
    'stops neither the ticks nor a purchase with %s',
    async (_name, { text, opening = '', ...attack }) => {
      // The stream opens before the attack, because new connections from the attacker's address are refused for a
      // while; also after the attack before, so it is opened again.
      const times: number[] = [];
      let stream!: WebSocket;
      const open = (): void => {
        stream = new WebSocket(`${server.url.replace('http', 'ws')}/api/stream`);
        stream.on('error', () => {
          if (times.length < 2) setTimeout(open, 500);
        });
        stream.on('message', (bytes: Buffer) => {
          const frame = JSON.parse(bytes.toString()) as {
            op: string;
            events?: { data: { code: string; at: string }[] }[];
          };
          if (frame.op === 'hello') stream.send('{"op":"subscribe","topics":["tickers"]}');
          for (const { data } of frame.events ?? [])
            for (const { code, at } of data)
              if (code === 'BTC' && times.at(-1) !== Date.parse(at)) times.push(Date.parse(at));
        });
      };
      open();
      while (times.length < 2) await pause(50);
      const before = memory();

      const ending = new AbortController();
      const attacking = runFlood(
        {
          url: server.url,
          opening,
          chunk: Buffer.from(text, 'latin1'),
          forMs: ATTACK_MAX_MS,
          isStubborn: true,
          ...attack,
        },
        ending.signal,
      );
      const [begun, heard] = [performance.now(), times.length];
      const hasLasted = (ms: number): boolean => performance.now() - begun > ms;
      const isEnough = (): boolean => times.length - heard >= TICKS_WANTED && bought >= PURCHASES_WANTED;
      let most = 0;
      let bought = 0;
      while (!hasLasted(ATTACK_MIN_MS) || !(isEnough() || hasLasted(ATTACK_MAX_MS))) {
        await pause(250);
        most = Math.max(most, memory());
        const { data } = await customer.insist('POST /coin/order/add', FORM, randomUUID());
        if (typeof data.id === 'string') bought += 1;
      }
      expect(isEnough()).toBe(true);
      ending.abort();
      await attacking;
      stream.terminate();

      expect(most - before).toBeLessThan(GROWTH_MAX_BYTES);
    },
  );

  it('moved no money', async () => {
    expect(await violationsOf(dataDir)).toEqual([]);
  });
});
