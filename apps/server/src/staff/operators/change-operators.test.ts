import { randomUUID } from 'node:crypto';
import {
  approveApproval,
  type Call,
  changeRoles,
  finishEnrolment,
  freezeOperator,
  inviteOperator,
  type ListedOperator,
  listOperators,
  readApproval,
  readEnrolmentCode,
  readOperator,
  removeOperator,
  renewAccess,
  startEnrolment,
  unfreezeOperator,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { type Database, openDatabase } from '../../platform/database/index.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { codeOfStep, codeStepAt } from './authenticator.ts';
import { newEnrolmentSecret } from './enrolment.ts';
import { enrolmentHashOf } from './enrolment-code.ts';
import { renewAccessAsOwner } from './operator-store.ts';

const bytesOf = (base32: string): Buffer => {
  const bits = Array.from(base32, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

describe('the operators’ accounts', () => {
  let platform: TestPlatform;
  let owner: Database;
  let arun: string;
  let dao: string;
  const act = (call: Call, fields: TestForm, token: string) =>
    proposed(platform, call, fields, { token, 'idempotency-key': randomUUID() });
  const everybody = async (): Promise<ListedOperator[]> =>
    (await platform.send(listOperators, {}, { token: arun })).answer.data as unknown as ListedOperator[];
  const find = async (name: string): Promise<ListedOperator> => {
    const found = (await everybody()).find(({ work_name: workName }) => workName === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  const approve = async (id: string, token: string) => {
    const { answer } = await platform.send(readApproval, { id }, { token });
    const fingerprint = String(answer.data.fingerprint);
    const step_up = await insertConfirmedStepUp(platform, token, { op: 'approval.approve', id, fingerprint });
    return act(approveApproval, { id, fingerprint, step_up }, token);
  };
  /** Enrols as the invited person, with the maker's half of the secret from the link, and the approver's code. */
  const enrol = async (name: string, link: string, code: string) => {
    const half = new URLSearchParams(new URL(link).hash.split('?')[1]).get('secret') ?? '';
    const secret = code === '' ? half : `${half}.${code}`;
    const { answer: begun } = await platform.send(startEnrolment, { username: name, secret });
    if (begun.ret !== 1) return begun;
    const key = bytesOf(String(begun.data.key));
    const fields = {
      username: name,
      secret,
      password: `Bang-Rak-${name}-8`,
      code: codeOfStep(key, codeStepAt(new Date())),
    };
    return (await platform.send(finishEnrolment, fields)).answer;
  };
  const stop = async (call: Call, name: string, token: string, op: string) => {
    const { id, fingerprint } = await find(name);
    const step_up = await insertConfirmedStepUp(platform, token, { op, id, fingerprint });
    return act(call, { id, reason: 'left today', fingerprint, step_up }, token);
  };

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
    owner = openDatabase(platform.test.owner, { connections: 1 });
    arun = (await signInDemoOperator(platform, 'arun')).token;
    dao = (await signInDemoOperator(platform, 'dao')).token;
  });
  afterAll(async () => {
    await owner.close();
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('need two administrators to add an operator, and both halves of the secret, once', async () => {
    const invited = await act(inviteOperator, { work_name: 'nok', roles: 'support,finance', reason: 'starts' }, arun);
    expect(invited.ret, invited.msg).toBe(1);
    const { approval, link } = invited.data as { approval: string; link: string };
    expect(link).toMatch(/#\/enrol\/nok\?secret=/);
    // Nobody can enrol before the approval, even with the maker's half, and the maker cannot approve.
    expect((await enrol('nok', link, '')).data.code).toBe('enrolment_wrong');
    expect((await approve(approval, arun)).data.code).toBe('maker_cannot_check');
    expect((await act(readEnrolmentCode, { approval }, dao)).data.code).toBe('approval_unknown');

    expect((await approve(approval, dao)).ret).toBe(1);
    expect((await act(readEnrolmentCode, { approval }, arun)).data.code).toBe('approval_unknown');
    const { code } = (await act(readEnrolmentCode, { approval }, dao)).data as { code: string };
    expect((await enrol('nok', link, '')).data.code).toBe('enrolment_wrong');
    expect((await enrol('nok', link, 'A'.repeat(12))).data.code).toBe('enrolment_wrong');
    const entered = await enrol('nok', link, code);
    expect(entered, entered.msg).toMatchObject({ ret: 1, data: { operator: { roles: ['finance', 'support'] } } });
    expect((await enrol('nok', link, code)).data.code).toBe('enrolment_wrong');
    expect((await act(readEnrolmentCode, { approval }, dao)).data.code).toBe('enrolment_over');
    expect(await find('nok')).toMatchObject({ state: 'active', recovery_codes: 10, enrol_until: null });
    // Neither half is stored anywhere.
    const kept = await owner.query<{ text: string }>({
      name: '',
      text: `SELECT content AS text FROM operators.approval UNION ALL SELECT text FROM operators.entry UNION ALL SELECT o::text FROM operators.operator o`,
    });
    const half = new URLSearchParams(new URL(link).hash.split('?')[1]).get('secret') ?? '';
    for (const { text } of kept) for (const secret of [half, code]) expect(text).not.toContain(secret);
  });

  it('refuse a change without effect, a change that is already waiting, and a change of one’s own access', async () => {
    const { id } = await find('arun');
    const nok = await find('nok');
    const rows: [Call, TestForm, string][] = [
      [inviteOperator, { work_name: 'nok', roles: 'support', reason: 'again' }, 'name_taken'],
      [inviteOperator, { work_name: 'pim', roles: 'support', customer: '9999999999', reason: 'x' }, 'customer_unknown'],
      [changeRoles, { id, roles: 'admin,finance', reason: 'for me' }, 'own_role'],
      [renewAccess, { id, reason: 'for me' }, 'own_role'],
      [changeRoles, { id: nok.id, roles: 'support,finance', reason: 'the same' }, 'nothing_changes'],
      [unfreezeOperator, { id: nok.id, reason: 'is not' }, 'nothing_changes'],
      [changeRoles, { id: '987654', roles: 'support', reason: 'nobody' }, 'operator_unknown'],
      [changeRoles, { id: (await find('dao')).id, roles: 'finance', reason: 'too few' }, 'last_admin'],
      [freezeOperator, { id, reason: 'x', fingerprint: (await find('arun')).fingerprint }, 'own_role'],
      [freezeOperator, { id: nok.id, reason: 'x', fingerprint: nok.fingerprint }, 'step_up_required'],
      [freezeOperator, { id: nok.id, reason: 'x', fingerprint: 'ab'.repeat(32) }, 'fingerprint_stale'],
    ];
    for (const [call, fields, code] of rows) {
      const answer = await act(call, fields, arun);
      expect([call.path, answer.ret, answer.data.code]).toEqual([call.path, 0, code]);
    }
    expect((await stop(removeOperator, 'dao', arun, 'operator.remove')).data.code).toBe('last_admin');
  });

  it('change roles with two people, and not by an approval that has expired', async () => {
    const nok = await find('nok');
    const first = await act(changeRoles, { id: nok.id, roles: 'support', reason: 'moves' }, arun);
    const second = await act(changeRoles, { id: nok.id, roles: 'finance', reason: 'other' }, arun);
    expect(second.data.code).toBe('already_waiting');
    expect((await find('nok')).waiting).toEqual([{ kind: 'operator_role', approval: first.data.approval }]);
    // The person is frozen after the proposal, so the approval is outdated.
    expect((await stop(freezeOperator, 'nok', dao, 'operator.freeze')).ret).toBe(1);
    expect((await approve(String(first.data.approval), dao)).data.code).toBe('subject_changed');
    expect(await find('nok')).toMatchObject({ state: 'frozen', roles: ['finance', 'support'] });
  });

  it('lets an approved change happen once, and nothing that was not approved', async () => {
    const app = (text: string, values: unknown[]) => platform.test.database.query({ name: '', text }, values);
    const [used] = await owner.query<{ approval: string }>({
      name: '',
      text: 'SELECT approval FROM operators.applied',
    });
    await expect(app('SELECT operators.apply_change($1)', [used?.approval])).rejects.toThrow(/applied_pkey/);
    const [open] = await owner.query<{ id: string }>({
      name: '',
      text: `SELECT id FROM operators.approval WHERE kind = 'operator_role' AND status = 'waiting'`,
    });
    await expect(app('SELECT operators.apply_change($1)', [open?.id])).rejects.toThrow(/nobody approved/);
    await expect(app(`UPDATE operators.operator SET roles = '{admin}'`, [])).rejects.toThrow(/permission denied/);
    await expect(app('SELECT operators.end_access(1)', [])).rejects.toThrow(/permission denied/);
  });

  it('end a session at once by one person, and re-enrol an operator by two', async () => {
    const { token } = await signInDemoOperator(platform, 'bua');
    expect((await stop(freezeOperator, 'bua', arun, 'operator.freeze')).data).toMatchObject({ state: 'frozen' });
    expect((await platform.send(readOperator, {}, { token })).answer.ret).toBe(-1);
    const { id } = await find('bua');
    const asked = await act(renewAccess, { id, reason: 'lost the phone' }, arun);
    const { approval, link } = asked.data as { approval: string; link: string };
    expect((await approve(approval, dao)).ret).toBe(1);
    expect(await find('bua')).toMatchObject({ state: 'invited', devices: 0, recovery_codes: 0, sessions: 0 });
    const { code } = (await act(readEnrolmentCode, { approval }, dao)).data as { code: string };
    const entered = await enrol('bua', link, code);
    expect(entered, entered.msg).toMatchObject({ ret: 1 });
    expect(await find('bua')).toMatchObject({ state: 'active', roles: ['content'] });
    expect((await stop(removeOperator, 'bua', arun, 'operator.remove')).data).toMatchObject({ state: 'removed' });
    expect((await platform.send(readOperator, {}, { token: String(entered.data.token) })).answer.ret).toBe(-1);
    expect((await act(renewAccess, { id, reason: 'comes back' }, arun)).data.code).toBe('operator_unknown');
  });

  it('re-enrol one of only two administrators by the owner’s command line, and by nothing else', async () => {
    const secret = newEnrolmentSecret();
    const renew = (as: Database, name: string) => renewAccessAsOwner(as, name, enrolmentHashOf(secret), 48);
    await expect(renew(owner, 'fah')).rejects.toThrow(/two other administrators/);
    await expect(renew(owner, 'nobody')).rejects.toThrow(/no operator/);
    await expect(renew(platform.test.database, 'dao')).rejects.toThrow(/permission denied/);
    await renew(owner, 'dao');
    expect(await find('dao')).toMatchObject({ state: 'invited', devices: 0, recovery_codes: 0, sessions: 0 });
    expect((await platform.send(readOperator, {}, { token: dao })).answer.ret).toBe(-1);
    expect(await enrol('dao', `https://c/#/start?secret=${secret}`, '')).toMatchObject({ ret: 1 });
    expect(await find('dao')).toMatchObject({ state: 'active', roles: ['admin'] });
    const [entry] = await owner.query<{ what: string; after: string }>({
      name: '',
      text: `SELECT what, text::jsonb ->> 'after' AS after FROM operators.entry WHERE what = 'operator.access_renewed' ORDER BY n DESC LIMIT 1`,
    });
    expect(entry?.after).toContain('owner');
    expect(await findViolations(platform.test.checker)).toEqual([]);
  });
});
