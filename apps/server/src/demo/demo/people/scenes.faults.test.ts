import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { newDataDir, startServerProcess } from '../../../whole/testing-server.ts';

it('every scene of the demo’s people plays to its end at a first start', async () => {
  const dataDir = newDataDir('scenes');
  const server = await startServerProcess({ DATA_DIR: dataDir, DEMO_PEOPLE: '1' });
  onTestFinished(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  server.start();
  // Each operator's code works once per 30 seconds, so this takes minutes.
  for (;;) {
    const said = server.output();
    expect(said).not.toContain('is tried again at the next start');
    const [, played, all] = [...said.matchAll(/\((\d+) of (\d+)\)/g)].at(-1) ?? [];
    if (played !== undefined && played === all) return;
    await pause(500);
  }
}, 1_000_000);
