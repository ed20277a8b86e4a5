import { certifyCustomer, readCertification } from '@sathorn/api';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestIdentity, type TestIdentity } from '../testing-identity.ts';

const ID_CARD = { type: 'id_card', name: 'Nicha Phromsiri', number: '1 1017 00230 70 8', birth_date: '1990-01-31' };
const PASSPORT = { type: 'passport', name: 'Nicha Phromsiri', number: 'AA1234567', birth_date: '1990-01-31' };
const MAI = { id: 7n, workName: 'mai', sessionId: 's' };
const TAN = { id: 8n, workName: 'tan', sessionId: 's' };

let room: TestIdentity;
let mali: Awaited<ReturnType<TestIdentity['signUp']>>;
let photo: Buffer;
beforeAll(async () => {
  room = await openTestIdentity();
  photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#aabbcc' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => room.close());
beforeEach(async () => {
  room.clock.advance(3 * 3_600_000);
  mali = await room.signUp();
});

/** A passport number for each customer, so that tests don't share documents. */
const own = (who = mali) => ({ ...PASSPORT, number: `P${String(who.id).slice(-8)}` });
const ask = (fields: Record<string, string>, who = mali) => room.call(certifyCustomer, fields, { token: who.token });
const read = async (who = mali) => (await room.call(readCertification, {}, { token: who.token })).data;
const reviews = () => room.certifications.reviews;
const waitingId = async (): Promise<string> => {
  const rows = await reviews().list({ level: null, isWaiting: true, after: null, limit: 50 });
  return rows.find(({ customer }) => customer === mali.id)?.id ?? '';
};
async function upload(who = mali, bytes = photo): Promise<string> {
  const kept = await room.files.keepPicture(who.id, bytes, room.clock.now());
  if (!kept.ok) throw new Error(kept.refusal);
  return kept.effect.id;
}
const approve = async (fields: { id?: string; version?: number; isMasked?: boolean } = {}, by = MAI) =>
  reviews().approve(by, { id: await waitingId(), version: 0, isMasked: true, ...fields }, room.clock.now());
async function verifyPrimary(fields: Record<string, string> = own()): Promise<void> {
  expect((await ask({ level: 'primary', ...fields })).refusal).toBeNull();
  expect(await approve()).toEqual({ ok: true, effect: null });
}
async function askAdvanced(change: Record<string, string> = {}) {
  const [front, selfie] = [await upload(), await upload()];
  return ask({ level: 'advanced', ...own(), expires: '2041-05-01', front, selfie, ...change });
}

describe('primary', () => {
  it('S4.6 is under review until an operator decides, and answers the number masked', async () => {
    expect((await read()).primary).toMatchObject({ state: 'none', number: null });
    const { data } = await ask({ level: 'primary', ...own() });
    expect(data.primary).toMatchObject({ state: 'review', name: 'Nicha Phromsiri', is_final: false });
    expect(data.primary.number).toMatch(/^•+\d{4}$/);
    expect((await ask({ level: 'primary', ...own() })).refusal).toBe('certification_in_review');
    await approve();
    expect((await read()).primary).toMatchObject({ state: 'verified', decided_by: 'operator 7' });
    expect((await ask({ level: 'primary', ...own() })).refusal).toBe('certification_done');
    expect(await room.certifications.certifiedNames(mali.id)).toEqual(['Nicha Phromsiri']);
    const [notice] = (await room.messages.list(mali.id, 'all', undefined, { language: 'en' })).items;
    expect(notice?.title).toBe('Primary certification verified');
  });

  it.each([
    ['field_required', 'type', { type: '' }],
    ['field_required', 'name', { name: '' }],
    ['field_required', 'number', { number: '' }],
    ['field_required', 'birth_date', { birth_date: '' }],
    ['malformed_request', 'level', { level: 'third' }],
    ['real_name_malformed', 'name', { name: '<b>Nicha</b>' }],
    ['id_number_short', 'number', { number: '1 1017 00230' }],
    ['id_number_checksum', 'number', { number: '1101700230705' }],
    ['number_malformed', 'number', { type: 'passport', number: '12' }],
    ['birth_date_malformed', 'birth_date', { birth_date: '1990-02-30' }],
    ['birth_date_malformed', 'birth_date', { birth_date: '9999-12-31' }],
    ['under_age', 'birth_date', { birth_date: '2020-06-01' }],
    ['under_age', 'birth_date', { birth_date: '2563-06-01' }],
  ])('%s names %s', async (refusal, field, change) => {
    expect(await ask({ level: 'primary', ...ID_CARD, ...change })).toMatchObject({ ret: 0, refusal, fields: [field] });
    expect((await read()).primary.state).toBe('none');
  });

  it('shows the Gregorian date of a birth date that was typed in the Buddhist era', async () => {
    const { data } = await ask({ level: 'primary', ...own(), birth_date: '2533-01-31' });
    expect(data.primary.birth_date).toBe('1990-01-31');
  });

  it('that is sent twice at once is stored once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => ask({ level: 'primary', ...own() })));
    expect(answers.filter(({ refusal }) => refusal === null)).toHaveLength(1);
  });

  it('stores no personal data in the database as text', async () => {
    await ask({ level: 'primary', ...ID_CARD });
    const rows = await room.sql<object>(
      `SELECT id, encode(sealed, 'escape') AS sealed, encode(digest, 'escape') AS digest FROM certifications.application`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/Phromsiri|1101700230708|1990-01-31/);
  });
});

describe('one person has one account', () => {
  it('a document that was verified for a customer is not verified for another', async () => {
    const shared = own();
    await verifyPrimary(shared);
    mali = await room.signUp();
    // The answer does not reveal whether a number belongs to another customer.
    expect((await ask({ level: 'primary', ...shared })).refusal).toBeNull();
    const review = await reviews().read(await waitingId(), room.clock.now());
    expect(review?.checks).toContainEqual({ code: 'no_other_account', isPassed: false });
    expect(await approve()).toEqual({ ok: false, refusal: 'duplicate_person' });
    expect((await read()).primary.state).toBe('review');
  });

  it('of two that are approved at once with one document, only one is', async () => {
    const shared = own();
    await ask({ level: 'primary', ...shared });
    const first = await waitingId();
    mali = await room.signUp();
    await ask({ level: 'primary', ...shared });
    const second = await waitingId();
    const decided = await Promise.all([approve({ id: first }, MAI), approve({ id: second }, TAN)]);
    expect(decided.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe('advanced', () => {
  it('S4.7 requires primary, with the message of the specification', async () => {
    expect(await askAdvanced()).toMatchObject({
      refusal: 'primary_required',
      msg: 'Please complete primary certification first',
    });
  });

  it('takes a card that is valid for life, and says so to the reviewer', async () => {
    const card = { ...ID_CARD, number: '3100600123468' };
    await verifyPrimary(card);
    const { data } = await askAdvanced({ ...card, back: await upload(), expires: 'for_life' });
    expect(data).toMatchObject({ advanced: { state: 'review' } });
    const review = await reviews().read(await waitingId(), room.clock.now());
    expect(review?.checks).toContainEqual({ code: 'not_expired', isPassed: true });
  });

  it.each([
    ['field_required', 'expires', { expires: '' }],
    ['expiry_malformed', 'expires', { type: 'passport', number: 'AA1234567', expires: 'for_life' }],
    ['expiry_malformed', 'expires', { expires: '2041-13-01' }],
    ['document_expired', 'expires', { expires: '2020-01-01' }],
    ['document_expired', 'expires', { expires: '2560-05-05' }],
    ['expiry_malformed', 'expires', { expires: '9999-12-31' }],
    ['expiry_malformed', 'expires', { expires: '2900-05-05' }],
    ['side_missing', 'selfie', { selfie: '' }],
    ['picture_unknown', 'front', { front: 'A'.repeat(22) }],
  ])('%s names %s', async (refusal, field, change) => {
    await verifyPrimary();
    expect(await askAdvanced(change)).toMatchObject({ refusal, fields: [field] });
    expect((await read()).advanced.state).toBe('none');
  });

  it('does not accept somebody else’s picture', async () => {
    await verifyPrimary();
    const other = await room.signUp();
    expect(await askAdvanced({ front: await upload(other) })).toMatchObject({
      refusal: 'picture_unknown',
      fields: ['front'],
    });
  });

  it('G3 shows its pictures to their owner only, without the camera’s metadata', async () => {
    await verifyPrimary();
    const bytes = await sharp(photo)
      .withExif({ IFD3: { GPSLatitude: '13/1 45/1 0/1' }, IFD0: { Make: 'CameraMaker' } })
      .jpeg()
      .toBuffer();
    const polyglot = Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]);
    const front = await upload(mali, bytes);
    expect((await askAdvanced({ front })).refusal).toBeNull();
    const kept = await room.files.keepPicture(mali.id, polyglot, room.clock.now());
    if (!kept.ok) throw new Error(kept.refusal);
    expect((await room.files.readPicture(mali.id, kept.effect.id))?.includes('<script')).toBe(false);
    const { pictures } = (await read()).advanced;
    expect(pictures.map(({ side }) => side)).toEqual(['front', 'selfie']);
    const id = pictures[0]?.id ?? '';
    // The upload is deleted; the picture is stored again as a document, encrypted with a key of its customer.
    expect(await room.files.readPicture(mali.id, front)).toBeNull();
    const shown = (await room.files.readPicture(mali.id, id)) ?? Buffer.alloc(0);
    expect((await sharp(shown).metadata()).exif).toBeUndefined();
    expect(shown.includes('CameraMaker')).toBe(false);
    const other = await room.signUp();
    expect(await room.files.readPicture(other.id, id)).toBeNull();
  });

  it('is returned with reasons, and then accepts only the picture that was refused', async () => {
    await verifyPrimary();
    await askAdvanced();
    const before = (await read()).advanced.pictures;
    const sent = { id: await waitingId(), version: 0, reasons: ['picture_glare'] as const, sides: ['selfie'] as const };
    expect(await reviews().sendBack(MAI, { ...sent, sides: [] }, room.clock.now())).toMatchObject({
      refusal: 'side_missing',
    });
    expect(await reviews().sendBack(MAI, sent, room.clock.now())).toEqual({ ok: true, effect: null });
    expect((await read()).advanced).toMatchObject({ state: 'rejected', reasons: ['picture_glare'], sides: ['selfie'] });
    expect(await ask({ level: 'advanced' })).toMatchObject({ refusal: 'side_missing', fields: ['selfie'] });
    room.clock.advance(60_000);
    expect((await ask({ level: 'advanced', selfie: await upload() })).refusal).toBeNull();
    const { state, pictures, name } = (await read()).advanced;
    expect([state, name]).toEqual(['review', 'Nicha Phromsiri']);
    const fileOf = (side: string, of = pictures) => of.find((picture) => picture.side === side)?.id;
    expect(fileOf('front')).toBe(fileOf('front', before));
    expect(fileOf('selfie')).not.toBe(fileOf('selfie', before));
  });

  it('of an identity card is approved only when its private fields are covered', async () => {
    const card = { ...ID_CARD, number: '3100600123450' };
    await verifyPrimary(card);
    await askAdvanced({ ...card, back: await upload() });
    expect(await approve({ isMasked: false })).toMatchObject({ refusal: 'mask_missing' });
    expect(await approve()).toMatchObject({ ok: true });
    expect(await room.certifications.certifiedOf(room.test.database, mali.id)).toBe('advanced');
  });
});

describe('a decision', () => {
  it('on a stale view is refused, and of two at once only one takes effect', async () => {
    await ask({ level: 'primary', ...own() });
    const id = await waitingId();
    expect(await approve({ id, version: 1 })).toMatchObject({ refusal: 'version_stale', params: { version: '0' } });
    const sent = { id, version: 0, reasons: ['name_differs'] as const, sides: [] };
    const decided = await Promise.all([
      approve({ id }),
      reviews().sendBack(TAN, sent, room.clock.now()),
      reviews().sendBack(MAI, sent, room.clock.now()),
    ]);
    expect(decided.filter(({ ok }) => ok)).toHaveLength(1);
    expect(room.log.filter(({ on, what }) => on.id === id && what !== 'certification.picture_opened')).toHaveLength(1);
  });

  it('can’t be changed afterwards, even by a faulty program', async () => {
    await verifyPrimary();
    await expect(
      room.test.database.query({
        name: 'undo a decision',
        text: `UPDATE certifications.application SET state = 'review', decided_at = NULL, decided_by = NULL WHERE customer = ${mali.id}`,
      }),
    ).rejects.toThrow('was decided');
  });

  it('that rejects for good allows no further application', async () => {
    await ask({ level: 'primary', ...own() });
    const id = await waitingId();
    const decided = await room.test.database.transaction((transaction) =>
      reviews().refuse(transaction, MAI, { id, version: 0, reason: 'document_forged' }, room.clock.now()),
    );
    expect(decided).toMatchObject({ ok: true });
    expect((await read()).primary).toMatchObject({ state: 'rejected', is_final: true, reasons: ['document_forged'] });
    expect((await ask({ level: 'primary', ...own() })).refusal).toBe('certification_refused');
  });
});

describe('an operator who looks at a picture', () => {
  let id: string;
  beforeEach(async () => {
    await verifyPrimary();
    await askAdvanced();
    id = await waitingId();
  });
  const open = (by = MAI, side: 'front' | 'back' = 'front') => reviews().open(by, id, side, room.clock.now());
  const ticketOf = async (by = MAI): Promise<string> => {
    const opened = await open(by);
    if (!opened.ok) throw new Error(opened.refusal);
    return opened.effect.ticket;
  };

  it('G4 sees it once, within a minute, watermarked with their name, and the customer finds the view in the log', async () => {
    const ticket = await ticketOf();
    expect(await reviews().look(TAN, ticket, room.clock.now())).toBeNull();
    const seen = await reviews().look(MAI, ticket, room.clock.now());
    const { data } = await sharp(seen ?? Buffer.alloc(0))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The original picture had one colour; the watermark adds others.
    expect(new Set(data).size).toBeGreaterThan(10);
    expect(await reviews().look(MAI, ticket, room.clock.now())).toBeNull();
    const late = await ticketOf();
    room.clock.advance(60_000);
    expect(await reviews().look(MAI, late, room.clock.now())).toBeNull();
    expect(room.log).toContainEqual(
      expect.objectContaining({
        what: 'certification.picture_opened',
        customer: mali.id,
        on: { kind: 'certification', id },
      }),
    );
  });

  it('opens at most thirty an hour, also when they are opened at once', async () => {
    const nok = { id: 9n, workName: 'nok', sessionId: 's' };
    const opened = await Promise.all(Array.from({ length: 34 }, () => open(nok)));
    expect(opened.filter(({ ok }) => ok)).toHaveLength(30);
    expect(opened.find(({ ok }) => !ok)).toMatchObject({ refusal: 'hour_budget_spent' });
    room.clock.advance(3_600_001);
    expect((await open(nok)).ok).toBe(true);
  });

  it('finds nothing under an unknown id', async () => {
    expect(await open(MAI, 'back')).toMatchObject({ refusal: 'picture_unknown' });
    expect(await reviews().open(MAI, 'A'.repeat(22), 'front', room.clock.now())).toMatchObject({
      refusal: 'certification_unknown',
    });
  });
});
