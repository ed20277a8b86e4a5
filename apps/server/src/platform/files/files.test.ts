import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing.ts';
import type { Handler } from '../edge/handle.ts';
import { openTestEdge, type TestEdge } from '../edge/testing.ts';
import { type Files, openFiles } from './index.ts';

const KEY = Buffer.alloc(32, 7);
const NOW = new Date('2026-11-21T08:00:00.000Z');

let test: TestDatabase;
let edge: TestEdge;
let files: Files;
let handlers: readonly Handler[];
let dataDir: string;
let jpeg: Buffer;

beforeAll(async () => {
  test = await openTestDatabase();
  dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-files-'));
  ({ api: files, handlers } = openFiles({
    database: test.database,
    dataDir,
    secrets: { filesKey: KEY },
    picturesMax: 20,
  }));
  edge = await openTestEdge({ handlers, limits: { pictureBytes: 1_000_000 } });
  jpeg = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#5d43e4' } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  await edge.close();
  await test.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Answer {
  ret: number;
  data: { id: string; url: string; code: string; data_url: string; fields?: Record<string, string> };
}

async function upload(
  bytes: Uint8Array<ArrayBuffer> | Buffer,
  options: { token?: string; name?: string; field?: string } = {},
): Promise<Answer> {
  const form = new FormData();
  form.append(options.field ?? 'image', new Blob([new Uint8Array(bytes)]), options.name ?? 'photo.jpg');
  const { token = 'token-1' } = options;
  const response = await fetch(`${edge.url}/api/users/upload`, {
    method: 'POST',
    headers: { token, lang: 'en' },
    body: form,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

async function read(id: string, token = 'token-1'): Promise<Answer> {
  const response = await fetch(`${edge.url}/api/users/picture?id=${encodeURIComponent(id)}`, {
    headers: { token, lang: 'en' },
  });
  return (await response.json()) as Answer;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A blank PNG, optionally with 16-bit colours, or compressed so that a decoder has to read all of it. */
function emptyPng(width: number, height: number, bits: 1 | 8 | 16 = 8, unpacked = 1000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, bits === 1 ? 0 : 6, 0, 0, bits === 16 ? 1 : 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(unpacked))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('pictures', () => {
  it('stores a picture, redrawn, and shows it to its owner only', async () => {
    const { ret, data } = await upload(jpeg);
    expect(ret).toBe(1);
    expect(data.id).toMatch(/^[A-Za-z0-9_-]{22}$/);
    const shown = await read(data.id);
    const bytes = Buffer.from(shown.data.data_url.replace('data:image/webp;base64,', ''), 'base64');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 600, height: 400 });
    expect((await read(data.id, 'token-2')).data.code).toBe('picture_unknown');
    expect((await read('A'.repeat(22))).data.code).toBe('picture_unknown');
    expect((await read('../../secrets/identity.json')).data.code).toBe('malformed_request');
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    'G3: takes away where and with what a photo was taken: %s',
    async (format) => {
      const photo = await sharp(jpeg)
        .toFormat(format)
        .withExif({
          IFD0: { Make: 'CameraMaker' },
          IFD3: { GPSLatitude: '13/1 45/1 0/1', GPSLongitude: '100/1 30/1 0/1' },
        })
        .toBuffer();
      expect(photo.includes('CameraMaker')).toBe(true);
      const { data } = await upload(photo);
      const bytes = await files.readPicture(1n, data.id);
      const { exif, xmp, icc, iptc } = await sharp(bytes ?? Buffer.alloc(0)).metadata();
      expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
      expect(bytes?.includes('CameraMaker')).toBe(false);
    },
  );

  it('G2: removes data that is hidden behind a picture', async () => {
    const polyglot = Buffer.concat([jpeg, Buffer.from('<html><script>alert(1)</script></html><?php echo 1 ?>')]);
    const { ret, data } = await upload(polyglot, { name: '../../evil.php.jpg' });
    // A decoder may reject the appended bytes or drop them; they are never stored.
    if (ret === 1) expect((await files.readPicture(1n, data.id))?.includes('<script')).toBe(false);
    else expect(data.code).toBe('picture_unreadable');
  });

  it.each<[string, () => Buffer, string]>([
    [
      'SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
      'picture_unreadable',
    ],
    [
      'SVG behind an XML head',
      () => Buffer.from('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'),
      'picture_unreadable',
    ],
    ['HTML', () => Buffer.from('<!doctype html><p>hello'), 'picture_unreadable'],
    [
      'HEIC by its head',
      () => Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)]),
      'picture_unreadable',
    ],
    ['a truncated JPEG', () => jpeg.subarray(0, Math.floor(jpeg.length / 2)), 'picture_unreadable'],
    ['a JPEG head and nothing', () => jpeg.subarray(0, 20), 'picture_unreadable'],
    ['noise', () => Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251)), 'picture_unreadable'],
    ['G1: a pixel bomb of 20,000²', () => emptyPng(20_000, 20_000), 'picture_too_large'],
    ['G1: a bomb just over the limit', () => emptyPng(6_400, 6_400), 'picture_too_large'],
    ['G1: few pixels of many bytes', () => emptyPng(4_700, 4_700, 16, 4_700 * (4_700 * 8 + 1)), 'picture_too_large'],
    ['G1: few pixels in many lines', () => emptyPng(1, 30_000_000, 1, 60_000_000), 'picture_too_large'],
    ['a small PNG without its pixels', () => emptyPng(500, 500), 'picture_unreadable'],
    ['more bytes than allowed', () => Buffer.alloc(1_000_001, 1), 'picture_too_large'],
    ['nothing', () => Buffer.alloc(0), 'picture_missing'],
  ])('refuses %s', async (_name, bytes, code) => {
    expect((await upload(bytes())).data.code).toBe(code);
  });

  it.each(['gif', 'tiff', 'avif'] as const)('refuses %s', async (format) => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .toFormat(format)
      .toBuffer();
    expect((await upload(bytes)).data.code).toBe('picture_unreadable');
  });

  it('names the field of a refused upload', async () => {
    const refusals = [
      await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      await upload(Buffer.alloc(1_000_001)),
      await upload(Buffer.alloc(0)),
    ];
    expect(refusals.map(({ data }) => [data.code, Object.keys(data.fields ?? {})])).toEqual([
      ['picture_unreadable', ['image']],
      ['picture_too_large', ['image']],
      ['picture_missing', ['image']],
    ]);
    expect(Object.keys((await read('A'.repeat(22))).data.fields ?? {})).toEqual(['id']);
  });

  it('limits one customer’s pictures per minute, usable or not', async () => {
    const strict = await openTestEdge({ handlers, limits: { uploadsPerCustomer: 2 } });
    const statuses: number[] = [];
    for (const token of ['token-1', 'token-1', 'token-1', 'token-2']) {
      const form = new FormData();
      form.append('image', new Blob(['no picture']), 'photo.jpg');
      statuses.push(
        (await fetch(`${strict.url}/api/users/upload`, { method: 'POST', headers: { token }, body: form })).status,
      );
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
    await strict.close();
  });

  it('expects the picture in the field that the specification names', async () => {
    const { data } = await upload(jpeg, { field: 'file' });
    expect(data).toMatchObject({ code: 'picture_missing', fields: { image: 'Please choose a picture.' } });
    const empty = await fetch(`${edge.url}/api/users/upload`, { method: 'POST', headers: { token: 'token-1' } });
    expect(((await empty.json()) as Answer).data.code).toBe('picture_missing');
    expect((await upload(jpeg, { token: 'nobody' })).ret).toBe(-1);
  });

  it('encrypts files, readable only with our key and bound to id and owner', async () => {
    const { data } = await upload(jpeg);
    const place = path.join(dataDir, 'files', data.id.slice(0, 2), data.id);
    expect(statSync(place).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(place)).mode & 0o777).toBe(0o700);
    const sealed = readFileSync(place);
    expect(sealed.includes('WEBP')).toBe(false);

    const other = await upload(jpeg);
    const otherPlace = path.join(dataDir, 'files', other.data.id.slice(0, 2), other.data.id);
    writeFileSync(otherPlace, sealed);
    await expect(files.readPicture(1n, other.data.id)).rejects.toThrow();
    const changed = Buffer.from(sealed);
    changed[40] = (changed[40] ?? 0) ^ 1;
    writeFileSync(place, changed);
    await expect(files.readPicture(1n, data.id)).rejects.toThrow();
    expect((await read(data.id)).ret).toBe(0);
    expect(edge.reported).toHaveLength(1);
  });

  it('makes avatars of 256 px from the customer’s own pictures, and deletes older ones', async () => {
    const { data } = await upload(jpeg);
    expect(await files.resolveForAvatar(2n, data.id, NOW)).toBeNull();
    const made: string[] = [];
    for (let n = 0; n < 4; n += 1)
      made.push((await files.resolveForAvatar(1n, data.id, new Date(NOW.getTime() + n))) ?? '');
    const newest = made[3] ?? '';
    expect(await sharp((await files.readPicture(1n, newest)) ?? Buffer.alloc(0)).metadata()).toMatchObject({
      width: 256,
      height: 256,
    });
    expect(await files.resolveForAvatar(1n, newest, NOW)).toBe(newest);
    expect(await files.readPicture(1n, made[0] ?? '')).toBeNull();
    expect(await files.readPicture(1n, data.id)).not.toBeNull();
  });

  it('removes uploads that stay unused for a day, and frees their quota', async () => {
    const owner = 77n;
    const kept = await files.keepPicture(owner, jpeg, NOW);
    if (!kept.ok) throw new Error(kept.refusal);
    const avatar = await files.resolveForAvatar(owner, kept.effect.id, NOW);
    const later = new Date(NOW.getTime() + 25 * 3_600_000);
    await files.keepPicture(owner, jpeg, later);
    expect(await files.readPicture(owner, kept.effect.id)).toBeNull();
    expect(await files.readPicture(owner, avatar ?? '')).not.toBeNull();
  });

  it('enforces the quota on concurrent uploads, and leaves no file of refused ones', async () => {
    const answers = await Promise.all(Array.from({ length: 26 }, () => upload(jpeg, { token: 'token-2' })));
    expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(20);
    expect(answers.filter(({ data }) => data.code === 'picture_quota_used')).toHaveLength(6);
    const kept = readdirSync(path.join(dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const { statement } = await import('../database/index.ts');
    const [row] = await test.database.query<{ n: bigint }>(
      statement('test.count_files', 'SELECT count(*) AS n FROM files.picture'),
    );
    expect(kept).toHaveLength(Number(row?.n));
  });
});
