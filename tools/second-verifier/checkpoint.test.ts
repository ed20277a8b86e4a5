import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  fromBase64,
  isLogContradiction,
  judgeCheckpoint,
  readCheckpoint,
  readWitnessPolicy,
  verifyLogContradiction,
} from '@sathorn/transparency';
import { afterAll, describe, expect, it } from 'vitest';

interface Vector {
  readonly name: string;
  readonly note: string;
  readonly policy: string;
  readonly previous: string | null;
  readonly proof: readonly string[] | null;
  readonly recent: readonly [number, number] | null;
  readonly refused: string | null;
}

const VECTORS = path.join(import.meta.dirname, '..', '..', 'packages', 'transparency', 'vectors');
const read = (name: string) => JSON.parse(readFileSync(path.join(VECTORS, name), 'utf8'));
const { checkpoints }: { checkpoints: Vector[] } = read('checkpoints.json');
const { contradictions }: { contradictions: { name: string; file: unknown; fault: string | null }[] } =
  read('log-contradictions.json');
const folder = mkdtempSync(path.join(tmpdir(), 'checkpoints-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('There is no python3 here: the second reader of checkpoints was not run.');

function python(...parameters: string[]): { status: number | null; said: string } {
  return run('checkpoint.py', ...parameters);
}

function run(name: string, ...parameters: string[]): { status: number | null; said: string } {
  const script = path.join(import.meta.dirname, name);
  const { status, stdout, stderr } = spawnSync('python3', [script, ...parameters], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

function verdicts(cases: readonly Vector[]): unknown {
  const file = path.join(folder, 'cases.json');
  writeFileSync(file, JSON.stringify(cases));
  return JSON.parse(python('--verdicts', file).said);
}

async function refusalOf({ note, policy, previous, proof, recent }: Vector): Promise<string | null> {
  const read = readWitnessPolicy(policy);
  if ('fault' in read) return 'policy';
  const found = await judgeCheckpoint({
    note,
    policy: read,
    previous: previous === null ? null : (readCheckpoint(previous) ?? null),
    proof: proof?.map((hash) => fromBase64(hash) ?? new Uint8Array()) ?? null,
    ...(recent !== null && { recent: { from: recent[0], to: recent[1] } }),
  });
  return found.isAccepted ? null : found.refusal;
}

describe.runIf(hasPython)('a reader that was written from the page alone', () => {
  it('gives every published vector its word', () => {
    const named = (words: unknown) => checkpoints.map(({ name }, n) => [name, (words as unknown[])[n]]);
    expect(named(verdicts(checkpoints))).toEqual(named(checkpoints.map(({ refused }) => refused)));
    expect(checkpoints.filter(({ refused }) => refused === null).length).toBeGreaterThan(12);
  });

  it('agrees about notes, proofs and policies with one changed character', async () => {
    const [good] = checkpoints;
    if (good === undefined) throw new Error('no vectors');
    const changed: Vector[] = [];
    const letters = ['A', '0', ' ', '\n', '+', '=', '—', '\u2003', '\t'];
    for (let n = 0; n < 240; n += 1) {
      // Every place of the note and the policy in turn, with letters that mean something there.
      const letter = letters[n % letters.length] ?? 'A';
      const swap = (text: string): string => {
        const at = (n * 7_919) % text.length;
        return text.slice(0, at) + letter + text.slice(at + (n % 3 === 0 ? 0 : 1));
      };
      changed.push(n % 4 === 3 ? { ...good, policy: swap(good.policy) } : { ...good, note: swap(good.note) });
    }
    const ours = await Promise.all(changed.map(refusalOf));
    expect(verdicts(changed)).toEqual(ours);
    expect(new Set(ours).size).toBeGreaterThan(6);
  });

  it('agrees about two histories of a log, also with one changed character', async () => {
    const file = path.join(folder, 'contradictions.json');
    const verdictsOf = (files: readonly unknown[]): unknown => {
      writeFileSync(file, JSON.stringify(files.map((contradiction) => ({ contradiction }))));
      return JSON.parse(run('verify.py', '--verdicts', file).said);
    };
    const named = (verdicts: unknown) => contradictions.map(({ name }, n) => [name, (verdicts as unknown[])[n]]);
    const proven = contradictions.filter(({ fault }) => fault === null);
    expect(named(verdictsOf(contradictions.map(({ file }) => file)))).toEqual(
      named(contradictions.map(({ fault }) => fault === null)),
    );
    const changed = Array.from({ length: 240 }, (_, n): unknown => {
      const text = JSON.stringify(proven[n % proven.length]?.file);
      const at = (n * 7_919) % text.length;
      try {
        return JSON.parse(text.slice(0, at) + 'Aa0+='[n % 5] + text.slice(at + 1));
      } catch {
        return null;
      }
    });
    const ours = await Promise.all(
      changed.map(async (one) => isLogContradiction(one) && (await verifyLogContradiction(one)) === null),
    );
    expect(verdictsOf(changed)).toEqual(ours);
    expect(ours.filter((isProven) => isProven).length).toBeLessThan(24);
    writeFileSync(file, JSON.stringify(proven[0]?.file));
    expect(run('verify.py', file)).toMatchObject({ status: 0, said: expect.stringContaining('Two histories') });
  });

  it('is a command', () => {
    const [good] = checkpoints;
    if (good === undefined) throw new Error('no vectors');
    const [note, policy, previous, proof] = ['note', 'policy', 'previous', 'proof'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string, string];
    writeFileSync(note, good.note);
    writeFileSync(policy, good.policy);
    writeFileSync(previous, `${good.previous}\n— x AAAAAAAA\n`);
    writeFileSync(proof, good.proof?.join('\n') ?? '');
    expect(python(note, '--policy', policy, '--previous', previous, '--proof', proof)).toMatchObject({
      status: 0,
      said: expect.stringContaining('log.example/a has 12 entries'),
    });
    expect(python(note, '--policy', policy, '--previous', previous)).toMatchObject({
      status: 1,
      said: expect.stringContaining('proof_missing'),
    });
    expect(python(note).status).toBe(2);
  });
});
