import { randomUUID } from 'node:crypto';
import {
  approveApproval,
  type Call,
  closeIncident,
  editUser,
  listFame,
  listIncidents,
  openIncident,
  readApproval,
  readFigures,
  readStatus,
  readUser,
  updateIncident,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

const TEXTS = { text_en: 'Withdrawals are slower than usual.', text_th: 'การถอนช้ากว่าปกติ' };

interface Case {
  readonly id: string;
  readonly closed_at: string | null;
  readonly closing: string | null;
}

describe('the public status', () => {
  let platform: TestPlatform;
  let mai: string;
  let arun: string;
  let dao: string;
  const act = (call: Call, fields: TestForm, token: string) =>
    proposed(platform, call, fields, { token, 'idempotency-key': randomUUID() });
  const read = async (call: Call, headers: TestForm = {}) => (await platform.send(call, {}, headers)).answer.data;
  const open = async (severity: string): Promise<Case> => {
    const answer = await act(openIncident, { severity, parts: 'withdrawals', ...TEXTS }, mai);
    expect(answer.ret, answer.msg).toBe(1);
    return answer.data as unknown as Case;
  };
  const closeInDatabase = async (id: string, approval: string | null) =>
    (
      await platform.test.database.query<{ done: boolean }>(
        { name: '', text: 'SELECT status.close_incident($1, $2) AS done' },
        [id, approval],
      )
    )[0]?.done;

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
    mai = (await signInDemoOperator(platform, 'mai')).token;
    arun = (await signInDemoOperator(platform, 'arun')).token;
    dao = (await signInDemoOperator(platform, 'dao')).token;
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('states how each price is made and that the promise is kept', async () => {
    const status = await read(readStatus);
    expect(status).toMatchObject({ origin: 'sim', halted_by: null, incidents: [], last_incident_at: null });
    expect(status.withdrawals).toMatchObject({ waiting: 0, longest_waiting_minutes: null, late: 0 });
    const [coin] = status.coins as { sources: unknown[]; head: { hash: string } | null }[];
    expect(coin?.sources.length).toBeGreaterThan(0);
    expect(coin?.head?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is readable without a script, in the reader’s language', async () => {
    const answer = await fetch(new URL('/status', platform.url), { headers: { 'accept-language': 'ar' } });
    const html = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('BTC');
    expect(html).toContain('لم يُوقف شيء');
    expect(html).not.toContain('<script');
  });

  it('adds up pauses within the last 30 days and lists current ones', async () => {
    const pause = (id: string, subject: string, from: string, to: string | null) =>
      runAsOwner(
        platform.test.owner,
        `SET session_replication_role = replica;
         INSERT INTO pauses.pause (id, kind, subject, texts, started_at, started_by, ended_at, approval)
         VALUES ('${id}', 'coin', '${subject}', '{"en": "x", "th": "x"}', now() - interval '${from}', 1,
           ${to === null ? 'NULL, NULL' : `now() - interval '${to}', '${id}'`})`,
      );
    const ids = [1, 2, 3, 4].map(() => randomUUID());
    await pause(ids[0] ?? '', 'DOGE', '31 days', '29 days');
    await pause(ids[1] ?? '', 'DOGE', '3 hours', '2 hours');
    await pause(ids[2] ?? '', 'TRX', '1 hour', null);
    await pause(ids[3] ?? '', 'ADA', '40 days', '35 days');
    const { pauses } = (await read(readFigures)) as unknown as {
      pauses: { subject: string; times: number; seconds: number; since: string | null }[];
    };
    expect(pauses.map(({ subject, times, since }) => [subject, times, since !== null])).toEqual([
      ['DOGE', 2, false],
      ['TRX', 1, true],
    ]);
    const [doge, trx] = pauses.map(({ seconds }) => seconds);
    expect(Math.abs((doge ?? 0) - 25 * 3_600)).toBeLessThan(30);
    expect(Math.abs((trx ?? 0) - 3_600)).toBeLessThan(30);
    await runAsOwner(platform.test.owner, 'SET session_replication_role = replica; DELETE FROM pauses.pause');
  });

  it('states a demo’s money as test money', async () => {
    const { solvency } = (await read(readFigures)) as unknown as { solvency: { evidence: string }[] };
    expect(new Set(solvency.map(({ evidence }) => evidence))).toEqual(new Set(['test']));
  });

  it('names nobody in the hall of fame who has not agreed', async () => {
    const token = await platform.signIn(DEMO_CUSTOMER);
    expect(await read(readUser, { token })).toMatchObject({ public_wins: false });
    expect((await act(editUser, { public_wins: 'true' }, token)).ret).toBe(1);
    expect(await read(readUser, { token })).toMatchObject({ public_wins: true });
    const fame = await read(listFame);
    // The customer agreed to be shown but has won nothing.
    expect(fame).toMatchObject({ consenting: 1, items: [] });
  });

  it('shows the text of an incident in the reader’s language', async () => {
    const { id } = await open('degraded');
    await act(updateIncident, { id, text_en: 'Half of them are sent.', text_th: 'ส่งแล้วครึ่งหนึ่ง' }, mai);
    const incidentsIn = async (lang: string) =>
      (await read(readStatus, { lang })) as unknown as {
        state: string;
        incidents: { updates: { text: string }[] }[];
      };
    expect((await incidentsIn('th')).incidents[0]?.updates.map(({ text }) => text)).toEqual([
      'ส่งแล้วครึ่งหนึ่ง',
      TEXTS.text_th,
    ]);
    // A text without a Hindi translation is shown in English.
    const hindi = await incidentsIn('hi');
    expect(hindi).toMatchObject({ state: 'degraded' });
    expect(hindi.incidents[0]?.updates[0]?.text).toBe('Half of them are sent.');

    const updates = await Promise.all([mai, arun, dao].map((token) => act(updateIncident, { id, ...TEXTS }, token)));
    expect(updates.map(({ ret }) => ret)).toEqual([1, 1, 1]);
    expect((await act(closeIncident, { id, ...TEXTS }, mai)).ret).toBe(0);
    expect((await act(closeIncident, { id, ...TEXTS }, arun)).data.closed_at).not.toBeNull();
    expect((await act(closeIncident, { id, ...TEXTS }, arun)).data.code).toBe('incident_closed');
    expect((await act(updateIncident, { id, ...TEXTS }, mai)).data.code).toBe('incident_closed');
    const unknown = await act(updateIncident, { id: randomUUID(), ...TEXTS }, mai);
    expect(unknown.data.code).toBe('incident_unknown');
  });

  it('refuses texts that ask for a secret or name a site, and an eleventh incident within an hour', async () => {
    const asks = { ...TEXTS, text_th: 'กรุณาส่งรหัสผ่านให้เจ้าหน้าที่' };
    const refused = { ret: 0, data: { code: 'text_asks_for_secret', fields: { text_th: expect.any(String) } } };
    expect(await act(openIncident, { severity: 'notice', parts: 'app', ...asks }, dao)).toMatchObject(refused);
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => act(openIncident, { severity: 'notice', parts: 'app', ...TEXTS }, dao)),
    );
    expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(10);
    expect(answers.filter(({ data }) => data.code === 'hour_budget_spent')).toHaveLength(4);
    for (const { data } of answers.filter(({ ret }) => ret === 1)) {
      expect(await act(updateIncident, { id: String(data.id), ...asks }, dao)).toMatchObject(refused);
      expect(await act(closeIncident, { id: String(data.id), ...asks }, dao)).toMatchObject(refused);
      expect((await act(closeIncident, { id: String(data.id), ...TEXTS }, dao)).ret).toBe(1);
    }
  });

  it('opens no incident without English and Thai', async () => {
    const answer = await act(openIncident, { severity: 'notice', parts: 'app', text_en: 'Something.' }, mai);
    expect(answer.data.fields).toHaveProperty('text_th');
  });

  it('needs two people to close an outage, also in the database', async () => {
    const { id } = await open('outage');
    expect(await read(readStatus)).toMatchObject({ state: 'outage' });
    expect(await closeInDatabase(id, null)).toBe(false);
    expect(await closeInDatabase(id, randomUUID())).toBe(false);

    const asked = await act(closeIncident, { id, text_en: 'It is over.', text_th: 'เรียบร้อยแล้ว' }, arun);
    expect(asked.data).toMatchObject({ closed_at: null });
    const approval = String(asked.data.closing);
    expect((await act(closeIncident, { id, ...TEXTS }, dao)).data.code).toBe('already_waiting');
    expect(await closeInDatabase(id, approval)).toBe(false);

    const approve = async (token: string) => {
      const fingerprint = String(
        (await platform.send(readApproval, { id: approval }, { token })).answer.data.fingerprint,
      );
      const step_up = await insertConfirmedStepUp(platform, token, {
        op: 'approval.approve',
        id: approval,
        fingerprint,
      });
      return act(approveApproval, { id: approval, fingerprint, step_up }, token);
    };
    expect((await approve(arun)).data.code).toBe('maker_cannot_check');
    const approved = await approve(dao);
    expect(approved.ret, approved.msg).toBe(1);
    const { items } = (await read(listIncidents, { token: mai })) as unknown as { items: Case[] };
    expect(items.find((each) => each.id === id)?.closed_at).not.toBeNull();
    expect((await read(readStatus)).last_incident_at).not.toBeNull();
    expect((await findViolations(platform.test.checker)).map(({ invariant }) => invariant)).toEqual([]);
  });
});
