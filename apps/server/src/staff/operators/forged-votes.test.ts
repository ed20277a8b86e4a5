import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import {
  approveApproval,
  finishPasskeyLogin,
  readApproval,
  renewAccess,
  signVote,
  startPasskeyLogin,
  startStepUp,
} from '@sathorn/api';
import { bytesToSign, canonicalText, voterIdOf, writeVote, writeVoter } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnsignedActs } from '../../checker/checker/index.ts';
import { createTestPasskey } from '../../people/customers/second-factor/testing-passkey.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Database, openDatabase } from '../../platform/database/index.ts';
import { proposed, signAsDemoOperator, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import {
  checkerVotersFile,
  readBallot,
  readPinnedVoters,
  readTrustedVoters,
  readVotersOf,
  signerVotersFile,
  verifiedApprovals,
  voterRolesFor,
} from '../votes/index.ts';
import { openOperators } from './open-operators.ts';
import { operatorKeysOf } from './operator-keys.ts';
import { operatorPasskeyMac, voteKeyOf } from './passkeys.ts';

/** An intruder with the application's login and with their own keys. */
function intruder() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  return {
    key,
    id: voterIdOf(key),
    sign: (text: string) =>
      canonicalText({ signature: sign(null, bytesToSign(text) ?? Buffer.alloc(0), privateKey).toString('hex') }),
  };
}

