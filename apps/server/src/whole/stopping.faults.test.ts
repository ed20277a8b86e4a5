import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestCustomer } from './testing-customer.ts';
import { newDataDir, type ServerProcess, startServerProcess } from './testing-server.ts';

const BUYERS = 24;
const FORM = 'code=BTC&direction=up&quantity=1&duration=300';

describe('B2 a server that is stopped under load', () => {
  let dataDir: string;
  let server: ServerProcess;
  let customer: TestCustomer;
  // Runs before each try, because the test ends its server.
  beforeEach(async () => {
    dataDir = newDataDir('stopping');
    server = await startServerProcess({ DATA_DIR: dataDir, SIM_SEED: 'stopping', LOG_LEVEL: 'silent' });
    server.start();
    await server.untilReady();
    customer = new TestCustomer(server.url);
    await customer.signIn();
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('answers all received requests, closes the live stream, and exits with 0', async () => {
    const stream = new WebSocket(`${server.url.replace('http', 'ws')}/api/stream`);
    const goodbye = new Promise<number>((closed) => stream.once('close', closed));
    await new Promise((opened) => stream.once('message', opened));

    // One keep-alive connection per buyer, with one purchase after the other.
    const agents = Array.from({ length: BUYERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const buy = (agent: Agent): Promise<string> =>
      new Promise((resolve) => {
        const asked = request(`${server.url}/api/coin/order/add`, {
          agent,
          method: 'POST',
          headers: {
            token: customer.token,
            'content-type': 'application/x-www-form-urlencoded',
            'idempotency-key': randomUUID(),
          },
        });
        asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
        asked.on('response', (response) => {
          response.resume();
          response.once('end', () => resolve(String(response.statusCode)));
          response.once('error', () => resolve('cut'));
        });
        asked.end(FORM);
      });
    const ends = agents.map(async (agent) => {
      for (;;) {
        const outcome = await buy(agent);
        // A stopping server refuses options until it accepts no more connections.
        if (outcome !== '200' && outcome !== '503') return outcome;
      }
    });
    await pause(500);
    const code = await server.stop();
    expect(await Promise.all(ends)).toEqual(Array(BUYERS).fill('ECONNREFUSED'));
    expect(await goodbye).toBe(1001);
    expect(code).toBe(0);
    expect(server.output()).not.toMatch(/checker ended|did not end/);
  });
});
