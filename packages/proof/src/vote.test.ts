import { describe, expect, it } from 'vitest';
import { canonicalText } from './canonical.ts';
import { sha256, toHex, utf8Bytes } from './hash.ts';
import { bytesToSign } from './signature.ts';
import {
  type ActSubject,
  type CastVote,
  challengeOfVote,
  type RegistrationBallot,
  readVoter,
  type StoredSignature,
  type TrustedVoter,
  trustVoters,
  VOTER_APPROVAL,
  type VoteDecision,
  type VoterKind,
  type VoterRegistration,
  type VoteSubject,
  verifyAct,
  verifyVote,
  voterIdOf,
  writeAct,
  writeVote,
  writeVoter,
} from './vote.ts';

const url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const PARTY = 'console.example';

/** An ECDSA signature in DER, as authenticators return it. */
function toDer(signature: Uint8Array): Uint8Array {
  const number = (bytes: Uint8Array): number[] => {
    let at = 0;
    while (at < 31 && bytes[at] === 0) at += 1;
    const kept = [...bytes.slice(at)];
    if ((kept[0] ?? 0) >= 0x80) kept.unshift(0);
    return [2, kept.length, ...kept];
  };
  const body = [...number(signature.slice(0, 32)), ...number(signature.slice(32))];
  return new Uint8Array([0x30, body.length, ...body]);
}

interface Person {
  readonly voter: VoterRegistration;
  vote(on: VoteSubject, over?: Partial<Signing>): Promise<CastVote>;
  act(on: ActSubject): Promise<StoredSignature>;
}
interface Signing {
  readonly decision: VoteDecision;
  /** The signed content where it differs from the claimed content. */
  readonly signs: Partial<VoteSubject> & { readonly decision?: VoteDecision; readonly operator?: string };
  readonly atMs: number;
  readonly flags: number;
  readonly origin: string;
  readonly type: string;
  readonly party: string;
}

