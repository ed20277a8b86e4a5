import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type DrawReceipt,
  isContradiction,
  isKeptFile,
  isOptionReceipt,
  judgeKeptFile,
  type OptionReceipt,
  type ProofKey,
  type PublishedKey,
  type SignedText,
  trustKeys,
  verifyContradiction,
  verifyOptionReceipt,
  verifyStatementFile,
} from '@sathorn/proof';
import { afterAll, describe, expect, it } from 'vitest';

const VECTORS = path.join(import.meta.dirname, '..', '..', 'packages', 'proof', 'vectors');
const folder = mkdtempSync(path.join(tmpdir(), 'second-verifier-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('There is no python3 here: the second verifier was not run against the vectors.');

function python(...parameters: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(
    'python3',
    [path.join(import.meta.dirname, 'verify.py'), ...parameters],
    {
      encoding: 'utf8',
    },
  );
  return { status, said: stdout + stderr };
}

interface Case {
  readonly name: string;
  readonly receipt: unknown;
  readonly keys: readonly ProofKey[];
  readonly verified: boolean;
  readonly known: { readonly rules_hash: string | null; readonly newest_tick_ms: string | null };
}

interface KeptCase {
  readonly file: unknown;
  readonly is_kept: boolean;
  readonly receipt: OptionReceipt | null;
  readonly draw: DrawReceipt | null;
  readonly keys: readonly PublishedKey[] | null;
}

async function judgeKeptCase({ kept, receipt, draw, keys }: Omit<KeptCase, 'file' | 'is_kept'> & { kept: unknown }) {
  if (!isKeptFile(kept)) return null;
  const published = keys ?? kept.keys;
  const { trusted } = await trustKeys(published, []);
  const shown = { ...(receipt && { receipt }), ...(draw && { draw }) };
  const { ok, findings, contradictions } = await judgeKeptFile(kept, { trusted, published }, shown);
  return {
    ok,
    found: findings.map(({ kind, about }) => `${kind} ${about}`),
    contradictions: contradictions.map(({ kind, about, differs }) => ({ kind, about, differs })),
  };
}

type Named<Member extends string> = { readonly name: string } & Readonly<Record<Member, unknown>>;

/** The numbers are seeded, so that a differing verdict can be reproduced. */
function* numbers(): Generator<number> {
  let state = 1;
  for (;;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 8;
  }
}

/** Replaces one character of the receipt's own text, or of a text inside it. */
function mutated(receipt: unknown, random: Generator<number>): unknown {
  const text = JSON.stringify(receipt);
  const alphabet = '0123456789abcdefuvX".,:-[]{} \\';
  for (;;) {
    const place = random.next().value % text.length;
    const character = alphabet[random.next().value % alphabet.length] ?? '0';
    if (text[place] === character) continue;
    try {
      return JSON.parse(text.slice(0, place) + character + text.slice(place + 1));
    } catch {
      // The result is not JSON; try another place.
    }
  }
}

// Plain Python computes the signatures, which takes long on a busy machine.
describe.skipIf(!hasPython)('the verifier in Python', { timeout: 120_000 }, () => {
  it('agrees with every vector', () => {
    const { status, said } = python('--vectors', VECTORS);
    expect(said.trim()).toMatch(/^(\d+) of \1 vectors agree\.$/);
    expect(status).toBe(0);
  });

  it('agrees about receipts with one changed character', async () => {
    const { receipts }: { receipts: Case[] } = JSON.parse(readFileSync(path.join(VECTORS, 'receipts.json'), 'utf8'));
    const genuine = receipts.filter(
      ({ verified, known }) => verified && known.rules_hash === null && known.newest_tick_ms === null,
    );
    const random = numbers();
    const cases = Array.from({ length: 240 }, (_, n) => {
      const { receipt, keys } = genuine[n % genuine.length] as Case;
      return { receipt: n < genuine.length ? receipt : mutated(receipt, random), keys };
    });
    const file = path.join(folder, 'cases.json');
    writeFileSync(file, JSON.stringify(cases));
    const { said } = python('--verdicts', file);
    const ours = await Promise.all(
      cases.map(
        async ({ receipt, keys }) => isOptionReceipt(receipt) && (await verifyOptionReceipt(receipt, keys)).verified,
      ),
    );
    expect(JSON.parse(said)).toEqual(ours);
    // Exactly the unchanged receipts are verified.
    expect(ours).toEqual(cases.map((_, n) => n < genuine.length));
  });

  it('agrees about kept files and contradictions with one changed character', async () => {
    const { files, contradictions }: { files: KeptCase[]; contradictions: Named<'file' | 'ok'>[] } = JSON.parse(
      readFileSync(path.join(VECTORS, 'kept.json'), 'utf8'),
    );
    const random = numbers();
    const kept = files
      .filter(({ is_kept }) => is_kept)
      .flatMap(({ file, receipt, draw, keys }) =>
        Array.from({ length: 5 }, () => ({ kept: mutated(file, random), receipt, draw, keys })),
      );
    const cases = contradictions
      .filter(({ ok }) => ok)
      .flatMap(({ file }) => Array.from({ length: 12 }, () => ({ contradiction: mutated(file, random) })));
    const file = path.join(folder, 'kept-cases.json');
    writeFileSync(file, JSON.stringify([...kept, ...cases]));
    const ours = [
      ...(await Promise.all(kept.map(judgeKeptCase))),
      ...(await Promise.all(
        cases.map(
          async ({ contradiction }) =>
            isContradiction(contradiction) && (await verifyContradiction(contradiction)) === null,
        ),
      )),
    ];
    expect(JSON.parse(python('--verdicts', file).said)).toEqual(ours);
    expect(ours.length).toBeGreaterThan(400);
    // Free words of the file and unused hashes may change; no contradiction survives a change.
    expect(ours.slice(kept.length)).not.toContain(true);
  });

  it('agrees about a thousand statements with one changed character', async () => {
    const { files }: { files: { file: unknown; keys: readonly ProofKey[]; verified: boolean }[] } = JSON.parse(
      readFileSync(path.join(VECTORS, 'statements.json'), 'utf8'),
    );
    const random = numbers();
    const genuine = files.filter(({ verified }) => verified);
    const cases = Array.from({ length: 1_000 }, (_, n) => {
      const { file, keys } = genuine[n % genuine.length] as (typeof genuine)[number];
      return { statement: n < genuine.length ? file : mutated(file, random), keys };
    });
    const file = path.join(folder, 'statements.json');
    writeFileSync(file, JSON.stringify(cases));
    const { said } = python('--verdicts', file);
    const ours = await Promise.all(
      cases.map(async ({ statement, keys }) => (await verifyStatementFile(statement, keys)).ok),
    );
    expect(JSON.parse(said)).toEqual(ours);
    expect(ours).toEqual(cases.map((_, n) => n < genuine.length));
  });

  it('compares a receipt with pages of the public chain, including sealed ones', () => {
    const write = (name: string, value: unknown): string => {
      writeFileSync(path.join(folder, name), JSON.stringify(value));
      return path.join(folder, name);
    };
    const { receipts }: { receipts: Case[] } = JSON.parse(readFileSync(path.join(VECTORS, 'receipts.json'), 'utf8'));
    const { public_chains: chains }: { public_chains: { texts: SignedText[] }[] } = JSON.parse(
      readFileSync(path.join(VECTORS, 'memory.json'), 'utf8'),
    );
    const { receipt, keys } = receipts.find(({ name }) => name === 'won') as Case;
    const texts = chains[0]?.texts ?? [];
    const sealed = texts.map((text, n) => (n % 10 === 9 || n === 31 ? text : { ...text, signature: '', key: '' }));
    const read = (first: readonly SignedText[], second: readonly SignedText[]) =>
      python(
        write('receipt.json', receipt),
        write('keys.json', { keys }),
        '--pages',
        write('first.json', { ret: 1, msg: '', data: { items: first, head: null } }),
        write('second.json', { items: second, head: null }),
      );
    expect(read(sealed.slice(0, 20), sealed.slice(20))).toMatchObject({
      status: 0,
      said: 'The 32 public ticks are one chain and hold those of the receipt.\nVerified.\n',
    });
    expect(read(sealed.slice(0, 20), sealed.slice(20, -1)).said).toBe('NOT VERIFIED: signature missing\n');
    expect(read(sealed.slice(0, 20), sealed.slice(21)).said).toBe('NOT VERIFIED: sequence\n');
    expect(read(sealed.slice(0, 10), sealed.slice(10, 20)).said).toBe('NOT VERIFIED: chain\n');
  });

  it('verifies a draw and a box’s public file, and names changes', () => {
    const write = (name: string, value: unknown): string => {
      writeFileSync(path.join(folder, name), JSON.stringify(value));
      return path.join(folder, name);
    };
    const vectors: { keys: unknown; draws: Named<'draw'>[]; files: Named<'file'>[] } = JSON.parse(
      readFileSync(path.join(VECTORS, 'draws.json'), 'utf8'),
    );
    const keys = write('box-keys.json', { keys: vectors.keys });
    const said = (value: unknown) => python(write('box.json', value), keys).said;
    const drawn = (name: string) => said(vectors.draws.find((one) => one.name === name)?.draw);
    const box = (name: string) => said(vectors.files.find((one) => one.name === name)?.file);
    expect(drawn('won')).toBe('Verified.\n');
    expect(drawn('another prize')).toBe('NOT VERIFIED: prize\n');
    expect(box('five draws')).toMatch(/^5 draws; each row of the table was drawn: \[\d, \d, \d, \d\]\.\nVerified\.\n$/);
    expect(box('a draw that was left out')).toBe('NOT VERIFIED: order of the draws\n');
    expect(box('a draw that was left open')).toBe('NOT VERIFIED: draw left open\n');
    expect(said({ commitments: null })).toBe('NOT VERIFIED: file form\n');
  });

  it('verifies a day’s income in the call’s format, and names changes', () => {
    const incomes: Named<'receipt'>[] = JSON.parse(readFileSync(path.join(VECTORS, 'incomes.json'), 'utf8'));
    const keys = path.join(folder, 'no-keys.json');
    writeFileSync(keys, '{"keys":[]}');
    const said = (name: string, change: object = {}) => {
      const file = path.join(folder, 'income.json');
      const data = { ...(incomes.find((one) => one.name === name)?.receipt as object), ...change };
      writeFileSync(file, JSON.stringify({ ret: 1, msg: '', data }));
      return python(file, keys).said;
    };
    const day = 'liquidity: two stages and a remainder';
    expect(said(day)).toBe('The day pays 334247 units.\nVerified.\n');
    expect(said('a lock-up’s last day')).toMatch(/Verified/);
    expect(said('a unit too little, and paid so')).toBe('NOT VERIFIED: income\n');
    expect(said('another amount was paid')).toBe('NOT VERIFIED: income transfer\n');
    expect(said(day, { effective_from: '2026-11-26' })).toBe('NOT VERIFIED: income form\n');
    expect(said(day, { base: '03000000000' })).toBe('NOT VERIFIED: income form\n');
    expect(said(day, { more: 1 })).toBe('NOT VERIFIED: income members\n');
  });

  it('verifies a receipt from a file', () => {
    const example = (name: string) => path.join(import.meta.dirname, '..', 'verify', name);
    expect(python(example('example-receipt.json'), example('example-keys.json'))).toMatchObject({
      status: 0,
      said: 'Verified.\n',
    });
    const changed = path.join(folder, 'changed.json');
    const text = readFileSync(example('example-receipt.json'), 'utf8');
    writeFileSync(changed, text.replace('"credited": "17644000"', '"credited": "17643999"'));
    expect(python(changed, example('example-keys.json'))).toMatchObject({ status: 1, said: 'NOT VERIFIED: result\n' });
  });
});
