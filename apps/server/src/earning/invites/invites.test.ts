import { randomBytes } from 'node:crypto';
import { listInvites, readUser } from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { openTestPlatform, type TestPlatform } from '../../whole/testing-platform.ts';

interface Invites {
  readonly items: { name: string; certified: boolean; finding: string | null; points: string }[];
  readonly came: number;
  readonly certified: number;
  readonly points: string;
}

describe('invitations', () => {
  let platform: TestPlatform;
  let token = '';
  let code = '';
  let inviter = '';

  const read = async (call: { method: string; path: string }) =>
    (await platform.send(`${call.method} ${call.path}`, {}, { token })).answer.data;
  const invites = async () => (await read(listInvites)) as unknown as Invites;
  /** Signs up through the calls, with this customer's code, from a device of that name. */
  const invite = async (name: string, device: string): Promise<string> => {
    const email = `${name}@demo.example`;
    await platform.send('GET /users/email/get', { email, must: 'register' });
    const outbox = await platform.send('GET /demo/outbox', { to: email }, { accept: 'application/json' });
    const [sent] = outbox.answer as unknown as { code: string }[];
    const { answer } = await platform.send(
      'POST /users/register',
      {
        mode: 'email',
        email,
        code: sent?.code ?? '',
        password: 'Mekong77x',
        paypass: '618394',
        username: name,
        currency: 'BAHT',
        invite_code: code,
        agree: 'true',
      },
      { 'user-agent': device },
    );
    if (answer.ret !== 1) throw new Error(`${name}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return (answer.data.user as { id: string }).id;
  };
  /** Writes the rows of a verified certification. */
  const certify = (customer: string) =>
    runAsOwner(
      platform.test.owner,
      `INSERT INTO certifications.application (id, customer, level, document_type, sealed, digest, state, version, submitted_at, decided_at, decided_by, is_from_before)
       VALUES ('${randomBytes(16).toString('base64url')}', ${customer}, 'primary', 'id_card', '\\x${'00'.repeat(40)}', '\\x${randomBytes(32).toString('hex')}',
         'verified', 1, clock_timestamp(), clock_timestamp(), 1, true)`,
    );

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index' });
    token = await platform.signIn(DEMO_CUSTOMER, 'the phone of nicha');
    const user = await read(readUser);
    code = String(user.invite_code);
    inviter = String(user.id);
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('I10 bring points for certified people, once, and only when the inviter is certified', async () => {
    const somsak = await invite('somsak', 'the phone of somsak');
    const twin = await invite('nichatwo', 'the phone of nicha');
    await invite('wanida', 'the phone of wanida');
    await certify(somsak);
    await certify(twin);
    await expect.poll(async () => (await invites()).certified).toBe(2);
    expect((await invites()).items.map(({ finding }) => finding)).toEqual([null, null, null]);
    await certify(inviter);
    await expect.poll(async () => (await invites()).points, { interval: 500 }).toBe('50');
    const { items, came } = await invites();
    expect(came).toBe(3);
    expect(items.map(({ name, finding, points }) => [name, finding, points])).toEqual([
      ['w•••a', null, '0'],
      ['n•••o', 'same_device', '0'],
      ['s•••k', 'rewarded', '50'],
    ]);
    expect((await read(readUser)).score).toBe('50');
  });

  it('are detected if somebody plants a reward', async () => {
    await runAsOwner(
      platform.test.owner,
      `INSERT INTO rewards.grant_of_points (id, customer_id, points, reason, ref, at) VALUES (gen_random_uuid(), ${inviter}, 50, 'invite', '1', clock_timestamp())`,
    );
    const found = await findViolations(platform.test.checker);
    expect(found.map(({ invariant }) => invariant)).toContain('IN2');
    await runAsOwner(
      platform.test.owner,
      `ALTER TABLE rewards.grant_of_points DISABLE TRIGGER append_only; DELETE FROM rewards.grant_of_points WHERE ref = '1'; ALTER TABLE rewards.grant_of_points ENABLE TRIGGER append_only`,
    );
  });
});
