import { randomUUID } from 'node:crypto';
import {
  approveApproval,
  type Call,
  listActivities,
  listContents,
  listMessages,
  listUnreadMessages,
  markMessagesRead,
  parseMarks,
  publishContent,
  readActivity,
  readConfig,
  readContent,
  readRules,
  rejectApproval,
  saveContent,
  takeDownContent,
  uploadContentPicture,
  writeMarks,
} from '@sathorn/api';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { peopleForContent } from './contents.ts';

let platform: TestPlatform;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  platform = await openTestPlatform({});
  for (const name of ['bua', 'ploy', 'tan', 'arun']) tokens[name] = (await signInDemoOperator(platform, name)).token;
  tokens.nicha = await platform.signIn(DEMO_CUSTOMER);
  tokens.anan = await platform.signIn({ username: 'anan', password: 'Rama8Bridge' });
});
afterAll(async () => {
  await platform.close();
});

const as = (who: string, call: Call, fields: TestForm = {}, lang = 'en'): Promise<Envelope> =>
  proposed(platform, call, fields, { token: tokens[who] ?? '', lang, 'idempotency-key': randomUUID() });
const tree = (marks: string): string => JSON.stringify(parseMarks(marks));

interface Draft {
  readonly id: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly people: number;
  readonly status: string;
  readonly waiting: {
    approval: string;
    fingerprint: string;
    published: { version: number; texts: { lang: string; body: Parameters<typeof writeMarks>[0] }[] } | null;
  } | null;
  readonly checks: { code: string; ok: boolean; lang: string | null; words: string[] }[];
}
const draftOf = ({ ret, msg, data }: Envelope): Draft => {
  if (ret !== 1) throw new Error(`${msg} ${JSON.stringify(data)}`);
  return data as unknown as Draft;
};

/** Writes texts in Thai and English, with settings if the kind has a picture. */
async function write(
  kind: string,
  words: Record<string, { title: string; summary?: string; body?: string }>,
): Promise<Draft> {
  let draft: Draft | null = null;
  for (const [lang, { body, ...rest }] of Object.entries(words)) {
    const fields = { kind, lang, version: String(draft?.version ?? 0), ...(draft && { id: draft.id }), ...rest };
    draft = draftOf(await as('bua', saveContent, { ...fields, ...(body !== undefined && { body: tree(body) }) }));
  }
  if (!draft) throw new Error('no words');
  if (kind === 'notice') return draft;
  const { id, version } = draft;
  const settings = { kind, id, version: String(version), lang: 'settings', picture: '@banner-verify' };
  return draftOf(await as('bua', saveContent, settings));
}
const publish = (draft: Draft, more: TestForm = {}): Promise<Envelope> => {
  const { id, version, fingerprint } = draft;
  const fields = { id, version: String(version), fingerprint, from: new Date().toISOString() };
  return as('bua', publishContent, { ...fields, missing: 'accepted', ...more });
};
async function publishAlone(draft: Draft, more: TestForm = {}): Promise<Envelope> {
  const of = { op: 'content.publish', id: draft.id, fingerprint: draft.fingerprint };
  return publish(draft, { step_up: await insertConfirmedStepUp(platform, tokens.bua ?? '', of), ...more });
}
async function decide(
  who: string,
  draft: Draft,
  call: typeof approveApproval | typeof rejectApproval,
): Promise<Envelope> {
  const { approval: id = '', fingerprint = '' } = draft.waiting ?? {};
  const op = call === approveApproval ? 'approval.approve' : 'approval.reject';
  const step_up = await insertConfirmedStepUp(platform, tokens[who] ?? '', { op, id, fingerprint });
  return as(who, call, { id, fingerprint, step_up, ...(call === rejectApproval && { reason: 'not yet' }) });
}
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const running = async (who = '', lang = 'en') =>
  (await as(who, listActivities, {}, lang)).data.lists as { id: string; title: string; is_over: boolean }[];

