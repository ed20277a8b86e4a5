import { describe, expect, it } from 'vitest';
import { wireFrame } from './wire-frame.ts';

/** Parses a frame (RFC 6455, 5.2), the inverse of the code under test. */
function read(frame: Buffer): { isWholeText: boolean; isMasked: boolean; text: string } {
  const short = (frame[1] ?? 0) & 0x7f;
  const [length, head] =
    short === 127 ? [Number(frame.readBigUInt64BE(2)), 10] : short === 126 ? [frame.readUInt16BE(2), 4] : [short, 2];
  expect(frame.length).toBe(head + length);
  return {
    isWholeText: frame[0] === 0x81,
    isMasked: ((frame[1] ?? 0) & 0x80) !== 0,
    text: frame.subarray(head).toString(),
  };
}

describe('wireFrame', () => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('carries %i bytes', (length) => {
    const text = 'x'.repeat(length);
    expect(read(wireFrame(text))).toEqual({ isWholeText: true, isMasked: false, text });
  });

  it('counts bytes, not characters', () => {
    const text = 'สำเร็จ 👍'.repeat(9);
    expect(read(wireFrame(text)).text).toBe(text);
  });
});
