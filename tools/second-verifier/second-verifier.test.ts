import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isOptionReceipt, type ProofKey, verifyOptionReceipt } from '@sathorn/proof';
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

/** The same each time: a verdict that differs can be looked at. */
function* numbers(): Generator<number> {
  let state = 1;
  for (;;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 8;
  }
}

/** One character of the receipt's own text replaced, or one of a text within it. */
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
      // No JSON any more: another place.
    }
  }
}

describe.skipIf(!hasPython)('the verifier in Python', () => {
  it('agrees with every vector', () => {
    const { status, said } = python('--vectors', VECTORS);
    expect(said.trim()).toMatch(/^(\d+) of \1 vectors agree\.$/);
    expect(status).toBe(0);
  });

  it('agrees about receipts of which one character is another', async () => {
    const { receipts }: { receipts: Case[] } = JSON.parse(readFileSync(path.join(VECTORS, 'receipts.json'), 'utf8'));
    const genuine = receipts.filter(({ verified, known }) => verified && known.rules_hash === null);
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
    // What was not changed is verified, and nothing else.
    expect(ours).toEqual(cases.map((_, n) => n < genuine.length));
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
