import * as v from 'valibot';
import { expect, it } from 'vitest';
import { CALLS } from './calls.ts';

/** The size of the largest form that the server accepts. */
const SIZE = 64 * 1024;
const PIECES = [
  'a',
  '0',
  '.',
  'a.',
  'a@',
  'a@a.',
  '-a',
  ' ',
  '\n',
  '\u0300',
  '\u200d',
  '\u202e',
  'é',
  'ก้',
  '👨‍👩‍👧',
  '\ud800',
  '%',
  ',',
];
const HOSTILE = PIECES.flatMap((piece) =>
  ['', 'a@', '1.'].flatMap((head) =>
    ['', '!', '\u0000'].map((tail) => head + piece.repeat(SIZE / piece.length) + tail),
  ),
);

// A crafted text must not make a field's regular expression slow (threats.md F6).
it.each(Object.entries(CALLS))('%s: no text makes a field slow', (_name, { request }) => {
  const entries = 'entries' in request ? Object.entries(request.entries as Record<string, v.GenericSchema>) : [];
  for (const [field, schema] of entries) {
    for (const text of HOSTILE) {
      // Measures processor time, because other tests would lengthen the elapsed time.
      const before = process.cpuUsage();
      v.safeParse(schema, text);
      const tookMs = process.cpuUsage(before).user / 1_000;
      expect(tookMs, `${field} of ${JSON.stringify(text.slice(0, 12))}`).toBeLessThan(200);
    }
  }
});
