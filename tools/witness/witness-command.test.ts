import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSignerKey, readVerifierKey, signerKey, writeVerifierKey } from '@sathorn/transparency';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { serveWitness } from './serve-witness.ts';
import { TestingDisk } from './testing-disk.ts';
import { LOG_KEY, secondsOf, seedOf, TestingLog } from './testing-log.ts';
import { openWitness } from './witness.ts';
import { writeState } from './witness-state.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const top = mkdtempSync(path.join(tmpdir(), 'witness-'));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(top, { recursive: true }));

const log = new TestingLog(20);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function run(...parameters: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...parameters], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

async function start(folder: string, ...more: string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [MAIN, '--folder', folder, '--port', '0', ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  let said = '';
  for await (const part of child.stdout ?? []) {
    said += String(part);
    const url = /http:\/\/\S+/.exec(said)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`it did not start: ${said}`);
}

const post = (url: string, body: string) => fetch(`${url}/add-checkpoint`, { method: 'POST', body });

describe('sathorn-witness', () => {
  const folder = path.join(top, 'w1');
  const logKey = writeVerifierKey(LOG_KEY);

  it('makes a key once, for its owner only, and prints its line of a policy', () => {
    const { status, said } = run('init', '--folder', folder, '--name', 'witness.example/w1');
    const [word, name, text = ''] = said.trim().split(' ');
    expect([status, word, name]).toEqual([0, 'witness', 'witness.example/w1']);
    expect(readVerifierKey(text)).toMatchObject({ name: 'witness.example/w1', kind: 'cosignature' });
    expect(readdirSync(folder).sort()).toEqual(['key', 'lock', 'state.json']);
    for (const file of ['key', 'state.json', 'lock'])
      expect([file, statSync(path.join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
    expect(run('init', '--folder', folder, '--name', 'witness.example/w2')).toMatchObject({ status: 2 });
  });

  it('runs once on a folder, and continues after a kill where it was', async () => {
    const policy = path.join(top, 'policy');
    writeFileSync(policy, `log ${logKey} https://log.example/a\nquorum none\n`);
    const first = await start(folder, '--policy', policy);
    const witness = readSignerKey(readFileSync(path.join(folder, 'key'), 'utf8').trimEnd());
    if (witness === undefined) throw new Error('no key');
    const answer = await post(first.url, log.request(0, 12));
    expect(answer.status).toBe(200);
    expect(await secondsOf(log.text(12), await answer.text(), witness)).toBeGreaterThan(1_700_000_000);

    expect(run('--folder', folder, '--log', logKey, '--port', '0')).toMatchObject({
      status: 2,
      said: expect.stringContaining('another witness runs on'),
    });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await start(folder, '--log', logKey);
    const conflict = await post(second.url, log.request(0, 20));
    expect([conflict.status, conflict.headers.get('content-type'), await conflict.text()]).toEqual([
      409,
      'text/x.tlog.size',
      '12\n',
    ]);
    expect((await post(second.url, new TestingLog(20, 'other', 9).request(12, 20))).status).toBe(422);
    const shown = await fetch(`${second.url}/${hashOf(LOG_KEY.name)}/checkpoint`);
    expect((await shown.text()).startsWith(`${log.text(12)}\n— log.example/a `)).toBe(true);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  });

  it('does not start on a key that others can read, without its state, or without a log', () => {
    const key = path.join(folder, 'key');
    const state = path.join(folder, 'state.json');
    expect(run('--folder', folder)).toMatchObject({ status: 2, said: expect.stringContaining('no log is named') });
    chmodSync(key, 0o640);
    expect(run('--folder', folder, '--log', logKey)).toMatchObject({
      status: 2,
      said: expect.stringContaining('open to others'),
    });
    chmodSync(key, 0o600);
    const kept = readFileSync(state);
    rmSync(state);
    expect(run('--folder', folder, '--log', logKey)).toMatchObject({
      status: 2,
      said: expect.stringContaining('state.json is missing'),
    });
    // The state of a lost key is not taken over by a new one.
    writeFileSync(state, kept);
    rmSync(key);
    expect(run('init', '--folder', folder, '--name', 'witness.example/w1')).toMatchObject({
      status: 2,
      said: expect.stringContaining('state of a lost key'),
    });
    expect(run('--folder', path.join(top, 'nowhere'), '--log', logKey)).toMatchObject({ status: 2 });
    expect(run('--folder', folder, '--log', 'abc')).toMatchObject({ status: 2 });
    expect(run('start')).toMatchObject({ status: 2, said: expect.stringContaining('usage') });
  });

  it('is built from the formats only: no code of the server, no package besides', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => !/test|\.mjs$/.test(file));
    const taken = files.flatMap((file) =>
      [...readFileSync(path.join(import.meta.dirname, file), 'utf8').matchAll(/ from '([^'.][^']*)'/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect([...new Set(taken)].filter((name) => !name.startsWith('node:'))).toEqual(['@sathorn/transparency']);
  });
});

describe('over HTTP', () => {
  const key = signerKey('witness.example/w', 'cosignature', seedOf(7));
  const disk = new TestingDisk();
  writeState(disk, writeVerifierKey(key), new Map());
  const reported: unknown[] = [];
  const witness = openWitness({ key, logs: [LOG_KEY], disk, now: () => 1_790_000_000 });
  const server = serveWitness(witness, (error) => reported.push(error));
  const listening = new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  afterAll(() => server.close());

  it('every status says what is wrong', async () => {
    const url = await listening;
    const statusOf = async (method: string, target: string, body?: string) =>
      (await fetch(`${url}${target}`, { method, ...(body !== undefined && { body }) })).status;
    const stranger = signerKey(LOG_KEY.name, 'note', seedOf(2));
    const unknown = new TestingLog(3, 'entry', 0, signerKey('log.example/b', 'note', seedOf(2)));
    const newest = `/${hashOf(LOG_KEY.name)}/checkpoint`;
    expect(await statusOf('GET', newest)).toBe(404);
    const rows: readonly (readonly [number, string, string, string?])[] = [
      [400, 'POST', '/add-checkpoint', ''],
      [400, 'POST', '/add-checkpoint', log.request(0, 12).replace('old 0', 'old 13')],
      [403, 'POST', '/add-checkpoint', log.request(0, 12, stranger)],
      [404, 'POST', '/add-checkpoint', unknown.request(0, 3)],
      [409, 'POST', '/add-checkpoint', log.request(5, 12)],
      [403, 'POST', '/add-checkpoint', log.request(0, 12).replace('\n12\n', '\n13\n')],
      [200, 'POST', '/add-checkpoint', log.request(0, 12)],
      [422, 'POST', '/add-checkpoint', new TestingLog(20, 'other', 9).request(12, 20)],
      [200, 'GET', newest],
      [405, 'POST', newest, ''],
      [405, 'GET', '/add-checkpoint'],
      [404, 'GET', '/'],
      [404, 'GET', `/${hashOf('log.example/b')}/checkpoint`],
      [404, 'GET', '/../state.json'],
      [413, 'POST', '/add-checkpoint', 'x'.repeat(300_000)],
    ];
    for (const [status, method, target, body] of rows)
      expect([method, target, await statusOf(method, target, body)]).toEqual([method, target, status]);
    expect(reported).toEqual([]);
  });

  it('a disk that fails is no signature, and the next question is answered', async () => {
    const url = await listening;
    disk.cutAt(2, false);
    expect((await post(url, log.request(12, 20))).status).toBe(500);
    expect(reported).toHaveLength(1);
    disk.cutAt(0, false);
    expect((await post(url, log.request(12, 20))).status).toBe(200);
  });

  it('a caller that leaves in the middle of its question disturbs nobody', async () => {
    const url = await listening;
    const leaving = httpRequest(`${url}/add-checkpoint`, { method: 'POST', headers: { 'Content-Length': '1000' } });
    leaving.on('error', () => undefined);
    leaving.write('old 20\n');
    await new Promise((resolve) => leaving.once('socket', (socket) => socket.once('connect', resolve)));
    leaving.destroy();
    expect((await post(url, log.request(20, 20))).status).toBe(200);
    expect(reported).toHaveLength(1);
  });
});
