import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { readSecrets } from '../../platform/secrets.ts';
import { insertConfirmedStepUp, signInDemoOperator } from '../../whole/testing-operators.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

describe('a payout that the signer may not pay alone, over HTTP', () => {
  let platform: TestPlatform;
  let customer = '';
  let target = '';
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-release-'));
  const staff: Record<string, string> = {};
  beforeAll(async () => {
    const folder = path.join(dataDir, 'signer');
    mkdirSync(folder);
    const limits = { hour: '75000000', day: '75000000', new_address: '50000000' };
    writeFileSync(
      path.join(folder, 'budget.json'),
      JSON.stringify({ limits, spent: [], newest: new Date().toISOString() }),
    );
    // Simulates the first start with authorisations: earlier requests have none.
    const { publicKeyHex } = ed25519Signer(readSecrets(dataDir).authorisationKey);
    const since = new Date(Date.now() + 3_600_000).toISOString();
    writeFileSync(path.join(folder, 'authorisation.json'), JSON.stringify({ keys: [publicKeyHex], since }));
    platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100', DATA_DIR: dataDir });
    customer = await platform.signIn(DEMO_CUSTOMER);
    for (const name of ['korn', 'ploy']) staff[name] = (await signInDemoOperator(platform, name)).token;
    const { wallets } = (await get('GET /users/bank', customer)) as unknown as { wallets: { id: string }[] };
    target = wallets[0]?.id ?? '';
  });
  afterAll(async () => {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ask = async (route: string, token: string, fields: TestForm = {}): Promise<Envelope> =>
    (await platform.send(route, fields, { token, 'idempotency-key': randomUUID() })).answer;
  const get = async (route: string, token: string, fields: TestForm = {}): Promise<Envelope['data']> => {
    const answer = await ask(route, token, fields);
    if (answer.ret !== 1) throw new Error(`${route}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  interface Case {
    readonly step: string;
    readonly version: number;
    readonly waits: { readonly for: string } | null;
    readonly decision: {
      readonly approval: string;
      readonly fingerprint: string;
      readonly what: string;
      readonly need: number;
    } | null;
  }
  const info = async (id: string): Promise<Case> =>
    (await get('GET /admin/withdrawals/info', staff.korn ?? '', { id })) as unknown as Case;
  const until = async (id: string, isDone: (seen: Case) => boolean): Promise<Case> => {
    for (let n = 0; n < 600; n += 1) {
      const seen = await info(id);
      if (isDone(seen)) return seen;
      await pause(100);
    }
    throw new Error(`it never happened: ${JSON.stringify(await info(id))}; ${platform.faults.map(String).join('; ')}`);
  };
  const decide = async (
    name: string,
    id: string,
    decision: 'approve' | 'reject',
    more: TestForm = {},
  ): Promise<Envelope> => {
    const { version, decision: open } = await info(id);
    const { approval = '', fingerprint = '' } = open ?? {};
    const step_up = await insertConfirmedStepUp(platform, staff[name] ?? '', {
      op: `approval.${decision}`,
      id: approval,
      fingerprint,
    });
    const fields = { id, version: String(version), fingerprint, step_up, ...more };
    return ask(`POST /admin/withdrawals/${decision}`, staff[name] ?? '', fields);
  };
  const withdraw = async (amount: number): Promise<string> => {
    const order = { channel: 'testnet', target, amount: String(amount), paypass: DEMO_CUSTOMER.paypass };
    return String((await get('POST /users/extract', customer, order)).id);
  };

  it('is released by two people beyond the budget, and then paid', async () => {
    const id = await withdraw(90);
    const waiting = await until(id, ({ decision }) => decision !== null);
    expect(waiting).toMatchObject({
      step: 'approved',
      waits: { for: 'budget' },
      decision: { what: 'payout_release', need: 2 },
    });
    expect(await decide('korn', id, 'approve')).toMatchObject({ ret: 1, data: { step: 'approved' } });
    await pause(2_500);
    expect(await info(id)).toMatchObject({ step: 'approved' });
    expect(await decide('ploy', id, 'approve')).toMatchObject({ ret: 1 });
    expect(await until(id, ({ step }) => step === 'done')).toMatchObject({ waits: null });
  });

  it('is rejected by one person with a reason, and amount and fee are back', async () => {
    const available = async (): Promise<unknown> =>
      (
        await platform.test.database.query(
          {
            name: '',
            text: `SELECT (credits_posted - debits_posted - debits_held)::text AS units FROM ledger.account a JOIN customers.customer c ON c.id = a.owner
                   WHERE c.username = $1 AND a.code = 1000 AND a.asset = 'USDT'`,
          },
          [DEMO_CUSTOMER.username],
        )
      )[0];
    const before = await available();
    // The wallet is known because it was paid before, but this exceeds the hourly budget.
    const id = await withdraw(80);
    await until(id, ({ decision }) => decision !== null);
    expect(await available()).not.toEqual(before);
    expect(await decide('ploy', id, 'reject', { reason: 'address_risk' })).toMatchObject({
      ret: 1,
      data: { step: 'returned' },
    });
    expect(await available()).toEqual(before);
  });

  it('from before authorisations continues with two people, each of two', async () => {
    const ids = [await withdraw(60), await withdraw(70)];
    for (const id of ids)
      await runAsOwner(
        platform.test.owner,
        `SET session_replication_role = replica; DELETE FROM withdrawals.authorisation WHERE withdrawal_id = '${id}';
         UPDATE withdrawals.withdrawal SET created_at = '2026-01-01' WHERE id = '${id}'`,
      );
    for (const id of ids) {
      await until(id, ({ waits, decision }) => waits?.for === 'authorisation' && decision !== null);
      for (const name of ['korn', 'ploy']) expect(await decide(name, id, 'approve')).toMatchObject({ ret: 1 });
      await until(id, ({ step }) => step === 'done');
    }
  });
});
