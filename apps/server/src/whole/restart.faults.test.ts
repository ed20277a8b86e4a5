import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type OptionReceipt, type ProofKey, verifyOptionReceipt } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import {
  newDataDir,
  offerShortOptions,
  type ServerProcess,
  SHORT_OPTION_SECONDS,
  startServerProcess,
  violationsOf,
} from './testing-server.ts';

/** Polls for events outside this process, which cannot be awaited. */
const breathe = () => new Promise((resolve) => setTimeout(resolve, 50));

interface Order {
  id: string;
  status: string;
}

describe('B1 B2 a platform that is killed', () => {
  let dataDir: string;
  let server: ServerProcess;
  let token = '';

  const call = async <Data>(
    route: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Data> => {
    const [method = '', at = ''] = route.split(' ');
    const body = new URLSearchParams(form).toString();
    // Retries like a customer's app: the same request until there is an answer.
    for (;;) {
      try {
        const response = await fetch(`${server.url}/api${at}${method === 'GET' && body ? `?${body}` : ''}`, {
          method,
          headers: {
            token,
            ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
            ...headers,
          },
          ...(method === 'POST' && { body }),
        });
        const answer = (await response.json()) as { ret: number; data: Data };
        if (answer.ret === 1) return answer.data;
        // A refusal is final for its key, so another attempt needs a new one. After a fault the command may have been
        // executed, so the key stays.
        if (response.status === 200 && 'idempotency-key' in headers) headers['idempotency-key'] = randomUUID();
      } catch {
        // The server was unreachable, or went down during the request.
      }
      await breathe();
    }
  };
  const buy = (direction: string) => {
    const key = randomUUID();
    return call<Order>(
      'POST /coin/order/add',
      { code: 'BTC', direction, quantity: '25', duration: SHORT_OPTION_SECONDS },
      { 'idempotency-key': key },
    );
  };
  const postmaster = (): number =>
    Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

  beforeAll(async () => {
    dataDir = newDataDir('restart');
    server = await startServerProcess({ DATA_DIR: dataDir, SIM_SEED: 'restart', LOG_LEVEL: 'silent' });
    server.start();
    await server.untilReady();
    await offerShortOptions(dataDir);
    token = (
      await call<{ token: string }>('POST /users/login', {
        username: DEMO_CUSTOMER.username,
        password: DEMO_CUSTOMER.password,
      })
    ).token;
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('settles each order once, from stored ticks, and its receipt verifies; nothing acknowledged is lost', async () => {
    const before = await call<{ usdt_available: string }>('POST /coin/user/amount', { code: 'BTC' });
    const orders = [await buy('up'), await buy('down')];

    await server.kill();
    server.start();
    orders.push(await buy('up'));

    process.kill(postmaster(), 'SIGKILL');
    orders.push(await buy('down'));

    const keys = (await call<{ keys: ProofKey[] }>('GET /proof/keys')).keys;
    let credited = 0n;
    for (const { id } of orders) {
      let order: Order & { receipt: OptionReceipt };
      do {
        await breathe();
        order = await call<Order & { receipt: OptionReceipt }>('GET /coin/order/info', { id });
      } while (order.status === 'holding' || (order.status !== 'void' && order.receipt.ticks.after_end === null));
      const verdict = await verifyOptionReceipt(order.receipt, keys);
      expect(verdict.checks.filter((check) => !check.ok)).toEqual([]);
      expect(verdict.verified).toBe(true);
      credited += BigInt(order.receipt.result.credited);
    }
    const after = await call<{ usdt_available: string; usdt_held: string }>('POST /coin/user/amount', { code: 'BTC' });
    const units = (text: string): bigint => BigInt(text.replace('.', ''));
    expect(units(after.usdt_available)).toBe(units(before.usdt_available) - 100_000_000n + credited);
    expect(after.usdt_held).toBe('0.000000');

    expect(await violationsOf(dataDir)).toEqual([]);
  });

  it('stops on request, and its database with it', async () => {
    const pid = postmaster();
    expect(await server.stop()).toBe(0);
    // The process was adopted, so the system's init process has to reap it.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 120_000);
  });
});
