import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../.cache/nats-server');
const UNPACKED = path.join(FOLDER, 'usr/sbin/nats-server');

function run(command: string, parameters: string[]): { isDone: boolean; output: string } {
  const { status, stdout } = spawnSync(command, parameters, {
    cwd: FOLDER,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { isDone: status === 0, output: stdout?.trim() ?? '' };
}

/**
 * Finds a nats-server in the path, or unpacks Debian's into our own folder. It is not installed, because that would
 * start a service that listens on all interfaces. Returns null if none is available.
 */
export function findNatsServer(): string | null {
  mkdirSync(FOLDER, { recursive: true });
  const found = run('sh', ['-c', 'command -v nats-server']).output;
  if (found) return found;
  if (existsSync(UNPACKED)) return UNPACKED;
  if (!run('sh', ['-c', 'command -v apt-get && command -v dpkg-deb']).isDone) return null;
  console.log('Fetching nats-server from Debian …');
  if (!run('apt-get', ['download', '-qq', 'nats-server']).isDone) {
    run('apt-get', ['update', '-qq']); // Only root may run this; a fresh machine has no package lists.
    if (!run('apt-get', ['download', '-qq', 'nats-server']).isDone) return null;
  }
  const file = readdirSync(FOLDER).find((name) => name.endsWith('.deb'));
  return file && run('dpkg-deb', ['-x', file, '.']).isDone && existsSync(UNPACKED) ? UNPACKED : null;
}
