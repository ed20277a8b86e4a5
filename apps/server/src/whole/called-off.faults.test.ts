import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';

describe('a start that is aborted', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s leaves no database running behind', async (signal) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-called-off-'));
    chmodSync(dataDir, 0o755);
    const lock = path.join(dataDir, 'postgres', 'postmaster.pid');
    const server = spawn(process.execPath, [path.resolve(import.meta.dirname, '../main.ts')], {
      env: { ...process.env, PORT: '0', BASE_URL: 'http://localhost:4650', DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    try {
      await vi.waitFor(() => expect(existsSync(lock)).toBe(true), { timeout: 120_000, interval: 10 });
      server.kill(signal);
      const [code] = await once(server, 'exit');
      expect(code).toBe(0);
      expect(existsSync(lock)).toBe(false);
    } finally {
      server.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