describe('rules of a product', () => {
  const listed = async (): Promise<Draft> => {
    const { items } = (await as('bua', listContents, { kinds: 'rules_liquidity' })).data as unknown as {
      items: { id: string }[];
    };
    return draftOf(await as('bua', readContent, { id: items[0]?.id ?? '' }));
  };
  const shown = async (lang = 'en') =>
    (await as('', readRules, { of: 'liquidity' }, lang)).data as unknown as {
      content: string;
      hash: string;
      next: { from: string; note: string; content: string } | null;
    };
  const rewrite = async (draft: Draft & { texts: Text[] }, change: (marks: string) => string): Promise<Draft> => {
    let { version } = draft;
    let saved: Draft = draft;
    for (const { lang, title, body } of draft.texts) {
      const fields = { kind: 'rules_liquidity', id: draft.id, version: String(version), lang, title };
      saved = draftOf(await as('bua', saveContent, { ...fields, body: tree(change(writeMarks(body))) }));
      version = saved.version;
    }
    return saved;
  };
  interface Text {
    readonly lang: string;
    readonly title: string;
    readonly body: Parameters<typeof writeMarks>[0];
  }

  it('are changed by two people, with a notice, and never against the terms', async () => {
    const before = await shown();
    expect(before).toMatchObject({ next: null });
    const draft = (await listed()) as Draft & { texts: Text[] };
    expect(draft).toMatchObject({ people: 2, status: 'published', notice_days: 7 });
    expect(draft.texts).toHaveLength(6);
    expect(JSON.stringify(draft)).toContain('{quick}');

    const typed = await rewrite(draft, (marks) => marks.replace('{quick}', '99,000,000 USDT'));
    expect(typed.checks.filter(({ ok }) => !ok).map(({ code }) => code)).toEqual(
      expect.arrayContaining(['value_missing', 'figure_typed']),
    );
    expect((await publish(typed, { from: inDays(9) })).data.code).toBe('rules_values_wrong');

    const good = await rewrite({ ...draft, version: typed.version }, (marks) => `${marks}\n\n## More\n\nAsk us.`);
    expect((await publish(good)).data.code).toBe('notice_too_short');
    expect((await publish(good, { from: inDays(7) })).data.code).toBe('notice_too_short');
    const asked = draftOf(await publish(good, { from: inDays(8) }));
    // The second person compares it with what customers read today.
    expect(asked.waiting?.published?.version).toBe(draft.version);
    const today = asked.waiting?.published?.texts ?? [];
    expect(today.map(({ lang, body }) => [lang, writeMarks(body)]).sort()).toEqual(
      draft.texts.map(({ lang, body }) => [lang, writeMarks(body)]).sort(),
    );
    expect((await shown()).next).toBeNull();
    expect((await decide('ploy', asked, approveApproval)).ret).toBe(1);

    const after = await shown();
    expect(after.hash).toBe(before.hash);
    expect(after.next?.content).toContain('11. More\nAsk us.');
    expect(after.next?.content).toContain('30,000,000 USDT');
    const { items } = (await as('nicha', listMessages, { status: 'all' })).data as unknown as {
      items: { title: string; content: string }[];
    };
    expect(items[0]?.title).toContain('rules of liquidity');
    expect(items[0]?.content).toBe(after.next?.note);
    expect((await as('arun', takeDownContent, { id: draft.id, reason: 'no' })).data.code).toBe('kind_stays');
    expect((await findViolations(platform.test.checker)).map(({ invariant }) => invariant)).toEqual([]);
  });

  it('begin no earlier than announced, also in the database', async () => {
    const sooner = `UPDATE content.publication SET published_at = now(), from_at = now() WHERE kind = 'rules_liquidity' AND made_by IS NOT NULL`;
    await expect(runAsOwner(platform.test.owner, sooner)).rejects.toThrow(/not changed|too soon/);
    const planted = `SET session_replication_role = replica;
      UPDATE content.publication SET from_at = now() WHERE kind = 'rules_liquidity' AND made_by IS NOT NULL`;
    await runAsOwner(platform.test.owner, planted);
    const found = (await findViolations(platform.test.checker)).map(({ invariant }) => invariant);
    expect(found).toContain('CT4');
    // The rules are now in force under their own hash, by which receipts find them.
    await expect.poll(async () => (await shown()).content).toContain('11. More');
    const { hash } = await shown('th');
    const kept = await as('', readRules, { of: 'liquidity', hash }, 'th');
    expect(JSON.stringify(kept.data)).toContain('11. More');
    await runAsOwner(
      platform.test.owner,
      planted.replace(
        'from_at = now()',
        `from_at = (SELECT (content::jsonb ->> 'from')::timestamptz FROM operators.approval a WHERE a.id = publication.approval)`,
      ),
    );
  });
});

