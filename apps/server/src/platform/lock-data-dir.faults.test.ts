import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDataDir } from './lock-data-dir.ts';
import { readSecrets } from './secrets.ts';

const program = `import('${path.join(import.meta.dirname, 'lock-data-dir.ts')}').then(({ lockDataDir }) => lockDataDir(process.argv[1])).then(() => { console.log('held'); setInterval(() => undefined, 1000); }, (error) => console.log(error.message))`;
/** Isolated like containers: without shared processes or networks. */
const APART = ['--net', '--pid', '--fork', '--mount-proc', '--kill-child'];

describe('a data folder', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-held-'));
  });
  afterAll(() => {
    for (const name of [folder, `${folder}-2`]) rmSync(name, { recursive: true, force: true });
  });

  it('is held by one server, under every spelling of its name', async () => {
    const held = await lockDataDir(folder);
    await expect(lockDataDir(`${folder}/./x/..`)).rejects.toThrow('another server is running');
    const link = `${folder}/link`;
    symlinkSync(folder, link);
    await expect(lockDataDir(link)).rejects.toThrow('another server is running');
    const below = await lockDataDir(`${folder}/not-there-yet`);
    await expect(lockDataDir(`${link}/not-there-yet`)).rejects.toThrow('another server is running');
    await below.release();
    const other = await lockDataDir(`${folder}-2`);
    await other.release();
    await held.release();
    await (await lockDataDir(folder)).release();
  });

  it('is free again after its server was killed', async () => {
    const child = spawn(process.execPath, ['-e', program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(lockDataDir(folder)).rejects.toThrow('another server is running');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lockDataDir(folder)).release();
  });

  it.skipIf(spawnSync('unshare', [...APART, 'true']).status !== 0)(
    'is held by one container, where each sees nothing of the other but the folder',
    async () => {
      const start = async () => {
        const child = spawn('unshare', [...APART, process.execPath, '-e', program, folder], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const [said] = (await once(child.stdout, 'data')) as [Buffer];
        return { child, said: said.toString().trim() };
      };
      const first = await start();
      expect(first.said).toBe('held');
      const second = await start();
      expect(second.said).toContain('another server is running');
      await expect(lockDataDir(folder)).rejects.toThrow('another server is running');
      first.child.kill('SIGKILL');
      await once(first.child, 'exit');
      await expect.poll(() => lockDataDir(folder).then(({ release }) => release())).toBe(undefined);
    },
  );

  it.each(['/proc/nothing', '/proc/nothing/below', '/dev/null', '/dev/null/below'])(
    'that can’t be locked is refused at once: %s',
    async (nowhere) => {
      await expect(lockDataDir(nowhere)).rejects.toThrow(`DATA_DIR=${nowhere} can't be used`);
      expect(() => readSecrets(nowhere)).toThrow(`DATA_DIR=${nowhere} can't be used`);
    },
  );
});
