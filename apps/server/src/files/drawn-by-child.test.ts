import path from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { type Drawer, drawnByChild } from './drawn-by-child.ts';

const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#5d43e4' } })
  .jpeg()
  .toBuffer();

const TAKEN = path.join(import.meta.dirname, 'testing-taken-child.ts');
let drawer: Drawer | undefined;
afterEach(() => drawer?.close());

describe('pictures in a process of their own', () => {
  it('are drawn as before, several at once, and by one child', async () => {
    drawer = drawnByChild();
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

  it('one at which the child dies is unreadable, and the next is drawn by another child', async () => {
    drawer = drawnByChild();
    await drawer.draw('picture', photo);
    const pid = drawer.pid() ?? 0;
    const drawing = drawer.draw('picture', photo);
    process.kill(pid, 'SIGKILL');
    expect(await drawing).toEqual({ ok: false, refusal: 'picture_unreadable' });
    expect(await drawer.draw('picture', photo)).toMatchObject({ ok: true });
    expect(drawer.pid()).not.toBe(pid);
  });

  it('one at which the child stalls is unreadable once its time is over', async () => {
    drawer = drawnByChild(TAKEN, 1_500);
    expect(await drawer.draw('avatar', photo)).toEqual({ ok: false, refusal: 'picture_unreadable' });
    expect(drawer.pid()).toBeNull();
  });

  it('a decoder that is taken over reads no file but its code, writes none, starts nothing, and has no variable of ours', async () => {
    process.env.DATABASE_URL_OF_TEST = 'postgres://owner:secret@host/';
    drawer = drawnByChild(TAKEN);
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
