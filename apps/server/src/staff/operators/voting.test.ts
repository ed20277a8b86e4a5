import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import {
  addVotingKey,
  approveApproval,
  askForVotingKey,
  type Call,
  confirmStepUp,
  finishPasskey,
  listDemoOperators,
  listVotingKeys,
  readApproval,
  rejectApproval,
  removePasskey,
  renewAccess,
  startPasskey,
  startStepUp,
} from '@sathorn/api';
import { bytesToSign, voterIdOf } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnsignedActs } from '../../checker/checker/index.ts';
import { createTestPasskey } from '../../people/customers/second-factor/testing-passkey.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { checkerVotersFile, readPinnedVoters } from '../votes/index.ts';
import { deviceFingerprint } from './start-passkey.ts';

const ORIGIN = 'http://localhost';

/** Creates the key that an operator's browser stores. */
function browserKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const hex = (part: string): string => Buffer.from(part, 'base64url').toString('hex');
  const public_key = `04${hex(x)}${hex(y)}`;
  return {
    public_key,
    id: voterIdOf(public_key),
    sign: (text: string): string =>
      sign('sha256', bytesToSign(text) ?? Buffer.alloc(0), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
        'hex',
      ),
  };
}

describe('an operator’s key', () => {
  let platform: TestPlatform;
  const tokens: Record<string, string> = {};
  const act = (call: Call, fields: TestForm, name: string): Promise<Envelope> =>
    proposed(platform, call, fields, { token: tokens[name] ?? '', 'idempotency-key': randomUUID() });
  const idOf = async (name: string): Promise<bigint> => {
    const text = 'SELECT id FROM operators.operator WHERE work_name = $1';
    return (await platform.test.database.query<{ id: bigint }>({ name: '', text }, [name]))[0]?.id ?? 0n;
  };
  const fingerprintOf = async (id: string, name: string): Promise<string> =>
    String((await act(readApproval, { id }, name)).data.fingerprint);
  /** Decides as a person of the demo does, with the code on the screen. */
  const decide = async (call: typeof approveApproval | typeof rejectApproval, id: string, name: string) => {
    const fingerprint = await fingerprintOf(id, name);
    const op = call === approveApproval ? 'approval.approve' : 'approval.reject';
    const step_up = await insertConfirmedStepUp(platform, tokens[name] ?? '', { op, id, fingerprint });
    return act(call, { id, fingerprint, step_up, ...(call === rejectApproval && { reason: 'no' }) }, name);
  };
  const deviceStepUp = async (name: string): Promise<string> => {
    const id = await idOf(name);
    const of = { op: 'device.add', id: String(id), fingerprint: deviceFingerprint(id) };
    return insertConfirmedStepUp(platform, tokens[name] ?? '', of);
  };
  const keysOf = async (name: string): Promise<{ id: string; kind: string; state: string }[]> =>
    (await act(listVotingKeys, {}, name)).data.keys as { id: string; kind: string; state: string }[];
  const registering = async (key: string): Promise<string> => {
    const text = `SELECT id FROM operators.approval WHERE kind = 'voting_key' AND subject = $1 AND status = 'waiting'`;
    return (await platform.test.database.query<{ id: string }>({ name: '', text }, [key]))[0]?.id ?? '';
  };
  const unverified = () =>
    findUnsignedActs(platform.test.checker, readPinnedVoters(checkerVotersFile(platform.dataDir), platform.test.owner));
  /** Opens an approval that an administrator may decide. */
  const ask = async (about: string, by = 'dao'): Promise<string> =>
    String((await act(renewAccess, { id: String(await idOf(about)), reason: 'lost' }, by)).data.approval);

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off', BASE_URL: ORIGIN });
    for (const name of ['arun', 'dao', 'tan']) tokens[name] = (await signInDemoOperator(platform, name)).token;
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('may be a passkey whose challenge is the vote, once two administrators have registered it', async () => {
    const asked = await act(startPasskey, { step_up: await deviceStepUp('arun') }, 'arun');
    const { challenge, options } = asked.data as { challenge: string; options: string };
    const phone = createTestPasskey({ origin: ORIGIN });
    const added = { challenge, credential: phone.register(options), name: 'a phone' };
    expect(await act(finishPasskey, added, 'arun')).toMatchObject({ ret: 1 });
    const own = await keysOf('arun');
    expect(own.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['demo counts', 'passkey waiting']);
    const key = own[1]?.id ?? '';

    // Until then the person is not asked to sign with it.
    const subject = await ask('mai');
    const fingerprint = await fingerprintOf(subject, 'arun');
    const start = async () =>
      (await act(startStepUp, { op: 'approval.approve', id: subject, fingerprint }, 'arun')).data;
    expect(await start()).toMatchObject({ options: null, is_demo: true });

    const approval = await registering(key);
    expect(await decide(approveApproval, approval, 'dao')).toMatchObject({ ret: 1, data: { status: 'waiting' } });
    expect((await keysOf('arun'))[1]?.state).toBe('waiting');
    // The owner's older key casts the second vote.
    expect(await decide(approveApproval, approval, 'arun')).toMatchObject({ ret: 1, data: { status: 'approved' } });
    expect((await keysOf('arun'))[1]?.state).toBe('counts');

    const begun = await start();
    const digest = createHash('sha256')
      .update(bytesToSign(String(begun.vote)) ?? '')
      .digest('base64url');
    expect(JSON.parse(String(begun.options))).toMatchObject({ challenge: digest });
    const credential = phone.sign(String(begun.options));
    const step_up = String(begun.step_up);
    expect(await act(confirmStepUp, { step_up, credential }, 'arun')).toMatchObject({ ret: 1 });
    const done = await act(approveApproval, { id: subject, fingerprint, step_up }, 'arun');
    expect(done, done.msg).toMatchObject({ ret: 1, data: { votes: [{ signed_by: 'passkey' }], status: 'approved' } });
    expect(await unverified()).toEqual([]);

    // A lost phone can no longer vote; its earlier votes still count.
    expect(await act(removePasskey, { id: phone.id }, 'arun')).toMatchObject({ ret: 1 });
    expect(await keysOf('arun')).toHaveLength(1);
    expect(await unverified()).toEqual([]);
  });

  it('may be stored by a browser, for operators who have only an authenticator', async () => {
    const mine = browserKey();
    const fields = { step_up: await deviceStepUp('tan'), public_key: mine.public_key, name: 'the desk' };
    const asked = await act(addVotingKey, fields, 'tan');
    expect(asked, asked.msg).toMatchObject({ ret: 1 });
    const twice = { ...fields, step_up: await deviceStepUp('tan') };
    expect((await act(addVotingKey, twice, 'tan')).data).toMatchObject({
      code: 'step_up_wrong',
      fields: { public_key: expect.anything() },
    });
    // An administrator rejects the key, and the person asks again.
    const first = String(asked.data.approval);
    expect(await decide(rejectApproval, first, 'dao')).toMatchObject({ ret: 1 });
    expect((await keysOf('tan'))[1]?.state).toBe('lapsed');
    const again = await act(askForVotingKey, { id: mine.id }, 'tan');
    const approval = String(again.data.approval);
    expect((await act(askForVotingKey, { id: mine.id }, 'arun')).data.code).toBe('device_unknown');
    for (const name of ['arun', 'dao']) expect(await decide(approveApproval, approval, name)).toMatchObject({ ret: 1 });
    expect((await act(askForVotingKey, { id: mine.id }, 'tan')).data.code).toBe('nothing_changes');
    expect((await keysOf('tan')).map(({ state }) => state)).toEqual(['counts', 'counts']);

    const content = '{"amount":"1"}';
    const fingerprint = createHash('sha256').update(content).digest('hex');
    const subject = randomUUID();
    await platform.test.database.query(
      {
        name: '',
        text: `SELECT operators.open_approval($1, 'withdrawal', 'W-9', $2, 1, '{compliance}', NULL, '{}', NULL, NULL, NULL)`,
      },
      [subject, content],
    );
    const begun = await act(startStepUp, { op: 'approval.approve', id: subject, fingerprint }, 'tan');
    expect(begun.data.device_keys).toEqual([mine.id]);
    const vote = String(begun.data.vote);
    const { answer } = await platform.send(listDemoOperators);
    const people = answer.data as unknown as { work_name: string; code: string }[];
    const code = people.find(({ work_name: name }) => name === 'tan')?.code ?? '';
    const given = { step_up: String(begun.data.step_up), code, key: mine.id };
    const other = mine.sign(vote.replace('approve', 'reject'));
    // The code is right, but the key signed something else than was shown.
    expect((await act(confirmStepUp, { ...given, signature: other }, 'tan')).data.code).toBe('vote_unsigned');
    await platform.test.database.query(
      { name: '', text: 'UPDATE operators.credential SET used_step = 0 WHERE operator = $1' },
      [await idOf('tan')],
    );
    expect(await act(confirmStepUp, { ...given, signature: mine.sign(vote) }, 'tan')).toMatchObject({ ret: 1 });
    const kept = `SELECT vote_key FROM operators.challenge WHERE id = $1`;
    expect(await platform.test.database.query({ name: '', text: kept }, [given.step_up])).toEqual([
      { vote_key: mine.id },
    ]);
    expect(await unverified()).toEqual([]);
  });
});