describe('an activity', () => {
  it('is written, published by one person if it has no figures, read, and taken down', async () => {
    const draft = await write('activity', {
      th: { title: 'ทดสอบ', summary: 'สรุป', body: 'ข้อความ **หนา**' },
      en: { title: 'A test', summary: 'Short', body: 'Words in **bold**' },
    });
    expect(draft).toMatchObject({ people: 1, status: 'draft' });
    expect((await running()).map(({ id }) => id)).not.toContain(draft.id);

    expect((await publish(draft)).data.code).toBe('step_up_required');
    expect(draftOf(await publishAlone(draft)).status).toBe('published');
    expect((await running()).find(({ id }) => id === draft.id)?.title).toBe('A test');
    // There is no Hindi text, so the text in the brand's own language is shown.
    expect((await running('', 'hi')).find(({ id }) => id === draft.id)?.title).toBe('ทดสอบ');
    expect((await as('nicha', readActivity, { id: draft.id })).data).toMatchObject({
      content: [{ kind: 'paragraph', inlines: [{ text: 'Words in ' }, { text: 'bold', bold: true }] }],
    });

    expect((await as('arun', takeDownContent, { id: draft.id, reason: 'over' })).ret).toBe(1);
    expect((await running()).map(({ id }) => id)).not.toContain(draft.id);
    expect((await as('', readActivity, { id: draft.id })).data.code).toBe('activity_unknown');
    expect((await as('arun', takeDownContent, { id: draft.id, reason: 'over' })).data.code).toBe('not_published');
  });

  it('with figures waits for a second person, who is not its maker', async () => {
    const draft = await write('welfare', { th: { title: 'ลด ๒๐%', summary: 's', body: 'ข้อความ' } });
    expect(draft.people).toBe(2);
    const asked = draftOf(await publish(draft));
    expect(asked.status).toBe('waiting');
    expect((await publish(draft)).data.code).toBe('approval_waits');
    expect((await running()).map(({ id }) => id)).not.toContain(draft.id);
    expect((await decide('ploy', asked, approveApproval)).ret).toBe(1);
    expect((await running()).map(({ id }) => id)).toContain(draft.id);
  });

  it('that was changed after it was sent can’t be approved any more', async () => {
    const draft = await write('activity', { th: { title: 'หนึ่ง 1', summary: 's', body: 'ข้อความ' } });
    const asked = draftOf(await publish(draft));
    const fields = { kind: 'activity', id: draft.id, version: String(draft.version), lang: 'th' };
    const changed = draftOf(
      await as('bua', saveContent, { ...fields, title: 'สอง 2', summary: 's', body: tree('อื่น') }),
    );
    expect(changed).toMatchObject({ status: 'draft', waiting: null });
    expect((await decide('ploy', asked, approveApproval)).data.code).toBe('already_decided');
    expect((await as('bua', saveContent, { ...fields, title: 'สาม' })).data.code).toBe('version_stale');
    expect((await publish(draft)).data.code).toBe('version_stale');
  });

  it('for a level is shown to that level alone', async () => {
    const draft = await write('activity', { th: { title: 'ระดับ', summary: 's', body: 'ข้อความ' } });
    draftOf(await publishAlone(draft, { audience: 'level:0' }));
    expect((await running('nicha')).map(({ id }) => id)).toContain(draft.id);
    expect((await running()).map(({ id }) => id)).not.toContain(draft.id);
  });

  it('ends at its time, and stays in the list as ended', async () => {
    const draft = await write('activity', { th: { title: 'สั้น', summary: 's', body: 'ข้อความ' } });
    draftOf(await publishAlone(draft, { to: new Date(Date.now() + 2_500).toISOString() }));
    await expect.poll(async () => (await running()).find(({ id }) => id === draft.id)?.is_over).toBe(true);
  });
});

