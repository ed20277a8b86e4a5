import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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

  it('verifies a receipt, with or without what the server puts around it', () => {
    const { status, said } = verify(receiptText, ...keys);
    expect(said.trim().split('\n')).toHaveLength(9);
    expect([status, said.includes('FAIL'), said.includes('Verified.')]).toEqual([0, false, true]);
    const receipt: unknown = JSON.parse(receiptText);
    expect(verify(JSON.stringify({ ret: 1, msg: '', data: { id: 'x', receipt } }), ...keys).status).toBe(0);
    expect(readReceipt(JSON.stringify({ receipt }))).toEqual(receipt);
    expect(readKeys(JSON.stringify({ ret: 1, data: JSON.parse(keysText) }))).toEqual(readKeys(keysText));
  });

  it('says what is wrong with one that was changed', () => {
    const cheaper = receiptText.replace('"credited": "17644000"', '"credited": "17643999"');
    expect(verify(cheaper, ...keys)).toMatchObject({ status: 1, said: expect.stringContaining('credited_differs') });
    expect(
      verify(receiptText.replace('"up', '"down').replaceAll('\\"dir\\":\\"up', '\\"dir\\":\\"down'), ...keys),
    ).toMatchObject({
      status: 1,
      said: expect.stringContaining('NOT VERIFIED'),
    });
    expect(verify('{}', ...keys)).toMatchObject({ status: 1, said: expect.stringContaining('not a receipt') });
    expect(verify(receiptText, ...keys, '--rules', '00'.repeat(32))).toMatchObject({
      status: 1,
      said: expect.stringContaining('rules_differ'),
    });
  });

  it('does not say verified when it could not check', () => {
    expect(verify(receiptText, '--keys', here('nothing.json')).status).toBe(2);
    const unreached = verify(receiptText, '--server', 'http://127.0.0.1:9');
    expect([unreached.status, unreached.said]).toEqual([2, expect.stringContaining('from http://127.0.0.1:9. Say')]);
    expect(verify(receiptText, '--keys', here('example-receipt.json')).status).toBe(2);
    expect(verify(receiptText, '--keys').status).toBe(2);
  });
});
