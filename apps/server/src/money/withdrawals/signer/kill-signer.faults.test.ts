import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AUTHORISATION_SIGNER,
  HOT_WALLET_KEY,
  openWithdrawalsTest,
  usdt,
  type WithdrawalsTest,
} from '../testing-withdrawals.ts';

const FIRST_CUSTOMER = 301n;
const PER_PAYOUT = 20;

describe('B1 D15 a payout whose signer is killed', () => {
  let room: WithdrawalsTest;
  let count = 0;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
  });
  afterAll(() => room.close());

  interface Payout {
    readonly id: string;
    readonly customer: bigint;
    readonly address: string;
  }
  /** Each request comes from another customer, because the sum of one customer's day would need people's approval. */
  const ask = async (): Promise<Payout> => {
    count += 1;
    const customer = FIRST_CUSTOMER + BigInt(count);
    await room.fund(customer, 2 * PER_PAYOUT);
    const address = `0x${count.toString(16).padStart(4, '0').repeat(10)}`;
    const answer = await room.call('extract', customer, {
      channel: 'testnet',
      target: room.wallet(address),
      amount: PER_PAYOUT,
      paypass: '830274',
    });
    expect(answer).toMatchObject({ ok: true, effect: { step: 'approved' } });
    return { id: answer.effect.id, customer, address };
  };
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
    });
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-signer-worker.ts'), given], {
      stdio: 'inherit',
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal === 'SIGKILL';
  };
  const isPaidOnce = async ({ id, customer, address }: Payout): Promise<void> => {
    expect(await room.follow(customer, id)).toMatchObject({ step: 'done' });
    // 20 minus the fee of 1.02.
    expect(await room.paidTo(address)).toBe(usdt(18.98));
  };

  it('at each of its steps pays once, and loses nothing', async () => {
    let nth = 1;
    for (; ; nth += 1) {
      const payout = await ask();
      const wasKilled = await strike(nth);
      await isPaidOnce(payout);
      if (!wasKilled) break;
    }
    expect(nth).toBeGreaterThan(15);
    expect(await room.violations()).toEqual([]);
  }, 480_000);

  it('together with its node, which forgets what was sent, sends the same transaction again', async () => {
    // The node saves its state every five seconds.
    await pause(6_000);
    const payout = await ask();
    await room.signer().round();
    const pid = room.chain.pid();
    if (pid !== null) process.kill(pid, 'SIGKILL');
    await pause(1_500);
    await isPaidOnce(payout);
    expect(await room.violations()).toEqual([]);
  });
});