describe('refusals', () => {
  const base = { kind: 'activity', lang: 'en', version: '0', title: 'T' };
  it.each([
    ['a script', '[{"kind":"script","inlines":[{"text":"alert(1)"}]}]', 'markup_refused'],
    ['an event handler', '[{"kind":"paragraph","inlines":[{"text":"x","onclick":"alert(1)"}]}]', 'markup_refused'],
    ['HTML instead of a tree', '<img src=x onerror=alert(1)>', 'markup_refused'],
    ['deep nesting', `${'['.repeat(9_000)}${']'.repeat(9_000)}`, 'markup_refused'],
    [
      'a javascript: link',
      '[{"kind":"paragraph","inlines":[{"text":"x","link":"javascript:alert(1)"}]}]',
      'link_refused',
    ],
    ['another host', '[{"kind":"paragraph","inlines":[{"text":"x","link":"https://evil.example/"}]}]', 'link_refused'],
    ['a long text', JSON.stringify([{ kind: 'paragraph', inlines: [{ text: 'x'.repeat(6_000) }] }]), 'text_too_long'],
    ['another’s picture', `[{"kind":"picture","id":"${'A'.repeat(22)}","alt":""}]`, 'picture_unknown'],
    ['a picture of the file system', '[{"kind":"picture","id":"../../secret","alt":""}]', 'markup_refused'],
  ])('%s', async (_what, body, code) => {
    expect((await as('bua', saveContent, { ...base, body })).data.code).toBe(code);
  });

  it('markup in titles stays text, without bidi and control characters', async () => {
    const title = '<script>alert(1)</script>\u202e\u0007ok';
    const draft = draftOf(await as('bua', saveContent, { ...base, title, body: tree('<b onclick=x>y</b>') }));
    const { data } = await as('ploy', readContent, { id: draft.id });
    expect(JSON.stringify(data)).toContain('<script>alert(1)</script>ok');
    for (const hidden of ['\u202e', '\u0007'])
      expect(JSON.stringify(data)).not.toContain(JSON.stringify(hidden).slice(1, -1));
  });

  it('a promise, in any language and however it is hidden', async () => {
    const draft = await write('activity', {
      th: { title: 'กำไร', summary: 'การ\u200dันตี', body: 'ข้อความ **guaran**teed' },
    });
    expect(draft.checks.find(({ code }) => code === 'promise_in_text')).toMatchObject({ ok: false, lang: 'th' });
    expect((await publishAlone(draft)).data.code).toBe('promise_in_text');
  });

  it('a missing language that nobody accepted, an unknown customer, a wrong end', async () => {
    const draft = await write('activity', { th: { title: 'ก', summary: 's', body: 'ข้อความ' } });
    const { id, version, fingerprint } = draft;
    const plain = { id, version: String(version), fingerprint };
    expect((await as('bua', publishContent, plain)).data.code).toBe('language_missing');
    expect((await publish(draft, { to: inDays(-1) })).data.code).toBe('times_wrong');
    expect((await publish(draft, { audience: 'customer:5' })).data.code).toBe('audience_unknown');
    expect((await publish(draft, { fingerprint: 'a'.repeat(64) })).data.code).toBe('fingerprint_stale');
    const english = draftOf(await as('bua', saveContent, { ...base, body: tree('x') }));
    expect((await publish(english)).data.code).toBe('language_missing');
  });
});

