import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OptionReceipt } from '@sathorn/api';
import {
  type DrawReceipt,
  isKeptFile,
  type ProofKey,
  readOptionTerms,
  readTick,
  type SignedText,
} from '@sathorn/proof';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { useFindings } from './evidence-findings.ts';
import { openEvidenceStore } from './evidence-store.ts';
import { keepBoxes, keepDraw, readKeptDraws } from './kept-draws.ts';
import { keepPurchase, keepReceipt } from './kept-purchase.ts';
import { makeKeptFile } from './make-kept-file.ts';
import { judgePublishedKeys } from './pinned-keys.ts';
import { reportContradictions } from './report-contradictions.ts';
import { rememberTicks, type SeenChains } from './seen-ticks.ts';

const ROOT = path.join(import.meta.dirname, '../../../../..');
const read = <T>(name: string): T =>
  JSON.parse(readFileSync(path.join(ROOT, 'packages/proof/vectors', name), 'utf8')) as T;
const { receipts } = read<{ receipts: { name: string; receipt: OptionReceipt; keys: ProofKey[] }[] }>('receipts.json');
const named = (name: string) => receipts.find((one) => one.name === name) as (typeof receipts)[number];
const { receipt, keys } = named('won');
const terms = readOptionTerms(receipt.terms.body);
const { draws } = read<{ draws: { name: string; draw: DrawReceipt }[] }>('draws.json');
const draw = draws.find(({ name }) => name === 'won')?.draw as DrawReceipt;
const { public_chains: chains } = read<{ public_chains: { texts: SignedText[] }[] }>('memory.json');
const order = terms?.order ?? '';
const arrivedMs = terms?.arrival?.atMs ?? 0;
const folder = mkdtempSync(path.join(tmpdir(), 'kept-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

let seen: SeenChains = {};

/** A phone that buys, watches the stream until the end, verifies the receipt, and draws from a box. */
beforeAll(async () => {
  // Values are the object's own members, as in a browser's storage.
  const storage: Record<string, string> = Object.create({
    getItem: (name: string) => storage[name] ?? null,
    setItem: (name: string, value: string) => {
      storage[name] = value;
    },
  });
  vi.stubGlobal('localStorage', storage);
  await judgePublishedKeys(
    keys.map((key) => ({ ...key, record: null })),
    new Set(),
  );
  await keepPurchase(order, {
    terms: receipt.terms,
    rulesHash: terms?.rules ?? null,
    keptAt: arrivedMs + 60,
    from: 'answer',
    findings: null,
    times: {
      sentMs: arrivedMs - 20 - 7_000,
      answeredMs: arrivedMs + 40 - 7_000,
      offsetMs: 7_000.4,
      newestTickMs: null,
    },
  });
  for (const { body, hash } of chains[0]?.texts ?? []) {
    const sequence = String(readTick(body)?.sequence);
    seen = rememberTicks(seen, [{ code: 'BTC', sequence, hash }], new Set(['BTC']), arrivedMs);
  }
  await keepReceipt(order, receipt);
  keepBoxes([{ id: JSON.parse(draw.box.body).id, signed: draw.box }]);
  keepDraw(JSON.parse(draw.reservation.body).order, draw.reservation);
});

async function exported(): Promise<string> {
  const findings = useFindings.getState().all;
  const file = await makeKeptFile({ platform: 'https://platform.example', nowMs: arrivedMs + 90_000, seen, findings });
  expect(isKeptFile(file)).toBe(true);
  const name = path.join(folder, 'kept.json');
  writeFileSync(name, JSON.stringify(file, null, 2));
  return name;
}

/** A stranger on another machine, offline. */
function stranger(...parameters: string[]): { status: number | null; said: string } {
  const script = path.join(ROOT, 'tools/verify/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...parameters], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

const saved = (name: string, value: unknown): string => {
  writeFileSync(path.join(folder, name), JSON.stringify(value));
  return path.join(folder, name);
};

it('a file of all that a phone has kept is verified by a stranger, alone and with the receipt', {
  timeout: 60_000,
}, async () => {
  const file = await exported();
  const ticks = chains[0]?.texts.length;
  const found = stranger('--kept', file);
  expect(found.said).toContain(
    `Kept: 1 purchases, 1 receipts, ${ticks} ticks of 1 coins, 1 boxes, 1 draws, 0 acknowledgements.`,
  );
  expect(found.status).toBe(0);
  expect(stranger(saved('receipt.json', receipt), '--kept', file).status).toBe(0);
});

it('has no session and no password', async () => {
  localStorage.setItem('session', 'a-secret-token');
  const text = readFileSync(await exported(), 'utf8');
  expect(text).not.toContain('a-secret-token');
  expect(text).not.toMatch(/token|password|session/i);
});

it('an order that was signed again is reported by the phone, and its file alone shows it to a stranger', {
  timeout: 60_000,
}, async () => {
  const forged = named('down, won').receipt;
  const before = await exported();
  const sentence = new RegExp(
    `^Two signed versions of order ${order}: they differ in direction\\. One of the two was`,
    'm',
  );
  // The stranger has the phone's file and the receipt.
  expect(stranger(saved('forged.json', forged), '--kept', before)).toMatchObject({
    status: 1,
    said: expect.stringMatching(sentence),
  });
  await reportContradictions([forged.terms]);
  const finding = useFindings.getState().all.find(({ kind }) => kind === 'contradiction');
  expect(finding).toMatchObject({ contradiction: { kind: 'terms', about: order, differs: ['direction'] } });
  // The stranger has the phone's file alone, or the contradiction alone.
  expect(stranger('--kept', await exported())).toMatchObject({ status: 1, said: expect.stringMatching(sentence) });
  const contradiction = finding?.kind === 'contradiction' ? finding.contradiction : null;
  expect(stranger(saved('contradiction.json', contradiction))).toMatchObject({
    status: 0,
    said: expect.stringMatching(sentence),
  });
  // What the phone kept first stays.
  expect(await openEvidenceStore().read(`purchase:${order}`)).toMatchObject({ terms: receipt.terms });
});

it('a foreign key’s version is no contradiction, and an entry of another shape is left out', async () => {
  const known = useFindings.getState().all.length;
  await reportContradictions([named('terms signed by the key of ticks').receipt.terms]);
  expect(useFindings.getState().all).toHaveLength(known);
  await openEvidenceStore().write('purchase:odd', { terms: { body: 5 }, keptAt: 'x' });
  expect(JSON.parse(readFileSync(await exported(), 'utf8')).purchases).toHaveLength(1);
});

it('keeps the signed box and reservation, and the first of each', () => {
  const { draws: kept, boxes, boxTexts } = readKeptDraws();
  expect(Object.values(kept).map(({ text }) => text)).toEqual([draw.reservation]);
  expect([Object.values(boxes), Object.values(boxTexts)]).toEqual([[draw.box.hash], [draw.box]]);
  keepBoxes([{ id: JSON.parse(draw.box.body).id, signed: { ...draw.box, hash: '0'.repeat(64) } }]);
  expect(readKeptDraws().boxTexts).toEqual(boxTexts);
});
