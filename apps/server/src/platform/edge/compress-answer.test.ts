import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressAnswer } from './compress-answer.ts';

const body = JSON.stringify({ coins: 'BTC '.repeat(1_000) });
const answer = { status: 200, body };

test('compresses by what the caller accepts', async () => {
  const small = await compressAnswer(answer, 'gzip, deflate, br');
  expect(small.encoding).toBe('br');
  expect(brotliDecompressSync(small.body as Buffer).toString()).toBe(body);
  const zipped = await compressAnswer({ status: 200, body: Buffer.from(body) }, 'gzip');
  expect(zipped.encoding).toBe('gzip');
  expect(gunzipSync(zipped.body as Buffer).toString()).toBe(body);
});

test('does not compress a short answer, nor one whose caller accepts no compression', async () => {
  const short = { status: 200, body: 'x'.repeat(100) };
  expect(await compressAnswer(short, 'br')).toBe(short);
  expect(await compressAnswer(answer, undefined)).toBe(answer);
});
