import path from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { openPictureDrawer, type PictureDrawer } from './picture-drawer.ts';
import { redrawRefusalOf } from './redraw.ts';

const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#5d43e4' } })
  .jpeg()
  .toBuffer();

const TAKEN = path.join(import.meta.dirname, 'testing-taken-child.ts');
let drawer: PictureDrawer | undefined;
afterEach(() => drawer?.close());

describe('pictures in a process of their own', () => {
  it('are decoded several at once by one child', async () => {
    drawer = openPictureDrawer();
    const drawn = await Promise.all([drawer.draw('picture', photo), drawer.draw('avatar', photo)]);
    expect(drawn).toMatchObject([
      { ok: true, effect: { width: 600, height: 400 } },
      { ok: true, effect: { width: 256, height: 256 } },
    ]);
    const pid = drawer.pid();
    expect(pid).not.toBe(process.pid);
    expect(await drawer.draw('picture', Buffer.from('<svg/>'))).toEqual({ ok: false, refusal: 'picture_unreadable' });
    expect(drawer.pid()).toBe(pid);
  });

  it('a picture that kills the child is unreadable, and another child decodes the next one', async () => {
    drawer = openPictureDrawer();
    await drawer.draw('picture', photo);
    const pid = drawer.pid() ?? 0;
    const drawing = drawer.draw('picture', photo);
    process.kill(pid, 'SIGKILL');
    expect(await drawing).toEqual({ ok: false, refusal: 'picture_unreadable' });
    expect(await drawer.draw('picture', photo)).toMatchObject({ ok: true });
    expect(drawer.pid()).not.toBe(pid);
  });

  it('a picture that stalls the child is refused after the time limit, and not as unreadable', async () => {
    drawer = openPictureDrawer(TAKEN, 1_500);
    expect(await drawer.draw('avatar', photo)).toEqual({ ok: false, refusal: 'picture_slow' });
    expect(drawer.pid()).toBeNull();
  });

  it.each([
    ['timeout: 42% complete', 'picture_slow'],
    ['Input image exceeds pixel limit', 'picture_too_large'],
    ['Input buffer contains unsupported image format', 'picture_unreadable'],
  ])('an error of the decoder becomes the right refusal: %s', (said, refusal) => {
    expect(redrawRefusalOf(new Error(said))).toBe(refusal);
  });

  it('a compromised decoder reads only its code, writes no file, starts no process, and has none of our environment variables', async () => {
    process.env.DATABASE_URL_OF_TEST = 'postgres://owner:secret@host/';
    drawer = openPictureDrawer(TAKEN);
    const { effect } = (await drawer.draw('picture', photo)) as unknown as { effect: Record<string, unknown> };
    delete process.env.DATABASE_URL_OF_TEST;
    const denied = 'ERR_ACCESS_DENIED';
    expect(effect).toEqual({
      passwords: denied,
      secrets: denied,
      code: denied,
      write: denied,
      program: denied,
      thread: denied,
      variables: [],
    });
  });
});