describe('a notice', () => {
  const unread = async (who: string, lang = 'en') => {
    const { data } = await as(who, listUnreadMessages, {}, lang);
    return { count: Number(data.unread), items: data.items as { id: string; title: string; body: unknown }[] };
  };

  it('to everyone needs two people, is one row, is read by each alone, and ends when it is taken down', async () => {
    const before = { nicha: (await unread('nicha')).count, anan: (await unread('anan')).count };
    const draft = await write('notice', {
      th: { title: 'ปิดปรับปรุง', body: 'ระบบหยุด **ชั่วคราว**' },
      ar: { title: 'صيانة', body: 'يتوقف النظام' },
    });
    expect((await publish(draft)).data.code).toBe('end_missing');
    const asked = draftOf(await publish(draft, { to: inDays(3) }));
    expect((await decide('tan', asked, approveApproval)).ret).toBe(1);

    const seen = await unread('nicha', 'ar');
    expect(seen.items[0]).toMatchObject({ title: 'صيانة', body: [{ kind: 'paragraph' }] });
    expect(seen.count).toBe(before.nicha + 1);
    const id = seen.items[0]?.id ?? '';
    expect((await as('nicha', markMessagesRead, { ids: id })).data.unread).toBe(before.nicha);
    expect((await as('nicha', markMessagesRead, { ids: id })).data.unread).toBe(before.nicha);
    expect((await unread('anan')).count).toBe(before.anan + 1);
    const { data: listed } = await as('nicha', listMessages, { status: 'all' });
    expect((listed.items as { id: string; status: string }[]).find((one) => one.id === id)?.status).toBe('read');
    expect((await as('bua', readContent, { id: draft.id })).data.readers).toBe(1);

    expect((await as('bua', takeDownContent, { id: draft.id, reason: 'a mistake' })).ret).toBe(1);
    expect((await unread('anan')).count).toBe(before.anan);
    const { data: after } = await as('nicha', listMessages, { status: 'all' });
    expect(JSON.stringify(after)).not.toContain(id);
  });

  it('is sent by the application’s login neither before its approval, nor with other words, readers or times', async () => {
    const text = 'SELECT messages.send_broadcast($1, $2, $3, NULL, now(), $4)';
    const asked = draftOf(await publish(await write('notice', { th: { title: 'คืนนี้', body: 'x' } }), { to: inDays(1) }));
    const [row] = await platform.test.database.query<{ id: string; to_at: Date; texts: string }>(
      {
        name: '',
        text: `SELECT id, to_at, (content::jsonb -> 'texts')::text AS texts FROM content.publication WHERE entry = $1`,
      },
      [asked.id],
    );
    if (!row) throw new Error('nothing is to be published');
    const send = (texts: string, level: number | null, ends: Date) =>
      platform.test.database.query({ name: '', text }, [row.id, texts, level, ends]);
    await expect(send(row.texts, null, row.to_at)).rejects.toThrow('is not what was published');
    expect((await decide('ploy', asked, approveApproval)).ret).toBe(1);
    await send(row.texts, null, row.to_at);
    for (const [texts, level, ends] of [
      [row.texts.replace('คืนนี้', 'Pay here'), null, row.to_at],
      [row.texts.replace('"x"', '"y"'), null, row.to_at],
      [row.texts, 3, row.to_at],
      [row.texts, null, new Date(inDays(9))],
    ] as const)
      await expect(send(texts, level, ends)).rejects.toThrow('is not what was published');
    // The rules that come with the software were approved by nobody, and no notice of them was ever sent.
    const shipped = await platform.test.database.query<{ id: string; from_at: Date }>({
      name: '',
      text: `SELECT id, from_at FROM content.publication WHERE kind LIKE 'rules%' AND made_by IS NULL AND published_at IS NOT NULL`,
    });
    expect(shipped.length).toBeGreaterThan(0);
    for (const { id, from_at } of shipped)
      await expect(
        platform.test.database.query({ name: '', text }, [
          ...[id, row.texts, null, new Date(from_at.getTime() + 14 * 86_400_000)],
        ]),
      ).rejects.toThrow('is not what was published');
  });

  it('pages as one list with the customer’s own, nothing twice and nothing lost', async () => {
    for (let n = 0; n < 3; n += 1) {
      const asked = draftOf(
        await publish(await write('notice', { th: { title: `ข่าว ${n}`, body: 'x' } }), { to: inDays(1) }),
      );
      expect((await decide('ploy', asked, approveApproval)).ret).toBe(1);
    }
    const { data } = await as('anan', listMessages, { status: 'all' });
    const all = (data.items as { id: string; title: string }[]).map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
    const { data: rest } = await as('anan', listMessages, { status: 'all', page: all[0] ?? '' });
    expect((rest.items as { id: string }[]).map(({ id }) => id)).toEqual(all.slice(1));
    expect((await as('anan', markMessagesRead, { ids: 'all' })).data.unread).toBe(0);
    expect((await unread('anan')).items).toEqual([]);
  });

  it('to one customer is theirs alone, and one person may send it', async () => {
    const { data: user } = await as('nicha', { ...readConfig, method: 'GET', path: '/users/info' } as unknown as Call);
    const draft = await write('notice', { th: { title: 'ถึงคุณ', body: 'x' } });
    draftOf(await publishAlone(draft, { to: inDays(1), audience: `customer:${String(user.id)}` }));
    expect((await unread('nicha')).items[0]?.title).toBe('ถึงคุณ');
    expect((await unread('anan')).items.map(({ title }) => title)).not.toContain('ถึงคุณ');
    // Nobody checked the notice to one customer, so a notice to everyone is not compared with it.
    expect(draftOf(await publish(draft, { to: inDays(1) })).waiting?.published).toBeNull();

    const lure = { th: { title: 'ถึงคุณ', body: 'กรุณาแจ้งรหัสผ่านของคุณ' } };
    const only = { to: inDays(1), audience: `customer:${String(user.id)}` };
    expect((await publishAlone(await write('notice', lure), only)).data.code).toBe('text_asks_for_secret');
  });

  it('that was rejected reaches nobody', async () => {
    const asked = draftOf(await publish(await write('notice', { th: { title: 'ไม่', body: 'x' } }), { to: inDays(1) }));
    expect((await decide('arun', asked, rejectApproval)).ret).toBe(1);
    expect((await unread('nicha')).items.map(({ title }) => title)).not.toContain('ไม่');
  });
});

