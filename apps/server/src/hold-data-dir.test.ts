import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdDataDir } from './hold-data-dir.ts';

describe('a data folder', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-held-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is held by one server, under every spelling of its name', async () => {
    const held = await holdDataDir(folder);
    await expect(holdDataDir(`${folder}/./x/..`)).rejects.toThrow('another server is running');
    const link = `${folder}/link`;
    symlinkSync(folder, link);
    await expect(holdDataDir(link)).rejects.toThrow('another server is running');
    const below = await holdDataDir(`${folder}/not-there-yet`);
    await expect(holdDataDir(`${link}/not-there-yet`)).rejects.toThrow('another server is running');
    await below.release();
    const other = await holdDataDir(`${folder}-2`);
    await other.release();
    await held.release();
    await (await holdDataDir(folder)).release();
  });

  it('is free again when its server was killed', async () => {
    const program = `import('${path.join(import.meta.dirname, 'hold-data-dir.ts')}').then(({ holdDataDir }) => holdDataDir(process.argv[1])).then(() => { console.log('held'); setInterval(() => undefined, 1000); })`;
    const child = spawn(process.execPath, ['-e', program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(holdDataDir(folder)).rejects.toThrow('another server is running');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await holdDataDir(folder)).release();
  });
});
