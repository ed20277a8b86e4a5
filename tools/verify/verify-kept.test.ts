import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  BoxFile,
  Contradiction,
  DrawReceipt,
  KeptFile,
  OptionReceipt,
  PublishedKey,
  SignedText,
} from '@sathorn/proof';
import { afterAll, expect, it } from 'vitest';
import { readDraw } from './judge-draw.ts';
import type { AskServer } from './public-chain.ts';
import {
  judgeContradiction,
  judgeKept,
  judgeLogContradiction,
  readContradiction,
  readKept,
  readLogContradiction,
  writeContradictions,
} from './verify-kept.ts';

const vectors = <T>(name: string): T =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../packages/proof/vectors', name), 'utf8')) as T;
interface KeptCase {
  name: string;
  file: KeptFile;
  receipt: OptionReceipt | null;
  draw: DrawReceipt | null;
  keys: PublishedKey[] | null;
  ok: boolean;
  found: string[];
  is_kept: boolean;
}
const { files, contradictions } = vectors<{
  files: KeptCase[];
  contradictions: { name: string; file: Contradiction; ok: boolean }[];
}>('kept.json');
const named = (name: string): KeptCase => files.find((one) => one.name === name) as KeptCase;
const folder = mkdtempSync(path.join(tmpdir(), 'verify-kept-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OFFLINE = { isChainWanted: false, pins: null, ask: null };
const whole = named('whole').file;

it('gives each vector its verdict, with a sentence for each finding', async () => {
  for (const { name, file, receipt, draw, keys, ok, found, is_kept: isKept } of files) {
    const kept = readKept(JSON.stringify(file));
    expect(kept !== undefined, name).toBe(isKept);
    const shown = receipt ?? draw;
    const { isVerified, lines } = await judgeKept(kept, shown && JSON.stringify(shown), keys, OFFLINE);
    expect(isVerified, name).toBe(ok);
    const ofKept = lines.filter((line) => line.startsWith('KEPT:') || line.startsWith('KEY: the device'));
    expect(ofKept.length, name).toBe(found.length);
    if (!isKept) expect(lines, name).toEqual([expect.stringContaining('kept/1')]);
  }
  for (const { name, file, ok } of contradictions) {
    const given = readContradiction(JSON.stringify(file));
    expect(given !== undefined && (await judgeContradiction(given, null)).isVerified, name).toBe(ok);
  }
});

it('gives each pair of a log’s checkpoints its verdict, also beside a policy', async () => {
  const file = path.join(import.meta.dirname, '../../packages/transparency/vectors/log-contradictions.json');
  const cases: { name: string; file: { keys: string[] }; fault: string | null }[] = JSON.parse(
    readFileSync(file, 'utf8'),
  ).contradictions;
  for (const { name, file, fault } of cases) {
    const given = readLogContradiction(JSON.stringify(file));
    expect(given !== undefined && (await judgeLogContradiction(given, null)).isVerified, name).toBe(fault === null);
    expect(readContradiction(JSON.stringify(file)), name).toBeUndefined();
  }
  const given = readLogContradiction(JSON.stringify(cases[0]?.file)) as NonNullable<
    ReturnType<typeof readLogContradiction>
  >;
  const policyOf = (key: string) => `log ${key}\nquorum none\n`;
  expect((await judgeLogContradiction(given, policyOf(given.keys[0] ?? ''))).isVerified).toBe(true);
  const other = cases.find(({ name }) => name === 'another key')?.file.keys[0] ?? '';
  expect((await judgeLogContradiction(given, policyOf(other))).isVerified).toBe(false);
  expect((await judgeLogContradiction(given, 'no policy')).isVerified).toBe(false);
  const saved = path.join(folder, 'log.json');
  writeFileSync(saved, JSON.stringify(given));
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), saved]);
  const [status] = await once(child, 'close');
  expect(status).toBe(0);
  rmSync(saved);
});

it('keeps what the device has reported on one line', async () => {
  const findings = [{ kind: 'log', about: 'log.example/a', at: '1', says: ['forked', 'a\nVerified.\n'] }];
  const told = await judgeKept({ ...whole, findings }, null, null, OFFLINE);
  expect(told.lines).toContain('The device has reported: log log.example/a forked, a Verified.');
});

it('names types that it does not read, and what the device has reported, without refusing the file', async () => {
  const unknown = await judgeKept(named('promises and statements of unknown types').file, null, null, OFFLINE);
  expect([unknown.isVerified, unknown.lines]).toEqual([true, expect.arrayContaining(['Not read: 1 of type tick/1.'])]);
  const told = await judgeKept(whole, null, null, OFFLINE);
  expect([told.isVerified, told.lines]).toEqual([
    true,
    expect.arrayContaining(['The device has reported: fork BTC 12 rewritten']),
  ]);
});

