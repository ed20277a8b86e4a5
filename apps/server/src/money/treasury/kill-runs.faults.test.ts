import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasLocalChain } from '../chain/index.ts';
import { AUTHORISATION_SIGNER, HOT_WALLET_KEY, usdt } from '../withdrawals/testing-withdrawals.ts';
import { openTreasuryTest, type TreasuryTest } from './testing-treasury.ts';

const [RUNS, PER_RUN, KILLS_PER_RUN] = [4, 50, 5];
/** After its fee of 0.1 %, at least one USDT. */
const [ASKED, PAID] = [1_200, 1_197.8];
const WORKER = path.join(import.meta.dirname, '../withdrawals/signer/testing-signer-worker.ts');

describe.skipIf(!hasLocalChain())('payment runs whose signer is killed', () => {
  let treasury: TreasuryTest;
  beforeAll(async () => {
    treasury = await openTreasuryTest();
  });
  afterAll(() => treasury.close());

  /** Runs one round of a signer in its own process. Returns true if it was killed. */
  const strike = async (nth: number): Promise<boolean> => {
    const { test, chain, folder } = treasury.room;
    const { treasury: place } = chain.config;
    const given = JSON.stringify({
      connection: test.signer,
      chain: {
        ...chain.config,
        sweepMin: String(chain.config.sweepMin),
        treasury: place && { ...place, hotMax: String(place.hotMax) },
      },
      hotKey: HOT_WALLET_KEY,
      folder,
      authorisationKey: AUTHORISATION_SIGNER.publicKeyHex,
      nth,
    });
    const child = spawn(process.execPath, [WORKER, given], { stdio: 'inherit' });
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal === 'SIGKILL';
  };
  const found = async (): Promise<unknown[]> =>
    ((await treasury.room.violations()) as { invariant: string }[]).filter(
      ({ invariant }) => !invariant.startsWith('OP'),
    );

  it('pay 200 withdrawals in four runs, each once, through 20 kills', async () => {
    const { room } = treasury;
    let kills = 0;
    // Each kill hits another step, so that all steps of a round are hit over the four runs.
    let nth = 5;
    for (let run = 0; run < RUNS; run += 1) {
      const asked = [];
      for (let n = 0; n < PER_RUN; n += 1) {
        const one = await treasury.ask(ASKED);
        await treasury.examine(one.id);
        asked.push(one);
      }
      await treasury.sign(asked.map(({ id }) => id));
      for (let n = 0; n < KILLS_PER_RUN; n += 1, nth += 3) {
        if (await strike(nth)) kills += 1;
        else nth = 5;
        await treasury.settle(1);
        expect(await found()).toEqual([]);
      }
      for (let n = 0; n < 3; n += 1) {
        await room.signer().round();
        await treasury.settle();
      }
      expect((await treasury.read()).run).toBeNull();
      for (const { id, customer, address } of asked) {
        expect(await room.read(customer, id)).toMatchObject({ step: 'done' });
        expect(await room.paidTo(address)).toBe(usdt(PAID));
      }
      expect(await found()).toEqual([]);
    }
    expect(kills).toBeGreaterThan(12);
    const { recent } = await treasury.read();
    expect(recent.map(({ step, lines }) => [step, lines.length])).toEqual(Array(RUNS).fill(['done', PER_RUN]));
  }, 480_000);
});
