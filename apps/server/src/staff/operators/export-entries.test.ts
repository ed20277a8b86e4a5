import { randomUUID } from 'node:crypto';
import { type Call, exportEntries, readExport, readProofKeys } from '@sathorn/api';
import { type AuditFile, isAuditFile, type ProofKey, verifyAuditFile } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

const DAY_MS = 24 * 60 * 60_000;
const at = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('a piece of the log as a file', () => {
  let platform: TestPlatform;
  const tokens: Record<string, string> = {};
  const ask = async (who: string, call: Call, fields: TestForm) =>
    (await platform.send(call, fields, { token: tokens[who] ?? '', 'idempotency-key': randomUUID() })).answer;
  const wanted = { since: at(-DAY_MS), until: at(DAY_MS), reason: 'for the auditor' };
  const exported = async (who: string, over: TestForm = {}) => {
    const { data, ret, msg } = await ask(who, exportEntries, { ...wanted, ...over });
    expect(ret, msg).toBe(1);
    return { ticket: String(data.url).split('ticket=')[1] ?? '', count: Number(data.count) };
  };
  const fileOf = async (who: string, ticket: string) => {
    const { data, ret, msg } = await ask(who, readExport, { ticket });
    expect(ret, msg).toBe(1);
    const file: unknown = JSON.parse(String(data.file));
    if (!isAuditFile(file)) throw new Error('this is no file of the log');
    return file;
  };
  const judge = async (file: AuditFile) => {
    const { answer } = await platform.send(readProofKeys);
    return verifyAuditFile(file, (answer.data as unknown as { keys: ProofKey[] }).keys);
  };

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
    for (const name of ['mai', 'ploy', 'tan', 'arun']) tokens[name] = (await signInDemoOperator(platform, name)).token;
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('is signed with a published key, and states its query', async () => {
    const { ticket, count } = await exported('ploy');
    const file = await fileOf('ploy', ticket);
    expect(file.entries).toHaveLength(count);
    expect(await judge(file)).toMatchObject({ ok: true, head: { made_by: 'ploy', count: String(count) } });
    const less = { ...file, entries: file.entries.slice(1) };
    expect(await judge(less)).toMatchObject({ fault: 'entries_differ' });
    // The exported file contains only the digests of free text.
    const again = await fileOf('arun', (await exported('arun', { what: 'audit' })).ticket);
    expect(again.entries.length).toBeGreaterThan(0);
    for (const { text } of again.entries) expect(text).toContain('"what":"audit.exported"');
    expect(JSON.stringify(again)).not.toContain('for the auditor');
    expect(await judge(again)).toMatchObject({ ok: true, head: { filter: { what: 'audit' } } });
  });

  it('has an address that works for one person, once', async () => {
    const { ticket } = await exported('ploy');
    expect((await ask('tan', readExport, { ticket })).data.code).toBe('export_unknown');
    expect((await ask('mai', readExport, { ticket })).data.code).toBe('role_missing');
    const all = await Promise.all(Array.from({ length: 5 }, () => ask('ploy', readExport, { ticket })));
    expect(all.map(({ ret }) => ret).toSorted()).toEqual([0, 0, 0, 0, 1]);
    const late = await exported('ploy');
    expect((await ask('ploy', readExport, { ticket: 'A'.repeat(43) })).data.code).toBe('export_unknown');
    expect((await ask('ploy', readExport, { ticket: late.ticket })).ret).toBe(1);
  });

  it('has a limit, and needs a reason', async () => {
    const code = async (over: TestForm) => (await ask('ploy', exportEntries, { ...wanted, ...over })).data;
    expect(await code({ since: at(-32 * DAY_MS), until: at(0) })).toMatchObject({ code: 'range_too_wide' });
    expect(await code({ since: at(0), until: at(-1) })).toMatchObject({ code: 'range_too_wide' });
    expect(await code({ reason: ' ' })).toMatchObject({ fields: { reason: expect.anything() } });
  });

  it('is limited to twenty per hour and operator, also for simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask('ploy', exportEntries, wanted)));
    const refused = answers.filter(({ ret }) => ret !== 1);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    for (const { data } of refused) expect(data).toMatchObject({ code: 'hour_budget_spent', params: { max: '20' } });
    expect((await ask('ploy', exportEntries, wanted)).data.code).toBe('hour_budget_spent');
  });
});