describe('votes that no person signed', () => {
  let platform: TestPlatform;
  let owner: Database;
  const app = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    platform.test.database.query<Row>({ name: '', text }, values);
  const idOf = async (name: string): Promise<bigint> =>
    (await app<{ id: bigint }>('SELECT id FROM operators.operator WHERE work_name = $1', [name]))[0]?.id ?? 0n;
  const pins = () => {
    const pinned = readPinnedVoters(checkerVotersFile(platform.dataDir), platform.test.owner);
    if (!pinned) throw new Error('nothing is pinned');
    return pinned;
  };
  const found = () => findUnsignedActs(platform.test.checker, pins());

  const seeming = async (operator: bigint) => {
    const own = await readVotersOf(platform.test.database, operator);
    const key = own.find(({ kind }) => kind === 'demo')?.id ?? '';
    return { key, proof: canonicalText({ signature: '0'.repeat(128) }) };
  };
  /** Opens a session and confirms a challenge for an operator, as the application's role may. */
  const asOperator = async (name: string) => {
    const [operator, session] = [await idOf(name), randomUUID()];
    await app(
      `SELECT operators.open_session($1, sha256(uuid_send(gen_random_uuid())), $2, 'passkey', 'd', 'a', now())`,
      [session, operator],
    );
    const confirm = async (approval: string, fingerprint: string, signed: { key: string; proof: string } | null) => {
      const challenge = randomUUID();
      await app(
        `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at)
         VALUES ($1, 'decision', $2, $3, 'approval.approve', $4, $5, repeat('x', 43), now() + interval '2 minutes')`,
        [challenge, operator, session, approval, Buffer.from(fingerprint, 'hex')],
      );
      await app(
        `UPDATE operators.challenge SET confirmed_at = now(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
        [challenge, signed?.key ?? null, signed?.proof ?? null],
      );
      return challenge;
    };
    return {
      operator,
      confirm,
      /** A signature that the database can't tell from one by this person. */
      seeming: () => seeming(operator),
      async cast(approval: string, fingerprint: string, signed: { key: string; proof: string } | null) {
        const challenge = await confirm(approval, fingerprint, signed);
        const [row] = await app<{ refusal: string | null; is_decided: boolean }>(
          `SELECT refusal, is_decided FROM operators.cast_vote($1, $2, $3, $4, 'approve', NULL, $5)`,
          [approval, operator, session, Buffer.from(fingerprint, 'hex'), challenge],
        );
        return row;
      },
    };
  };
  const open = async (kind: string, subject: string, content: string, need: number, roles: string[]) => {
    const id = randomUUID();
    await app(`SELECT operators.open_approval($1, $2, $3, $4, $5, $6, NULL, '{}', NULL, NULL, NULL)`, [
      id,
      kind,
      subject,
      content,
      need,
      roles,
    ]);
    return { id, fingerprint: createHash('sha256').update(content).digest('hex') };
  };
  const insertKey = (operator: bigint, key: string) =>
    app(
      `INSERT INTO votes.key (id, operator, kind, public_key, party, passkey, name) VALUES ($1, $2, 'device', $3, '', NULL, 'x')`,
      [voterIdOf(key), operator, Buffer.from(key, 'hex')],
    );
  const act = (call: Parameters<TestPlatform['send']>[0], fields: TestForm, token: string) =>
    proposed(platform, call, fields, { token, 'idempotency-key': randomUUID() });

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
    owner = openDatabase(platform.test.owner, { connections: 1 });
  });
  afterAll(async () => {
    await owner.close();
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('are rejected by the database without the form of a signature by this person', async () => {
    const one = await open('withdrawal', 'W-0', '{"id":"W-0"}', 2, ['finance']);
    const [korn, fah] = await Promise.all(['korn', 'fah'].map(asOperator));
    if (!korn || !fah) throw new Error('nobody');
    const { key, proof } = await korn.seeming();
    const own = intruder();
    await insertKey(korn.operator, own.key);
    const ended = intruder();
    await insertKey(korn.operator, ended.key);
    await app(`UPDATE votes.key SET ended_at = now() WHERE id = $1`, [ended.id]);
    for (const signed of [
      null,
      { key, proof: '{}' },
      { key, proof: 'no' },
      { key, proof: '[]' },
      { key, proof: canonicalText({ signature: '0'.repeat(127) }) },
      { key, proof: canonicalText({ signature: '0'.repeat(128), more: '' }) },
      { key, proof: canonicalText({ authenticator_data: 'eA', client_data: 'eA', signature: 'eA' }) },
      // Another person's key, one that nobody registered, and one that has ended.
      await fah.seeming(),
      { key: own.id, proof },
      { key: ended.id, proof },
    ])
      expect(await korn.cast(one.id, one.fingerprint, signed), signed?.proof).toMatchObject({
        refusal: 'vote_unsigned',
      });
    expect((await readBallot(platform.test.database, one.id))?.votes).toEqual([]);
  });

  it('pay nothing and are found where they only seem to be signed', async () => {
    expect(await found()).toEqual([]);
    const content = canonicalText({ id: 'W-1', amount: '12000000000' });
    const one = await open('withdrawal', 'W-1', content, 2, ['finance', 'compliance']);
    for (const name of ['korn', 'tan']) {
      const person = await asOperator(name);
      expect(await person.cast(one.id, one.fingerprint, await person.seeming())).toMatchObject({ refusal: null });
    }
    expect((await readBallot(platform.test.database, one.id))?.status).toBe('approved');
    const asked = { kinds: ['withdrawal'], subject: 'W-1', members: { amount: '12000000000' } };
    expect(await verifiedApprovals(platform.test.database, pins(), asked)).toBe(0);
    expect(await found()).toEqual([`withdrawal ${one.id}: 0 of 2`]);
  });

  it('do not count with a key that the intruder has added', async () => {
    const content = canonicalText({ id: 'W-2', amount: '12000000000' });
    const one = await open('withdrawal', 'W-2', content, 2, ['finance']);
    for (const name of ['korn', 'fah']) {
      const person = await asOperator(name);
      const own = intruder();
      await insertKey(person.operator, own.key);
      const ballot = await readBallot(platform.test.database, one.id);
      if (!ballot) throw new Error('no ballot');
      const proof = own.sign(writeVote(ballot, String(person.operator), 'approve'));
      expect(await person.cast(one.id, one.fingerprint, { key: own.id, proof })).toMatchObject({
        refusal: 'vote_unsigned',
      });
      // Under the id of the person's own key the database accepts it, and the checker finds it.
      const { key } = await person.seeming();
      expect(await person.cast(one.id, one.fingerprint, { key, proof })).toMatchObject({ refusal: null });
    }
    const asked = { kinds: ['withdrawal'], subject: 'W-2', members: { amount: '12000000000' } };
    expect(await verifiedApprovals(platform.test.database, pins(), asked)).toBe(0);
    expect(await found()).toContain(`withdrawal ${one.id}: 0 of 2`);
  });

  it('register no key, however long the chain of forged registrations is', async () => {
    const admins = await Promise.all(['arun', 'dao'].map(asOperator));
    const register = async (operator: bigint, roles: string[], own: (ReturnType<typeof intruder> | null)[]) => {
      const made = intruder();
      await insertKey(operator, made.key);
      const registration = { key: made.key, kind: 'device' as const, operator: String(operator), party: '', roles };
      const one = await open('voting_key', made.id, writeVoter(registration), 2, ['admin']);
      const ballot = await readBallot(platform.test.database, one.id);
      for (const [n, admin] of admins.entries()) {
        const key = own[n];
        const text = ballot && writeVote(ballot, String(admin.operator), 'approve');
        const signed = key && text ? { key: key.id, proof: key.sign(text) } : await admin.seeming();
        expect(await admin.cast(one.id, one.fingerprint, signed)).toMatchObject({ refusal: null });
      }
      return made;
    };
    const first = [];
    for (const { operator } of admins) first.push(await register(operator, ['admin'], []));
    const second = await register(await idOf('korn'), ['finance'], first);
    const trusted = await readTrustedVoters(platform.test.database, pins());
    for (const { id } of [...first, second]) expect(trusted.map(({ key }) => voterIdOf(key))).not.toContain(id);
    expect((await found()).filter((subject) => subject.startsWith('voting_key'))).toHaveLength(3);
  });

  it('are refused by the server if the session is real and the confirmation is planted', async () => {
    const { token } = await signInDemoOperator(platform, 'dao');
    const { token: maker } = await signInDemoOperator(platform, 'arun');
    const asked = await act(renewAccess, { id: String(await idOf('mai')), reason: 'lost the phone' }, maker);
    const id = String(asked.data.approval);
    const { answer } = await platform.send(readApproval, { id }, { token });
    const fingerprint = String(answer.data.fingerprint);
    const decide = async (signed: { key: string; proof: string } | null) => {
      const begun = await act(startStepUp, { op: 'approval.approve', id, fingerprint }, token);
      await app(
        `UPDATE operators.challenge SET confirmed_at = now(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
        [begun.data.step_up, signed?.key ?? null, signed?.proof ?? null],
      );
      return act(approveApproval, { id, fingerprint, step_up: String(begun.data.step_up) }, token);
    };
    expect((await decide(null)).data.code).toBe('vote_unsigned');
    const dao = await idOf('dao');
    const ballot = await readBallot(platform.test.database, id);
    if (!ballot) throw new Error('no ballot');
    const own = intruder();
    await insertKey(dao, own.key);
    const text = writeVote(ballot, String(dao), 'approve');
    expect((await decide({ key: own.id, proof: own.sign(text) })).data.code).toBe('vote_unsigned');
    // A real signature, but under the opposite decision.
    const opposite = signAsDemoOperator(platform.dataDir, writeVote(ballot, String(dao), 'reject'));
    expect((await decide(opposite)).data.code).toBe('vote_unsigned');
    expect((await decide(signAsDemoOperator(platform.dataDir, text))).ret).toBe(1);
    expect((await found()).filter((subject) => subject.startsWith('operator'))).toEqual([]);
  });

  it('of older versions are confirmed by the same person, and complete nothing until then', async () => {
    const content = canonicalText({ id: 'W-3', amount: '1' });
    const one = await open('withdrawal', 'W-3', content, 2, ['finance']);
    const person = await asOperator('korn');
    // Casts the vote as older versions did: without a signature.
    await person.cast(one.id, one.fingerprint, await person.seeming());
    await owner.transaction(async (transaction) => {
      for (const change of ['DISABLE', 'ENABLE'])
        for (const text of [
          `ALTER TABLE votes.signature ${change} TRIGGER append_only`,
          ...(change === 'DISABLE' ? [`DELETE FROM votes.signature WHERE approval = '${one.id}'`] : []),
        ])
          await transaction.query({ name: '', text });
    });
    const { token } = await signInDemoOperator(platform, 'korn');
    const { answer } = await platform.send(readApproval, { id: one.id }, { token });
    expect(answer.data).toMatchObject({ refusal: 'already_voted', votes: [{ signed_by: null, may_sign: false }] });
    const fields = { id: one.id, fingerprint: one.fingerprint };
    const begun = await act(startStepUp, { op: 'approval.approve', ...fields }, token);
    const signed = signAsDemoOperator(platform.dataDir, String(begun.data.vote));
    await app(
      `UPDATE operators.challenge SET confirmed_at = now(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
      [begun.data.step_up, signed.key, signed.proof],
    );
    // A vote that somebody planted after the change is never offered to its person, and can't be signed.
    const step_up = String(begun.data.step_up);
    expect((await act(signVote, { ...fields, step_up }, token)).data.code).toBe('approval_unknown');
    await expect(app('INSERT INTO votes.from_before SELECT approval, operator FROM operators.vote')).rejects.toThrow(
      'permission denied',
    );
    await owner.query({ name: '', text: 'INSERT INTO votes.from_before (approval, operator) VALUES ($1, $2)' }, [
      one.id,
      await idOf('korn'),
    ]);
    const shown = await platform.send(readApproval, { id: one.id }, { token });
    expect(shown.answer.data).toMatchObject({ votes: [{ may_sign: true }] });
    expect((await act(signVote, fields, token)).data.code).toBe('step_up_required');
    const done = await act(signVote, { ...fields, step_up }, token);
    expect(done, done.msg).toMatchObject({ ret: 1, data: { status: 'waiting', votes: [{ signed_by: 'demo' }] } });
  });

  it('do not let anybody sign in with a passkey that the role has inserted, moved or exchanged', async () => {
    const thief = createTestPasskey({ origin: new URL(platform.url).origin });
    const made = JSON.parse(thief.register(JSON.stringify({ challenge: 'eA', rp: { id: 'localhost' } }))) as {
      response: { attestationObject: string };
    };
    const object = Buffer.from(made.response.attestationObject, 'base64url');
    // The COSE key is the last part of the attestation.
    const cose = object.subarray(-77);
    expect(await voteKeyOf({ public_key: cose })).toMatch(/^04[0-9a-f]{128}$/);
    const korn = await idOf('korn');
    const insert = (mac: Buffer, id = thief.id) =>
      app(
        `INSERT INTO operators.passkey (id, operator, public_key, counter, transports, name, mac, created_at) VALUES ($1, $2, $3, 0, '{}', 'x', $4, now())`,
        [id, korn, cose, mac],
      );
    await expect(insert(Buffer.alloc(0))).rejects.toThrow('sealed');
    await insert(Buffer.alloc(32));
    const { answer: begun } = await platform.send(startPasskeyLogin);
    const options = JSON.parse(String(begun.data.options)) as object;
    const credential = thief.sign(JSON.stringify(options));
    const { answer } = await platform.send(finishPasskeyLogin, {
      challenge: String(begun.data.challenge),
      credential,
    });
    expect(answer.data.code).toBe('credentials_wrong');

    // Nor is it proposed as an owner of the treasury, which takes the newest passkey with a valid seal.
    const secrets = { pepper: randomBytes(32), sessionKey: randomBytes(32) };
    const rest = { clock: systemClock, mode: 'demo', brandTitle: 'x', consoleUrl: platform.url } as const;
    const { api } = openOperators({ database: platform.test.database, secrets, signer: null as never, ...rest });
    expect(await api.readP256Passkey(platform.test.database, korn)).toBeNull();
    const own = createTestPasskey().id;
    await insert(
      operatorPasskeyMac(operatorKeysOf(secrets.sessionKey), { id: own, operator: korn, public_key: cose }),
      own,
    );
    expect(await api.readP256Passkey(platform.test.database, korn)).toMatchObject({ id: own });
    await app('UPDATE operators.passkey SET removed_at = now() WHERE id = $1', [own]);

    for (const change of ['operator = 1', `public_key = ''`, 'mac = sha256(id::bytea)'])
      await expect(app(`UPDATE operators.passkey SET ${change}`)).rejects.toThrow('permission denied');
    const set = (change: string) => app(`UPDATE operators.passkey SET ${change} WHERE id = $1`, [thief.id]);
    await set('removed_at = now()');
    await expect(set('removed_at = NULL')).rejects.toThrow('only used and removed');
  });

  it('can’t be made to count by the application’s role', async () => {
    for (const text of [
      `UPDATE votes.key SET pinned_roles = '{admin}'`,
      `UPDATE votes.key SET operator = 1`,
      `UPDATE votes.signature SET proof = '{}'`,
      `DELETE FROM votes.signature`,
      `INSERT INTO votes.signature (approval, operator, key, proof) SELECT approval, operator, 'x', '{}' FROM operators.vote`,
    ])
      await expect(app(text), text).rejects.toThrow('permission denied');
    await app(`UPDATE votes.key SET ended_at = 'infinity' WHERE name = 'x' AND ended_at IS NULL`);
    await expect(app(`UPDATE votes.key SET ended_at = NULL WHERE name = 'x'`)).rejects.toThrow('only ended');
    expect(readPinnedVoters(signerVotersFile(platform.dataDir), platform.test.owner)).toEqual(pins());
    expect(voterRolesFor({ kind: 'withdrawal', roles: ['support'] })).not.toContain('support');
  });

  it('of a hundred decisions count only where two people signed each one, before their removal', async () => {
    const [korn, fah, ploy, dao] = await Promise.all(['korn', 'fah', 'ploy', 'dao'].map(asOperator));
    if (!korn || !fah || !ploy || !dao) throw new Error('nobody');
    // Amounts around the threshold from which two people are needed.
    const members = (n: number) => ({ id: `H-${n}`, amount: String(9_999_999_950 + n) });
    const all = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const one = await open('withdrawal', `H-${n}`, canonicalText(members(n)), 2, ['finance', 'compliance']);
        const ballot = await readBallot(platform.test.database, one.id);
        if (!ballot) throw new Error('no ballot');
        return { ...one, ballot };
      }),
    );
    const [session] = await app<{ id: string }>(
      'SELECT id FROM operators.session WHERE operator = $1 AND ended_at IS NULL LIMIT 1',
      [dao.operator],
    );
    const stopped = await app<{ refusal: string | null }>(
      `SELECT operators.stop_operator($1, $2, $3, 'remove') AS refusal`,
      [ploy.operator, dao.operator, session?.id],
    );
    expect(stopped).toEqual([{ refusal: null }]);

    type Person = typeof korn;
    const signed = (of: number, { operator }: Person) => {
      const ballot = all[of % all.length]?.ballot;
      if (!ballot) throw new Error('no ballot');
      return signAsDemoOperator(platform.dataDir, writeVote(ballot, String(operator), 'approve'));
    };
    const ways: [string, number, (n: number) => Promise<[Person, { key: string; proof: string }][]>][] = [
      [
        'honest',
        2,
        async (n) => [
          [korn, signed(n, korn)],
          [fah, signed(n, fah)],
        ],
      ],
      [
        'forged',
        0,
        async () => [
          [korn, await korn.seeming()],
          [fah, await fah.seeming()],
        ],
      ],
      [
        'of another approval',
        0,
        async (n) => [
          [korn, signed(n + 1, korn)],
          [fah, signed(n + 1, fah)],
        ],
      ],
      [
        'one signature for two people',
        1,
        async (n) => [
          [korn, signed(n, korn)],
          [fah, { ...(await fah.seeming()), proof: signed(n, korn).proof }],
        ],
      ],
      [
        'one person twice, and a removed operator',
        0,
        async (n) => [
          [korn, signed(n, korn)],
          [korn, signed(n, korn)],
          [ploy, signed(n, ploy)],
        ],
      ],
    ];
    const wayOf = (n: number) => ways[n % ways.length] ?? ways[0];
    await Promise.all(
      all.map(async ({ id, fingerprint }, n) => {
        for (const [person, vote] of (await wayOf(n)?.[2](n)) ?? []) await person.cast(id, fingerprint, vote);
      }),
    );
    const counted = await Promise.all(
      all.map((_, n) =>
        verifiedApprovals(platform.test.database, pins(), {
          kinds: ['withdrawal'],
          subject: `H-${n}`,
          members: members(n),
        }),
      ),
    );
    expect(counted).toEqual(all.map((_, n) => wayOf(n)?.[1]));
    // Votes on other content pay nothing either.
    const asked = { kinds: ['withdrawal'], subject: 'H-0', members: { ...members(0), amount: '1' } };
    expect(await verifiedApprovals(platform.test.database, pins(), asked)).toBe(0);
    expect((await found()).filter((subject) => / of 2$/.test(subject)).length).toBeGreaterThan(10);
  });
});
