import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDepositAddresses } from '../../chain/index.ts';
import {
  AUTHORISATION_SIGNER,
  HOT_WALLET_KEY,
  openWithdrawalsTest,
  usdt,
  type WithdrawalsTest,
} from '../testing-withdrawals.ts';

describe('a sweep whose signer is killed', () => {
  let room: WithdrawalsTest;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.chain.mine(5);
    await room.watch();
  });
  afterAll(() => room.close());

  /** Runs one round of a signer in its own process. Returns true if it was killed. */
  const strike = async (nth: number): Promise<boolean> => {
    const { test, chain } = room;
    const given = JSON.stringify({
      connection: test.signer,
      chain: { ...chain.config, sweepMin: String(chain.config.sweepMin) },
      hotKey: HOT_WALLET_KEY,
      folder: room.folder,
      authorisationKey: AUTHORISATION_SIGNER.publicKeyHex,
      nth,
      isWritesOnly: true,
    });
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-signer-worker.ts'), given], {
      stdio: 'inherit',
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal === 'SIGKILL';
  };

  it('at each step, for gas and for the sweep, sweeps and books once, and custody equals the chain', async () => {
    let nth = 1;
    // Kills two rounds at each step: the one that sends gas, and the one that sends the tokens.
    for (let survived = 0; survived < 2; nth += 1) {
      const customer = BigInt(10_000 + nth);
      const address = await openDepositAddresses(room.test.database, room.chain.config).of(customer);
      await room.chain.send(address, usdt(25));
      await room.chain.mine(4);
      await room.watch();
      expect(await room.available(customer)).toBe(usdt(25));
      const wasKilled = [await strike(nth)];
      await room.chain.mine(4);
      await room.watch();
      wasKilled.push(await strike(nth));
      expect(await room.violations()).toEqual([]);
      const signer = room.signer();
      for (let n = 0; n < 6 && (n < 2 || (await room.paidTo(address)) > 0n); n += 1) {
        await signer.round();
        await room.chain.mine(4);
        await room.watch();
      }
      expect(await room.paidTo(address)).toBe(0n);
      const sweeps = await room.test.database.query<{ kind: string; n: number }>({
        name: '',
        text: `SELECT kind, count(*)::integer AS n FROM withdrawals.sending WHERE step = 'done' AND '${address}' IN (sender, receiver) GROUP BY kind ORDER BY kind`,
      });
      expect(sweeps).toEqual([
        { kind: 'gas', n: 1 },
        { kind: 'sweep', n: 1 },
      ]);
      if (!wasKilled.includes(true)) survived = 2;
    }
    expect(nth).toBeGreaterThan(6);
    expect(await room.violations()).toEqual([]);
  }, 600_000);
});
