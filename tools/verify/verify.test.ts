import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OptionReceipt, type ProofKey, readTick, type SignedText } from '@sathorn/proof';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeReceiptFile } from './judge-receipt-file.ts';
import { NO_PINS, readPins, writePins } from './pin-file.ts';
import { type AskServer, askServer } from './public-chain.ts';
import { readKeys, readReceipt } from './read-files.ts';

const here = (name: string): string => path.join(import.meta.dirname, name);
const folder = mkdtempSync(path.join(tmpdir(), 'verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const receiptText = readFileSync(here('example-receipt.json'), 'utf8');
const keysText = readFileSync(here('example-keys.json'), 'utf8');

function verify(text: string, ...more: string[]): { status: number | null; said: string } {
  const file = path.join(folder, 'receipt.json');
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [here('main.ts'), file, ...more], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

describe('npm run verify', () => {
  const keys = ['--keys', here('example-keys.json')];

  it('verifies a receipt, with or without the envelope of the server’s answer', () => {
    const { status, said } = verify(receiptText, ...keys);
    expect(said.trim().split('\n')).toHaveLength(9);
    expect([status, said.includes('FAIL'), said.includes('Verified.')]).toEqual([0, false, true]);
    const receipt: unknown = JSON.parse(receiptText);
    expect(verify(JSON.stringify({ ret: 1, msg: '', data: { id: 'x', receipt } }), ...keys).status).toBe(0);
    expect(readReceipt(JSON.stringify({ receipt }))).toEqual(receipt);
    expect(readKeys(JSON.stringify({ ret: 1, data: JSON.parse(keysText) }))).toEqual(readKeys(keysText));
  });

  it('names the fault of a receipt that was changed', () => {
    const cheaper = receiptText.replace('"credited": "17644000"', '"credited": "17643999"');
    expect(verify(cheaper, ...keys)).toMatchObject({ status: 1, said: expect.stringContaining('credited_differs') });
    expect(
      verify(receiptText.replace('"up', '"down').replaceAll('\\"dir\\":\\"up', '\\"dir\\":\\"down'), ...keys),
    ).toMatchObject({
      status: 1,
      said: expect.stringContaining('NOT VERIFIED'),
    });
    const twice = receiptText.replace('"v": "receipt/1",', '"v": "receipt/1", "v": "receipt/1",');
    expect(verify(twice, ...keys)).toMatchObject({ status: 1, said: expect.stringContaining('not a receipt') });
    expect(verify('{}', ...keys)).toMatchObject({ status: 1, said: expect.stringContaining('not a receipt') });
    expect(verify(receiptText, ...keys, '--rules', '00'.repeat(32))).toMatchObject({
      status: 1,
      said: expect.stringContaining('rules_differ'),
    });
  });

  it('does not say verified if it could not check', () => {
    expect(verify(receiptText, '--keys', here('nothing.json')).status).toBe(2);
    const unreached = verify(receiptText, '--server', 'http://127.0.0.1:9');
    expect([unreached.status, unreached.said]).toEqual([2, expect.stringContaining('from http://127.0.0.1:9. Say')]);
    expect(verify(receiptText, '--keys', here('example-receipt.json')).status).toBe(2);
    expect(verify(receiptText, '--keys').status).toBe(2);
  });
});

interface Vectors {
  receipts: { name: string; receipt: OptionReceipt; keys: ProofKey[] }[];
}
const vectors = <T>(name: string): T =>
  JSON.parse(readFileSync(here(`../../packages/proof/vectors/${name}`), 'utf8')) as T;

describe('with a server and a pin file', () => {
  const { receipts } = vectors<Vectors>('receipts.json');
  const { public_chains: chains } = vectors<{ public_chains: { name: string; texts: SignedText[] }[] }>('memory.json');
  const texts = chains.find(({ name }) => name === 'the public chain')?.texts ?? [];
  const { receipt, keys } = receipts.find(({ name }) => name === 'won') as Vectors['receipts'][number];
  const sequenceOf = ({ body }: SignedText) => readTick(body)?.sequence ?? 0n;

  /** A fake server with these ticks. */
  const serving =
    (shown: readonly SignedText[]): AskServer =>
    async (address) => {
      const query = new URLSearchParams(address.split('?')[1]);
      const from = BigInt(query.get('from') ?? 0);
      const head = shown.at(-1);
      return {
        items: shown.filter((text) => sequenceOf(text) >= from).slice(0, Number(query.get('limit'))),
        head: head && { sequence: String(sequenceOf(head)), hash: head.hash },
      };
    };
  const choices = { isChainWanted: true, pins: NO_PINS, ask: serving(texts) };

  it('follows the chain from start to end, and remembers keys and head', async () => {
    const found = await judgeReceiptFile(receipt, keys, choices);
    expect([found.verdict.verified, found.contradictions]).toEqual([true, []]);
    expect(found.pins?.keys).toHaveLength(2);
    expect(found.pins?.heads.BTC?.hash).toBe(texts.at(-1)?.hash);
    const again = await judgeReceiptFile(receipt, keys, { ...choices, pins: found.pins });
    expect(again.contradictions).toEqual([]);
  });

  /** Serves a sealed chain: few ticks are signed, a page extends to the next signed one, a full page has no head. */
  const sealed = (signed: (n: number) => boolean, shown = texts): AskServer => {
    const last = shown.length - 1;
    const items = shown.map((text, n) => (n === last || signed(n) ? text : { ...text, signature: '', key: '' }));
    return async (address) => {
      const query = new URLSearchParams(address.split('?')[1]);
      const from = items.findIndex((text) => sequenceOf(text) >= BigInt(query.get('from') ?? 0));
      if (from < 0) return serving(shown)(address);
      const end = items.findIndex((text, n) => n >= from + Number(query.get('limit')) - 1 && text.signature !== '');
      return { items: items.slice(from, end < 0 ? undefined : end + 1), head: null };
    };
  };

  it('follows a sealed chain, whose pages are longer and have no head', async () => {
    const ask = sealed((n) => n % 7 === 0);
    const found = await judgeReceiptFile(receipt, keys, { ...choices, ask });
    expect([found.verdict.verified, found.contradictions]).toEqual([true, []]);
    expect(found.notes.at(-1)).toContain('public ticks from start to end are one chain');
    expect(found.pins?.heads.BTC?.hash).toBe(texts.at(-1)?.hash);
    const again = await judgeReceiptFile(receipt, keys, { ...choices, ask, pins: found.pins });
    expect([again.verdict.verified, again.contradictions]).toEqual([true, []]);
  });

  it('refuses a page that ends without a signed tick, and a page with ticks of another chain', async () => {
    const open: AskServer = async (address) => {
      const { items, head } = (await serving(texts)(address)) as { items: SignedText[]; head: unknown };
      return { items: items.map((text) => ({ ...text, signature: '', key: '' })), head };
    };
    const unsigned = await judgeReceiptFile(receipt, keys, { ...choices, ask: open });
    expect(unsigned.contradictions).toEqual([expect.stringContaining('signature_missing')]);
    const other = chains.find(({ name }) => name === 'a tick left out')?.texts ?? [];
    const gap = await judgeReceiptFile(receipt, keys, { ...choices, ask: sealed(() => false, other) });
    expect(gap.contradictions).toEqual([expect.stringContaining('sequence_gap')]);
  });

  it('distinguishes an empty chain from one that withholds remembered ticks', async () => {
    const pins = { keys: [], heads: { BTC: { sequence: 9n, hash: texts[3]?.hash ?? '' } } };
    const alone = { ...choices, isChainWanted: false, pins };
    const empty = await judgeReceiptFile(receipt, keys, { ...alone, ask: async () => ({ items: [], head: null }) });
    expect(empty.contradictions).toEqual([expect.stringContaining('was rolled back')]);
    const withheld: AskServer = async () => ({ items: [], head: { sequence: '99', hash: texts[5]?.hash } });
    const found = await judgeReceiptFile(receipt, keys, { ...alone, ask: withheld });
    expect([found.contradictions, found.pins]).toEqual([[expect.stringContaining('not on the public chain')], null]);
  });

  it('waits as long as a rate-limiting server says, but not for ever', async () => {
    let refusals = 2;
    let retryAfter = '3';
    const server = createServer((_request, response) => {
      refusals -= 1;
      if (refusals >= 0) response.writeHead(429, { 'retry-after': retryAfter }).end('{}');
      else response.end('{"ret":1,"data":"here"}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const waits: number[] = [];
    const { port } = server.address() as AddressInfo;
    const ask = askServer(`http://127.0.0.1:${port}/`, async (ms) => void waits.push(ms));
    expect([await ask('/x'), waits]).toEqual(['here', [3_000, 3_000]]);
    refusals = Number.POSITIVE_INFINITY;
    await expect(ask('/x')).rejects.toThrow('/x answered 429');
    expect(waits).toHaveLength(2 + 11);
    retryAfter = '3600';
    await expect(ask('/x')).rejects.toThrow('/x answered 429');
    expect(waits).toHaveLength(2 + 11);
    server.close();
  });

  it('detects a receipt whose ticks differ from the public ones', async () => {
    const place = texts.findIndex(({ hash }) => hash === receipt.ticks.end?.hash);
    const other = { ...(texts[place] as SignedText), body: (texts[place - 1] as SignedText).body };
    const { contradictions } = await judgeReceiptFile(receipt, keys, {
      ...choices,
      ask: serving(texts.with(place, other)),
    });
    expect(contradictions).toEqual([expect.stringContaining('CHAIN: the public chain of BTC contradicts')]);
  });

  it('names a fork, and keeps the pins that it contradicts', async () => {
    const seen = { sequence: sequenceOf(texts[3] as SignedText), hash: '0'.repeat(64) };
    const rewritten = await judgeReceiptFile(receipt, keys, { ...choices, pins: { keys: [], heads: { BTC: seen } } });
    expect(rewritten.contradictions).toEqual([expect.stringContaining(`tick ${seen.sequence} of BTC is another`)]);
    expect(rewritten.pins).toBeNull();
    const ahead = { sequence: 9_999n, hash: '0'.repeat(64) };
    const cut = await judgeReceiptFile(receipt, keys, { ...choices, pins: { keys: [], heads: { BTC: ahead } } });
    expect(cut.contradictions).toEqual([expect.stringContaining('was rolled back')]);
  });

  it('refuses replaced keys, and what they signed', async () => {
    const [, known] = vectors<{ pinned: ProofKey[] }[]>('keys.json');
    const { verdict, contradictions, pins } = await judgeReceiptFile(receipt, keys, {
      ...choices,
      pins: { keys: known?.pinned ?? [], heads: {} },
    });
    expect(contradictions).toEqual([expect.stringMatching(/^KEY: .* is refused: not_announced/)]);
    expect([verdict.verified, pins]).toEqual([false, null]);
  });

  it('fetches the tick that a pending receipt lacks', async () => {
    const whole = receipts.find(({ name }) => name === 'void: no end tick')?.receipt as OptionReceipt;
    const pending = { ...whole, ticks: { ...whole.ticks, after_end: null } };
    const isPending = ({ verdict }: Awaited<ReturnType<typeof judgeReceiptFile>>) =>
      verdict.checks.some((check) => check.isPending);
    const alone = await judgeReceiptFile(pending, keys, { ...choices, ask: null });
    const later = serving([whole.ticks.end, whole.ticks.after_end].filter((text) => text !== null));
    const asked = await judgeReceiptFile(pending, keys, { ...choices, isChainWanted: false, ask: later });
    expect([alone, asked].map((found) => [found.verdict.verified, isPending(found)])).toEqual([
      [true, true],
      [true, false],
    ]);
    // A tick without its own signature cannot complete a receipt, but it shows that a later tick exists.
    const bare = { ...(whole.ticks.after_end as SignedText), signature: '', key: '' };
    const unsigned = await judgeReceiptFile(pending, keys, { ...choices, isChainWanted: false, ask: serving([bare]) });
    expect(unsigned.verdict.checks.filter(({ ok }) => !ok)).toMatchObject([{ fault: 'after_end_missing' }]);
  });

  it('keeps its pins in a file, and refuses a file of another format', () => {
    const file = path.join(folder, 'pins.json');
    expect(readPins(file)).toEqual(NO_PINS);
    const pins = { keys, heads: { BTC: { sequence: 7n, hash: 'ab'.repeat(32) } } };
    writePins(file, pins);
    expect(readPins(file)).toEqual(pins);
    for (const other of ['{}', '{"keys":[],"heads":{"BTC":{"sequence":"x"}}}', '{"keys":[{}],"heads":{}}', 'x']) {
      writeFileSync(file, other);
      expect(() => readPins(file)).toThrow();
    }
    expect(verify(receiptText, '--keys', here('example-keys.json'), '--pin', file).status).toBe(2);
    rmSync(file);
    expect(verify(receiptText, '--keys', here('example-keys.json'), '--pin', file).status).toBe(0);
    expect(readPins(file).keys).toHaveLength(2);
  });
});