it('a picture is decoded and encoded again, and served to anybody by its id', async () => {
  const form = new FormData();
  const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#5d43e4' } })
    .png()
    .toBuffer();
  form.append('image', new Blob([new Uint8Array(png)]), 'x.png');
  const { answer } = await platform.send(uploadContentPicture, form, {
    token: tokens.bua ?? '',
    'idempotency-key': randomUUID(),
  });
  expect(answer.data).toMatchObject({ width: 40, height: 20 });
  const response = await fetch(platform.url + String(answer.data.url));
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(response.headers.get('cache-control')).toContain('immutable');
  expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(40);
  expect((await fetch(`${platform.url}/pictures/content/${'B'.repeat(22)}.webp`)).status).toBe(404);
});

it.each(['50', '𝟓𝟎', '৫০', '½', '①', '⁵', '‰'])('counts %s as a figure, which takes two people', async (figure) => {
  const texts = {
    th: { title: 'x', summary: '', body: [{ kind: 'paragraph' as const, inlines: [{ text: figure }] }] },
  };
  expect(peopleForContent('activity', 'all', texts)).toBe(2);
  const [row] = await platform.test.database.query<{ people: number }>(
    { name: '', text: `SELECT content.people_for('activity', 'all', $1) AS people` },
    [JSON.stringify({ settings: {}, texts })],
  );
  expect(row?.people).toBe(2);
});

