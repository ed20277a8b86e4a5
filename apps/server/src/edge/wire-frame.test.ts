import { describe, expect, it } from 'vitest';
import { Receiver } from 'ws';
import { wireFrame } from './wire-frame.ts';

/** What a WebSocket reader makes of the bytes. */
function read(bytes: Buffer): Promise<string> {
  const receiver = new Receiver({ isServer: false });
  return new Promise((resolve, reject) => {
    receiver.on('message', (data: Buffer, isBinary: boolean) =>
      isBinary ? reject(new Error('binary')) : resolve(data.toString()),
    );
    receiver.on('error', reject);
    receiver.write(bytes);
  });
}

describe('wireFrame', () => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('carries %i bytes', async (length) => {
    const text = 'x'.repeat(length);
    expect(await read(wireFrame(text))).toBe(text);
  });

  it('counts bytes, not letters', async () => {
    const text = 'สำเร็จ 👍'.repeat(9);
    expect(await read(wireFrame(text))).toBe(text);
  });
});
