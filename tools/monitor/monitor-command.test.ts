import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readFindings } from './finding.ts';
import {
  bookOf,
  headOf,
  headsAt,
  MINUTE_MS,
  openTestingPlatform,
  type TestingPlatform,
  TICKS,
  tradeOf,
} from './testing-platform.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const top = mkdtempSync(path.join(tmpdir(), 'monitor-'));
const servers: Server[] = [];
const started: ChildProcess[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(top, { recursive: true }));

/** A platform whose newest checkpoint was cosigned now, since the command reads the machine's clock. */
async function openPlatform(): Promise<{ platform: TestingPlatform; url: string }> {
  const platform = await openTestingPlatform({}, Date.now() - 21 * MINUTE_MS);
  const server = platform.serve();
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { platform, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function start(...parameters: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return child;
}

async function run(...parameters: readonly string[]): Promise<{ status: number | null; said: string }> {
  const child = start(...parameters);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      said += String(part);
    });
  const [status] = await once(child, 'close');
  return { status, said };
}

const NOW = Date.now();
const EVENTS = [
  {
    topic: 'book:BTC',
    data: bookOf(
      7,
      NOW,
      [['99', '2']],
      [
        ['101', '1'],
        ['102', '3'],
      ],
    ),
  },
  { topic: 'trades:BTC', data: [tradeOf(3, '102', { at: new Date(NOW + 50).toISOString() })] },
  {
    topic: 'book:BTC',
    data: bookOf(
      8,
      NOW + 100,
      [['99', '2']],
      [
        ['101', '1'],
        ['102', '2'],
      ],
    ),
  },
  { topic: 'book:BTC', data: bookOf(9, NOW + 200, [['99', '2']], [['101', '1']]) },
];
const frameOf = (...events: readonly object[]) => ({ op: 'event', at: new Date(NOW).toISOString(), events });

describe('sathorn-monitor', () => {
  it('finds nothing at an honest platform, keeps its place, and finds what changes afterwards', async () => {
    const { platform, url } = await openPlatform();
    const folder = path.join(top, 'm1');
    const visit = () => run('--server', `${url}/`, '--folder', folder, '--once');
    const first = await visit();
    expect(first.said).toMatch(/read {6}16 entries of platform\.example\/log; findings: 0/);
    expect(first.status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['findings.json', 'key', 'lock', 'memory.json', 'policy']);
    expect(statSync(path.join(folder, 'key')).mode & 0o777).toBe(0o600);

    platform.nowMs += 1;
    await platform.log([headsAt(platform.nowMs, { ticks: { BTC: headOf(TICKS[28]) } })]);
    platform.frames = [{ op: 'hello', at: '' }, ...EVENTS.map((event) => frameOf(event))];
    const second = await visit();
    expect(second.said.split('\n').filter((line) => line.startsWith('FOUND'))).toEqual([
      'FOUND     Entry 16 sets ticks BTC back from number 35 to 34.',
      'FOUND     Trade BTC-3 was filled at 102, while 1 at 101 rested before and after it.',
    ]);
    expect(second.status).toBe(1);
    const file = await readFindings(readFileSync(path.join(folder, 'findings.json'), 'utf8'));
    if ('fault' in file) throw new Error(file.fault);
    expect(file.findings.map(({ body }) => JSON.parse(body).kind)).toEqual(['head', 'book']);
    expect(JSON.parse(file.visit?.body ?? '')).toMatchObject({ size: '17', findings: '2' });
  });

  it('says when it could not read, and judges by a policy of the caller’s', async () => {
    const { platform, url } = await openPlatform();
    delete platform.calls['/box/lists'];
    const folder = path.join(top, 'm2');
    const other = path.join(top, 'policy');
    writeFileSync(other, platform.policy.replace('platform.example/log', 'another.example/log'));
    expect(await run('--server', url, '--folder', folder, '--once')).toMatchObject({
      status: 2,
      said: expect.stringContaining('NOT READ  the boxes'),
    });
    // A key whose name was changed is none.
    expect(await run('--server', url, '--folder', folder, '--once', '--policy', other)).toMatchObject({
      status: 2,
      said: expect.stringContaining('key_malformed in line 1'),
    });
    writeFileSync(other, platform.policy.replace(/quorum .*/, 'quorum none'));
    expect(await run('--server', url, '--folder', folder, '--once', '--policy', other)).toMatchObject({
      status: 1,
      said: expect.stringContaining('The platform serves another policy than the pinned one.'),
    });
    expect(readFileSync(path.join(folder, 'policy'), 'utf8')).toBe(platform.policy);
    expect(await run('--server', 'http://127.0.0.1:9', '--folder', folder, '--once')).toMatchObject({
      status: 2,
      said: expect.stringContaining('NOT READ  the log'),
    });
    for (const wrong of [
      [],
      ['--server', url],
      ['--server', 'x', '--folder', folder],
      ['--every', '0', '--server', url, '--folder', folder],
    ])
      expect((await run(...wrong)).status).toBe(2);
  });

  it('goes on until it is stopped, alone in its folder', async () => {
    const { url } = await openPlatform();
    const folder = path.join(top, 'm3');
    const child = start('--server', url, '--folder', folder, '--every', '1');
    let said = '';
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (part) => {
        said += String(part);
        // The second visit.
        if ((said.match(/; findings: 0\n/g)?.length ?? 0) > 1) resolve();
      });
    });
    expect(await run('--server', url, '--folder', folder, '--once')).toMatchObject({
      status: 2,
      said: expect.stringContaining('another monitor runs on'),
    });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('refuses findings of another key, and a folder that lost its key', async () => {
    const { url } = await openPlatform();
    const folder = path.join(top, 'm4');
    await run('--server', url, '--folder', folder, '--once');
    const visit = () => run('--server', url, '--folder', folder, '--once');
    const key = path.join(folder, 'key');
    writeFileSync(key, `${'07'.repeat(32)}\n`);
    expect(await visit()).toMatchObject({ status: 2, said: expect.stringContaining('of another key') });
    rmSync(key);
    expect(await visit()).toMatchObject({ status: 2, said: expect.stringContaining('key is missing') });
  });

  it('is built from what everybody may use: no code of the server, no package besides', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => !/test|\.mjs$/.test(file));
    const taken = files.flatMap((file) =>
      [...readFileSync(path.join(import.meta.dirname, file), 'utf8').matchAll(/ from '([^'.][^']*)'/g)].map(
        ([, name = '']) => name,
      ),
    );
    const packages = [...new Set(taken)].filter((name) => !name.startsWith('node:'));
    expect(packages.sort()).toEqual(['@sathorn/api', '@sathorn/money', '@sathorn/proof', '@sathorn/transparency']);
  });
});