it('compares a box’s public file with the box that the device first saw', async () => {
  const { files: boxes } = vectors<{ files: { name: string; file: BoxFile }[] }>('draws.json');
  const five = JSON.stringify(boxes.find(({ name }) => name === 'five draws')?.file);
  expect(readDraw(five)).toBeDefined();
  expect((await judgeKept(whole, five, null, OFFLINE)).isVerified).toBe(true);
  const other = { ...whole, boxes: whole.boxes.map((box) => ({ ...box, hash: 'a'.repeat(64), text: null })) };
  const found = await judgeKept(other, five, null, OFFLINE);
  expect([found.isVerified, found.lines]).toEqual([
    false,
    expect.arrayContaining([expect.stringContaining('was kept in box')]),
  ]);
  expect((await judgeKept(whole, '{}', null, OFFLINE)).isVerified).toBe(false);
});

it('asks the public chain for what was streamed', async () => {
  const all = vectors<{ public_chains: { name: string; texts: SignedText[] }[] }>('memory.json').public_chains;
  const texts = all.find(({ name }) => name === 'the public chain')?.texts ?? [];
  const numberOf = ({ body }: SignedText): number => Number(JSON.parse(body).seq);
  const kept: KeptFile = {
    ...whole,
    receipts: [],
    ticks: [
      { coin: 'BTC', since: null, seen: texts.map((text) => [String(numberOf(text)), text.hash] as const), texts: [] },
    ],
  };
  const serving =
    (shown: readonly SignedText[]): AskServer =>
    async (address) => {
      const query = new URLSearchParams(address.split('?')[1]);
      const head = shown.at(-1);
      return {
        items: shown.filter((text) => numberOf(text) >= Number(query.get('from'))).slice(0, Number(query.get('limit'))),
        head: head ? { sequence: String(numberOf(head)), hash: head.hash } : null,
      };
    };
  const judge = (shown: readonly SignedText[]) => judgeKept(kept, null, null, { ...OFFLINE, ask: serving(shown) });
  expect(await judge(texts)).toMatchObject({ isVerified: true });
  expect((await judge(texts.slice(0, 10))).lines).toContainEqual(expect.stringContaining('it was rolled back'));
  const place = 12;
  const other = {
    ...(texts[place] as SignedText),
    body: (texts[place] as SignedText).body.replace('"flag":""', '"flag":"jump"'),
  };
  const rewritten = await judge(texts.with(place, other));
  expect([rewritten.isVerified, rewritten.lines]).toEqual([
    false,
    expect.arrayContaining([expect.stringContaining(`tick BTC ${numberOf(texts[place] as SignedText)} is another`)]),
  ]);
});

it('writes each contradiction to its own file, the gravest first', () => {
  const ofKind = (kind: string) =>
    contradictions.find(({ file, ok }) => ok && file.kind === kind)?.file as Contradiction;
  const names = writeContradictions(path.join(folder, 'found.json'), [ofKind('tick'), ofKind('terms')]);
  expect(names.map((name) => path.basename(name))).toEqual(['found.json', 'found-2.json']);
  expect(readContradiction(readFileSync(names[0] ?? '', 'utf8'))?.kind).toBe('terms');
  expect(writeContradictions(undefined, [ofKind('tick')])).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(2);
});

it('asks for the whole chain where a server is given, and not with --no-chain or offline', {
  timeout: 60_000,
}, async () => {
  const { receipts } = vectors<{ receipts: { name: string; receipt: OptionReceipt; keys: object[] }[] }>(
    'receipts.json',
  );
  const won = receipts.find(({ name }) => name === 'won');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    const data = request.url?.includes('/proof/keys') ? { keys: won?.keys } : { items: [], head: null };
    response.end(JSON.stringify({ ret: 1, msg: '', data }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [receipt, kept] = [path.join(folder, 'receipt.json'), path.join(folder, 'kept.json')];
  writeFileSync(receipt, JSON.stringify(won?.receipt));
  writeFileSync(kept, JSON.stringify({ ...whole, ticks: [] }));
  const run = async (...more: string[]): Promise<string> => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), receipt, ...more]);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await once(child, 'close');
    return said;
  };
  // This server shows an empty chain, which contradicts the receipt only if the chain is asked for.
  expect(await run('--server', address)).toContain('CHAIN: the public chain of BTC contradicts the receipt');
  expect(await run('--server', address, '--kept', kept)).toContain('CHAIN:');
  const plain = await run('--server', address, '--no-chain');
  expect([plain.includes('Verified.'), plain.includes('CHAIN')]).toEqual([true, false]);
  asked.length = 0;
  expect(await run('--kept', kept)).toContain('Verified.');
  expect(asked).toEqual([]);
  server.close();
});
