import { argon2Sync, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPasswordHasher } from './password-hasher.ts';

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const quick = { memoryKiB: 64, passes: 1 };
const mali = { customer: 1_234_567_890n, kind: 'login' } as const;

describe('a password', () => {
  it('is argon2id at 19 MiB and two passes, then HMAC with the pepper', async () => {
    const hasher = createPasswordHasher({ peppers: [one] });
    const text = await hasher.hash('k7Wm2xPq', mali);
    const [, name, version, cost, , salt, mac] = text.split('$');
    expect([name, version, cost]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1']);
    const key = argon2Sync('argon2id', {
      message: 'k7Wm2xPq',
      nonce: Buffer.from(salt ?? '', 'base64url'),
      parallelism: 1,
      tagLength: 32,
      memory: 19_456,
      passes: 2,
    });
    expect(createHmac('sha256', one).update('login:1234567890:').update(key).digest('base64url')).toBe(mac);
    expect(await hasher.verify('k7Wm2xPq', text, mali)).toEqual({ isRight: true, isOutdated: false });
    expect(await hasher.verify('k7Wm2xPQ', text, mali)).toMatchObject({ isRight: false });
  });

  it('has a salt of its own each time', async () => {
    const hasher = createPasswordHasher({ peppers: [one], cost: quick });
    expect(await hasher.hash('same', mali)).not.toBe(await hasher.hash('same', mali));
  });

  it('does not match in another customer’s row, nor as the other kind of password', async () => {
    const hasher = createPasswordHasher({ peppers: [one], cost: quick });
    const text = await hasher.hash('739152', mali);
    expect(await hasher.verify('739152', text, { ...mali, customer: 9_999_999_999n })).toMatchObject({
      isRight: false,
    });
    expect(await hasher.verify('739152', text, { ...mali, kind: 'payment' })).toMatchObject({ isRight: false });
  });

  it('is outdated under an older pepper or cost, and a fault without its pepper', async () => {
    const old = await createPasswordHasher({ peppers: [one], cost: quick }).hash('k7Wm2xPq', mali);
    const rotated = createPasswordHasher({ peppers: [two, one], cost: quick });
    expect(await rotated.verify('k7Wm2xPq', old, mali)).toEqual({ isRight: true, isOutdated: true });
    const dearer = createPasswordHasher({ peppers: [one], cost: { memoryKiB: 128, passes: 1 } });
    expect(await dearer.verify('k7Wm2xPq', old, mali)).toEqual({ isRight: true, isOutdated: true });
    await expect(createPasswordHasher({ peppers: [two], cost: quick }).verify('k7Wm2xPq', old, mali)).rejects.toThrow(
      'which the secrets do not have',
    );
    await expect(rotated.verify('k7Wm2xPq', 'plain', mali)).rejects.toThrow('malformed');
  });

  it('of an unknown customer is never right', async () => {
    const hasher = createPasswordHasher({ peppers: [one], cost: quick });
    expect(await hasher.verifyNobody('k7Wm2xPq')).toEqual({ isRight: false, isOutdated: false });
  });
});