async function person(operator: string, kind: VoterKind, roles: string[], curve: 'P-256' | 'Ed25519' = 'P-256') {
  const isPoint = kind !== 'demo' && curve === 'P-256';
  const algorithm = isPoint ? { name: 'ECDSA', namedCurve: 'P-256' } : 'Ed25519';
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as {
    readonly privateKey: Parameters<typeof crypto.subtle.sign>[1];
    readonly publicKey: Parameters<typeof crypto.subtle.sign>[1];
  };
  const key = toHex(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  const voter: VoterRegistration = { key, kind, operator, party: kind === 'passkey' ? PARTY : '', roles };
  const sign = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
    new Uint8Array(
      await crypto.subtle.sign(isPoint ? { name: 'ECDSA', hash: 'SHA-256' } : 'Ed25519', pair.privateKey, bytes),
    );
  const made: Person = {
    voter,
    async act(on) {
      const signature = toHex(await sign(bytesToSign(writeAct(on, operator)) ?? new Uint8Array()));
      return { operator, key: voterIdOf(key), proof: canonicalText({ signature }), atMs: 1_000 };
    },
    async vote(on, over = {}) {
      const { decision = 'approve', signs = {}, atMs = 1_000, flags = 5, type = 'webauthn.get' } = over;
      const { origin = `https://${PARTY}`, party = PARTY } = over;
      const text = writeVote({ ...on, ...signs }, signs.operator ?? operator, signs.decision ?? decision);
      const cast = { operator, decision, key: voterIdOf(key), atMs };
      if (kind !== 'passkey') {
        const signature = toHex(await sign(bytesToSign(text) ?? new Uint8Array()));
        return { ...cast, proof: canonicalText({ signature }) };
      }
      const client = utf8Bytes(JSON.stringify({ type, challenge: challengeOfVote(text), origin, crossOrigin: false }));
      const data = new Uint8Array([...sha256(utf8Bytes(party)), flags, 0, 0, 0, 9]);
      const signature = await sign(new Uint8Array([...data, ...sha256(client)]));
      return {
        ...cast,
        proof: canonicalText({
          authenticator_data: url(data),
          client_data: url(client),
          signature: url(isPoint ? toDer(signature) : signature),
        }),
      };
    },
  };
  return made;
}

const on = (over: Partial<VoteSubject> = {}): VoteSubject => {
  const content = over.content ?? '{"amount":"12000000000"}';
  return {
    id: '11111111-1111-4111-8111-111111111111',
    kind: 'withdrawal',
    subject: 'W-1',
    content,
    fingerprint: toHex(sha256(utf8Bytes(content))),
    ...over,
  };
};
const trusted = ({ voter }: Person, over: Partial<TrustedVoter> = {}): TrustedVoter => ({
  ...voter,
  grants: [{ roles: voter.roles, fromMs: 0 }],
  untilMs: null,
  ...over,
});
const RULES = { roles: ['finance', 'compliance'], isDemo: false };

const korn = await person('4', 'passkey', ['finance']);
const tan = await person('3', 'passkey', ['compliance'], 'Ed25519');
const fah = await person('5', 'device', ['finance']);
const mai = await person('1', 'passkey', ['support']);
const demo = await person('6', 'demo', ['finance']);
const eve = await person('4', 'passkey', ['finance']);

describe('a vote', () => {
  it.each([
    ['a passkey of P-256', korn],
    ['a passkey of Ed25519', tan],
    ['a device’s key', fah],
  ])('counts by the signature of %s', async (_what, who) => {
    expect(await verifyVote(await who.vote(on()), on(), [trusted(who)], RULES)).toBeNull();
  });

  it('by a demo’s key counts only in a demo', async () => {
    const vote = await demo.vote(on());
    expect(await verifyVote(vote, on(), [trusted(demo)], { ...RULES, isDemo: true })).toBeNull();
    expect(await verifyVote(vote, on(), [trusted(demo)], RULES)).toBe('demo_key');
  });

  const elsewhere = '22222222-2222-4222-8222-222222222222';
  const other = '{"amount":"99000000000"}';
  it.each<[string, string, () => Promise<CastVote>, VoteSubject?, TrustedVoter[]?]>([
    ['of another approval', 'challenge_differs', () => korn.vote(on(), { signs: { id: elsewhere } })],
    ['of another decision', 'challenge_differs', () => korn.vote(on(), { signs: { decision: 'reject' } })],
    [
      'on another content',
      'challenge_differs',
      () => korn.vote(on(), { signs: { fingerprint: toHex(sha256(utf8Bytes(other))) } }),
    ],
    ['about another subject', 'challenge_differs', () => korn.vote(on(), { signs: { subject: 'W-2' } })],
    ['of another kind', 'challenge_differs', () => korn.vote(on(), { signs: { kind: 'withdrawal_lost' } })],
    ['as another person', 'challenge_differs', () => korn.vote(on(), { signs: { operator: '5' } })],
    [
      'of a device about another approval',
      'signature_wrong',
      () => fah.vote(on(), { signs: { id: elsewhere } }),
      on(),
      [trusted(fah)],
    ],
    ['whose content was exchanged', 'content_differs', () => korn.vote(on()), { ...on(), content: other }],
    ['by an operator without the role', 'role_missing', () => mai.vote(on()), on(), [trusted(mai)]],
    ['after the removal', 'removed', () => korn.vote(on(), { atMs: 500 }), on(), [trusted(korn, { untilMs: 500 })]],
    [
      'before the registration',
      'not_yet_registered',
      () => korn.vote(on(), { atMs: 499 }),
      on(),
      [trusted(korn, { grants: [{ roles: ['finance'], fromMs: 500 }] })],
    ],
    ['by an unknown key', 'key_unknown', () => eve.vote(on())],
    ['by a known key for somebody else', 'key_of_another', async () => ({ ...(await korn.vote(on())), operator: '5' })],
    [
      'by another key under a known id',
      'signature_wrong',
      async () => ({ ...(await eve.vote(on())), key: voterIdOf(korn.voter.key) }),
    ],
    ['without the person’s face, finger or PIN', 'person_not_verified', () => korn.vote(on(), { flags: 1 })],
    ['without the person’s presence', 'person_not_verified', () => korn.vote(on(), { flags: 4 })],
    ['for another host', 'party_differs', () => korn.vote(on(), { party: 'evil.example' })],
    ['on another host’s page', 'party_differs', () => korn.vote(on(), { origin: 'https://evil.example' })],
    ['that is a registration', 'proof_malformed', () => korn.vote(on(), { type: 'webauthn.create' })],
    ['without a proof', 'proof_malformed', async () => ({ ...(await korn.vote(on())), proof: '{}' })],
    [
      'with a second spelling',
      'proof_malformed',
      async () => ({ ...(await korn.vote(on())), proof: ` ${(await korn.vote(on())).proof}` }),
    ],
    [
      'with a device’s proof for a passkey',
      'proof_malformed',
      async () => ({ ...(await fah.vote(on())), operator: '4', key: voterIdOf(korn.voter.key) }),
    ],
  ])('is refused: %s', async (_what, fault, vote, what = on(), voters = [trusted(korn)]) => {
    expect(await verifyVote(await vote(), what, voters, RULES)).toBe(fault);
  });

  it('from before a key’s removal still counts', async () => {
    const vote = await korn.vote(on(), { atMs: 499 });
    expect(await verifyVote(vote, on(), [trusted(korn, { untilMs: 500 })], RULES)).toBeNull();
  });

  it('is refused if any byte of its proof differs', async () => {
    const vote = await korn.vote(on());
    const said = JSON.parse(vote.proof) as Record<string, string>;
    for (const name of Object.keys(said)) {
      const text = said[name] ?? '';
      for (const at of [0, 5, Math.floor(text.length / 2), text.length - 2]) {
        const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
        const proof = canonicalText({ ...said, [name]: changed });
        expect(await verifyVote({ ...vote, proof }, on(), [trusted(korn)], RULES), `${name} ${at}`).not.toBeNull();
      }
    }
  });
});

describe('an act of one person', () => {
  const act: ActSubject = { act: 'deposit.match', subject: 'D-1', fingerprint: 'ab'.repeat(32), stepUp: 's1' };
  const rules = { ...RULES, roles: ['finance'] };

  it('is valid with their signature', async () => {
    expect(await verifyAct(await fah.act(act), act, [trusted(fah)], rules)).toBeNull();
  });

  it.each<[string, string, Partial<ActSubject>]>([
    ['of another act', 'signature_wrong', { act: 'balance.attest' }],
    ['about another subject', 'signature_wrong', { subject: 'D-2' }],
    ['of other content', 'signature_wrong', { fingerprint: 'cd'.repeat(32) }],
    ['that is used a second time', 'signature_wrong', { stepUp: 's2' }],
  ])('is refused with a signature %s', async (_what, fault, change) => {
    expect(await verifyAct(await fah.act(act), { ...act, ...change }, [trusted(fah)], rules)).toBe(fault);
  });

  it('is not valid with the signature of a vote, by another person, or without the role', async () => {
    expect(await verifyAct(await fah.vote(on()), act, [trusted(fah)], rules)).toBe('signature_wrong');
    const forged = { ...(await fah.act(act)), operator: '4' };
    expect(await verifyAct(forged, act, [trusted(fah), trusted(korn)], rules)).toBe('key_of_another');
    expect(await verifyAct(await fah.act(act), act, [trusted(fah)], RULES)).toBeNull();
    expect(await verifyAct(await fah.act(act), act, [trusted(fah)], { ...RULES, roles: ['admin'] })).toBe(
      'role_missing',
    );
  });
});

describe('the keys that count', async () => {
  const arun = await person('7', 'passkey', ['admin']);
  const dao = await person('8', 'device', ['admin']);
  const NONE = { keys: new Map(), operators: new Map() };
  const register = async (
    { voter }: Person,
    by: readonly Person[],
    { atMs = 1_000, over = {} }: { atMs?: number; over?: Partial<VoterRegistration> } = {},
  ): Promise<RegistrationBallot> => {
    const what = on({
      kind: VOTER_APPROVAL,
      subject: voterIdOf(voter.key),
      content: writeVoter({ ...voter, ...over }),
      id: `3333333${atMs % 10}-1111-4111-8111-${voterIdOf(voter.key).slice(0, 12)}`,
    });
    return { on: what, votes: await Promise.all(by.map((one, n) => one.vote(what, { atMs: atMs + n }))) };
  };
  const pinned = [arun.voter, dao.voter];
  const trust = async (registrations: readonly RegistrationBallot[], ends = NONE, isDemo = false) =>
    (await trustVoters(pinned, registrations, ends, isDemo)).map(({ operator, kind }) => `${operator} ${kind}`);

  it('are pinned, or registered by two trusted administrators, link by link in any order', async () => {
    const ant = await person('9', 'passkey', ['admin']);
    const [first, second] = [await register(ant, [arun, dao]), await register(korn, [ant, dao], { atMs: 2_000 })];
    expect(await trust([second, first])).toEqual(['7 passkey', '8 device', '9 passkey', '4 passkey']);
    // Without the first link, the second has no trusted signer.
    expect(await trust([second])).toEqual(['7 passkey', '8 device']);
    // An administrator's key does not count before its registration.
    const early = await register(tan, [ant, dao], { atMs: 900 });
    expect(await trust([first, early])).not.toContain('3 passkey');
  });

  const two = ['7 passkey', '8 device'];
  it.each<[string, () => Promise<RegistrationBallot>]>([
    ['one administrator', () => register(korn, [arun])],
    ['one administrator, twice', () => register(korn, [arun, arun])],
    ['people who are no administrators', () => register(korn, [tan, fah])],
    ['itself and one administrator', () => register(eve, [eve, arun])],
    [
      'forged votes',
      async () => {
        const [real, fake] = [await register(korn, [arun, dao]), await register(korn, [eve, mai])];
        return { on: real.on, votes: real.votes.map((vote, n) => ({ ...vote, proof: fake.votes[n]?.proof ?? '' })) };
      },
    ],
    [
      'votes on another registration',
      async () => ({ ...(await register(korn, [arun, dao])), votes: (await register(tan, [arun, dao])).votes }),
    ],
    [
      'votes on the same key for another person',
      async () => {
        const { votes } = await register(korn, [arun, dao]);
        return { on: (await register(korn, [], { over: { operator: '5' } })).on, votes };
      },
    ],
    [
      'a subject that is not the key',
      async () => {
        const made = await register(korn, []);
        const what = { ...made.on, subject: voterIdOf(tan.voter.key) };
        return { on: what, votes: [await arun.vote(what), await dao.vote(what)] };
      },
    ],
    [
      'an approval of another kind',
      async () => {
        const made = await register(korn, []);
        const what = { ...made.on, kind: 'operator_role' };
        return { on: what, votes: [await arun.vote(what), await dao.vote(what)] };
      },
    ],
    [
      'two who reject',
      async () => {
        const made = await register(korn, []);
        const votes = await Promise.all([arun, dao].map((one) => one.vote(made.on, { decision: 'reject' })));
        return { on: made.on, votes };
      },
    ],
  ])('are not registered by %s', async (_what, registering) => {
    expect(await trust([await registering()])).toEqual(two);
  });

  it('of a removed administrator register nothing afterwards', async () => {
    const made = await register(korn, [arun, dao], { atMs: 5_000 });
    const removed = (atMs: number) => ({ keys: new Map(), operators: new Map([['8', atMs]]) });
    expect(await trust([made], removed(5_001))).toEqual(two);
    expect(await trust([made], removed(6_000))).toContain('4 passkey');
    const lost = { keys: new Map([[voterIdOf(arun.voter.key), 4_000]]), operators: new Map() };
    expect(await trust([made], lost)).toEqual(two);
  });

  it('of a demo are trusted only in a demo', async () => {
    const admins = [await person('7', 'demo', ['admin']), await person('8', 'demo', ['admin'])];
    const made = await register(korn, admins);
    const pins = admins.map(({ voter }) => voter);
    expect(await trustVoters(pins, [made], NONE, true)).toHaveLength(3);
    expect(await trustVoters(pins, [made], NONE, false)).toHaveLength(2);
  });

  it('change their roles by another registration, from then on', async () => {
    const [first, second] = [
      await register(korn, [arun, dao]),
      await register(korn, [arun, dao], { atMs: 3_003, over: { roles: ['support'] } }),
    ];
    const voters = await trustVoters(pinned, [first, second], NONE, false);
    expect(await verifyVote(await korn.vote(on(), { atMs: 2_000 }), on(), voters, RULES)).toBeNull();
    expect(await verifyVote(await korn.vote(on(), { atMs: 9_000 }), on(), voters, RULES)).toBe('role_missing');
  });

  it('never change their owner', async () => {
    const made = await register(arun, [arun, dao], { over: { operator: '66' } });
    expect(await trust([made])).toEqual(two);
  });

  it('are parsed from exactly one text', () => {
    const body = writeVoter(korn.voter);
    expect(readVoter(body)).toEqual(korn.voter);
    for (const other of [
      body.replace('passkey', 'phone'),
      body.replace('"4"', '4'),
      ` ${body}`,
      body.replace('voter/1', 'voter/2'),
      body.replace('"roles"', '"more":"","roles"'),
      body.replace(korn.voter.key, korn.voter.key.slice(2)),
    ])
      expect(readVoter(other), other).toBeUndefined();
  });
});