it('the database publishes only what was approved: this publication, for this audience and time', async () => {
  const draft = draftOf(
    await publish(await write('notice', { th: { title: 'เฉพาะนี้', body: 'x' } }), {
      to: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  );
  const { database } = platform.test;
  // Another publication of the same text is inserted beside the approved one.
  await database.query({
    name: '',
    text: `INSERT INTO content.publication (id, entry, kind, content, digest, version, audience, from_at, to_at, people, approval, made_by)
      SELECT 'BBBBBBBBBBBBBBBB', entry, kind, content, digest, version, audience, from_at, to_at + interval '9 days', people, approval, made_by
      FROM content.publication WHERE approval = '${draft.waiting?.approval}'`,
  });
  expect((await decide('tan', draft, approveApproval)).ret).toBe(1);
  const text = `UPDATE content.publication SET published_at = now() WHERE id = 'BBBBBBBBBBBBBBBB'`;
  await expect(database.query({ name: '', text })).rejects.toThrow('nobody approved');
  const clear = `SET session_replication_role = replica; DELETE FROM content.publication WHERE id = 'BBBBBBBBBBBBBBBB'`;
  await runAsOwner(platform.test.owner, clear);
});

it('a take-down that meets the second vote takes the text down', async () => {
  const draft = draftOf(
    await publish(await write('notice', { th: { title: 'สองทาง', body: 'x' } }), {
      to: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  );
  const owner = new pg.Client(platform.test.owner);
  await owner.connect();
  await owner.query('BEGIN');
  await owner.query('SELECT FROM operators.approval WHERE id = $1 FOR UPDATE', [draft.waiting?.approval]);
  // The vote and the take-down wait for the approval's row, the vote first.
  const voted = decide('tan', draft, approveApproval);
  const waiting = async (n: number) =>
    expect
      .poll(async () => {
        const { rows } = await owner.query<{ n: number }>(
          `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows[0]?.n;
      })
      .toBe(n);
  await waiting(1);
  const taken = as('bua', takeDownContent, { id: draft.id, reason: 'a mistake' });
  await waiting(2);
  await owner.query('COMMIT');
  await owner.end();
  expect([(await voted).ret, (await taken).ret]).toEqual([1, 1]);
  const [row] = await platform.test.database.query<{ shown: number }>({
    name: '',
    text: `SELECT count(*)::integer AS shown FROM content.publication WHERE entry = '${draft.id}' AND published_at IS NOT NULL AND taken_down_at IS NULL`,
  });
  expect(row?.shown).toBe(0);
});

it('the database requires the agreement of two people for each publication that needs it', async () => {
  const draft = await write('notice', { th: { title: 'ข้าม', body: 'x' } });
  const insert = (columns: string, values: string, after = 'SELECT 1') =>
    platform.test.database.transaction(async (transaction) => {
      await transaction.query({
        name: '',
        text: `INSERT INTO content.publication (id, entry, kind, content, digest, version, audience, from_at, to_at, people, ${columns})
               SELECT 'AAAAAAAAAAAAAAAA', '${draft.id}', 'notice', t, sha256(convert_to(t, 'UTF8')), ${draft.version}, 'all', now(), now() + interval '1 day', ${values}
               FROM (SELECT '{"settings":{},"texts":{}}'::text AS t) x`,
      });
      await transaction.query({ name: '', text: after });
    });
  await expect(insert('made_by, published_at', '1, 6, now()')).rejects.toThrow(/too few people/);
  await expect(insert('made_by, published_at', '2, 6, now()')).rejects.toThrow(/waits for a second/);
  await expect(insert('made_by, published_at', '1, NULL, now()')).rejects.toThrow(/has a maker/);
  const waiting = `2, 6, '${randomUUID()}'`;
  const publishIt = `UPDATE content.publication SET published_at = now() WHERE id = 'AAAAAAAAAAAAAAAA'`;
  await expect(insert('made_by, approval', waiting, publishIt)).rejects.toThrow(/nobody approved/);
  const change = `UPDATE content.version SET content = '{}'`;
  await expect(insert('made_by, approval', waiting, change)).rejects.toThrow(/permission denied/);
});
