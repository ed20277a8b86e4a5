import { expect, type Locator, test } from '@playwright/test';
import { APPROVAL_KINDS, type ApprovalKindName } from '@sathorn/api';
import { sampleResult } from '@sathorn/api/testing-results';
import { OPEN, openDesk, SAMPLE_ID } from './desk.ts';

const withdrawn = {
  id: SAMPLE_ID,
  customer: '7062192162',
  channel: 'testnet',
  amount: '12000000000',
  fee: '13000000',
  baht: null,
  payee: 'KTGq3mJenIP5fcr9m8OW1Q',
  chain: 'testnet',
  address: '0x8B4d748FD0Ace46B2b2E64cE1b8063443F267537',
};
const frozen = {
  customer: '7062192162',
  username: 'krit',
  scopes: ['sign_in', 'trading'],
  reason: 'takeover_suspected',
  until_now: '2026-11-28T08:00:00.000Z',
};
const person = { work_name: 'nok', roles_now: ['support'], fingerprint: 'ab'.repeat(32) };
const secret = { invitation: SAMPLE_ID, secret_hash: 'cd'.repeat(32) };

/** The content that the server signs, by kind. */
const CONTENTS: Readonly<Record<ApprovalKindName, Readonly<Record<string, unknown>>>> = {
  certification_refusal: { id: SAMPLE_ID, version: '3', reason: 'document_forged', customer: '7062192162' },
  content: {
    kind: 'notice',
    version: '2',
    digest: 'ef'.repeat(32),
    audience: 'all',
    from: '2026-11-27T08:00:00.000Z',
    to: '',
    publication: 'Zm9vYmFyYmF6cXV4',
    title: '{brand}: bank deposits on 5 December',
    text: 'Banks are closed.',
    languages: ['en', 'th'],
  },
  correction: {
    correction: SAMPLE_ID,
    customer: '7062192162',
    kind: 'goodwill',
    asset: 'USDT',
    units: '15000000',
    house: '31',
    transfer: null,
    deposit: null,
    reason: 'goodwill',
    words: 'An apology',
    case_kind: 'dispute',
    case_id: SAMPLE_ID,
  },
  deposit_match: { deposit: SAMPLE_ID, line: SAMPLE_ID, baht: '15000000' },
  deposit_recovery: {
    deposit: SAMPLE_ID,
    customer: '7062192162',
    plan: 'return',
    reason: 'other_token',
    network: null,
    token: '0x8B4d748FD0Ace46B2b2E64cE1b8063443F267537',
    units: '1000000',
    fee: '0',
    to: null,
  },
  dispute_answer: {
    dispute: SAMPLE_ID,
    order: SAMPLE_ID,
    customer: '7062192162',
    version: '2',
    finding: 'recomputed_same',
    answer: 'We looked at every price again.',
  },
  factor_reset: { request: SAMPLE_ID, customer: '7062192162' },
  freeze_extend: { ...frozen, until: '2026-12-01T08:00:00.000Z' },
  freeze_lift: frozen,
  incident_close: { severity: 'outage', parts: ['deposits'], texts: { en: 'Deposits work again.', th: 'ฝากได้แล้ว' } },
  money_dispute_answer: {
    dispute: SAMPLE_ID,
    order: 'D-261126-ACS2S6EJ',
    customer: '7062192162',
    version: '2',
    finding: 'as_recorded',
    answer: 'It is as recorded.',
    correction: null,
  },
  offer: {
    kind: 'withdrawal',
    subject: 'all',
    version: '8',
    before: { chain_fixed: '1.000000', chain_rate: '0.001', daily_max: '65000.000000' },
    after: { chain_fixed: '2.000000', chain_rate: '0.001', daily_max: '100000.000000' },
    effective_from: '2026-12-02T00:00:00.000Z',
    notice_hours: '24',
  },
  operator_device: { ...person, ...secret, state: 'active', devices: '2' },
  operator_invite: { work_name: 'nok', roles: ['support'], ...secret },
  operator_role: { ...person, roles: ['finance', 'support'] },
  operator_unfreeze: person,
  pause_end: { kind: 'product', subject: 'options', since: '2026-11-25T07:00:00.000Z' },
  payout_foreign: {
    chain: 'testnet',
    hash: '0x6f1d3a9be8c7425f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071',
    nonce: '7',
    to: '0x5a7406e0000000000000000000000000000de305',
    value: '1',
  },
  payout_release: withdrawn,
  payout_return: withdrawn,
  ready_answer: { code: 'slip', version: '2', text_en: 'Please send the slip.', text_th: 'ส่งสลิปได้เลย' },
  restoration_end: {
    restoration: '1',
    since: '2026-11-25T07:00:00.000Z',
    ends_at: '2026-11-25T05:00:00.000Z',
    known_at: '2026-11-25T05:00:10.000Z',
  },
  voting_key: {
    key: '04'.padEnd(130, 'a'),
    kind: 'passkey',
    operator: '7',
    party: 'console.example',
    roles: ['finance'],
    v: 'voter/1',
  },
  withdrawal: withdrawn,
  withdrawal_failed: { ...withdrawn, reason: 'payee_refused_by_bank' },
  withdrawal_lost: { ...withdrawn, lost: '0x6f1d3a9be8c7425f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071' },
  withdrawal_paid: { ...withdrawn, reference: 'KBANK-8812' },
};
/** Kinds whose reason is a code. Other reasons are the maker's own words. */
const CODES = ['certification_refusal', 'correction', 'dispute_answer', 'money_dispute_answer'];
const idOf = (kind: ApprovalKindName): string =>
  `${SAMPLE_ID.slice(0, -2)}${String(APPROVAL_KINDS.indexOf(kind)).padStart(2, '0')}`;

function approvalOf(kind: ApprovalKindName) {
  const content = CONTENTS[kind];
  const isMovement = /^(deposit|withdrawal|payout_re)/.test(kind);
  const isDecidedOnSubject =
    kind.startsWith('withdrawal') || ['payout_release', 'payout_return', 'deposit_match', 'correction'].includes(kind);
  return {
    ...(sampleResult('GET', '/admin/approvals/info', { status: 'waiting', kind, refusal: null }) as object),
    id: idOf(kind),
    subject: kind.startsWith('operator') ? '7' : idOf(kind),
    number: isMovement ? 'W-261126-W9F1W1ZS' : null,
    customer: /^(content|incident|offer|operator|pause|payout_foreign|ready|restoration|voting)/.test(kind)
      ? null
      : OPEN.customer,
    content,
    reason: CODES.includes(kind) ? (content.reason ?? content.finding) : 'Two takeovers in October.',
    votes: [],
    stopped: null,
    may_stop: false,
    effective_from: null,
    decided_at: null,
    need: 1,
    made_by: kind === 'withdrawal' ? null : { id: '9', work_name: 'fah' },
    decided_on: isDecidedOnSubject ? 'subject' : 'approvals',
  };
}

/** Texts that no approval may show: a missing value, an id, a field's or code's name, an unreadable amount. */
const RAW = [
  /\b(null|undefined|NaN)\b|\[object/,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/,
  /\b[a-z]+_[a-z_]+\b/,
  /KTGq3mJ/,
];
const LONG_AMOUNT = /\d\.\d{6}/;
const UNGROUPED = /(?<![\d,.])\d{4,}\.\d/;

/** Returns each text separately, because readers see separate texts. */
const textsIn = (part: Locator): Promise<string> =>
  part.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
    return texts.join('\n');
  });

for (const language of ['en', 'th'])
  test(`each kind of approval is shown in words and decided on its page, in ${language}`, async ({ browser }) => {
    const { page, posted } = await openDesk(browser, { language }, (path, parameters) => {
      if (path === '/admin/approvals/lists')
        return { items: APPROVAL_KINDS.map(approvalOf), next: null, counts: { waiting: 21, made: 0 } };
      const kind = APPROVAL_KINDS.find((one) => idOf(one) === parameters.get('id'));
      if (path === '/admin/approvals/info') return kind && approvalOf(kind);
      return kind === 'deposit_recovery' && path === '/admin/deposits/info'
        ? sampleResult('GET', path, { ...OPEN, step: 'recovery', kind: 'crypto', elsewhere: null })
        : undefined;
    });
    await page.goto('/console/#/approvals');
    await expect(page.locator('.list a')).toHaveCount(APPROVAL_KINDS.length);
    const list = await textsIn(page.locator('.list'));
    for (const raw of [...RAW, LONG_AMOUNT, UNGROUPED]) expect(list).not.toMatch(raw);
    for (const kind of APPROVAL_KINDS) {
      await test.step(kind, async () => {
        await page.goto(`/console/#/approvals/${idOf(kind)}`);
        const pane = page.locator('.pane');
        await expect(pane.locator('.mono', { hasText: '…' }).last(), kind).toBeVisible();
        await expect(page.locator('.ui-skeleton'), kind).toHaveCount(0);
        const text = await textsIn(pane);
        for (const raw of [...RAW, LONG_AMOUNT, UNGROUPED]) expect(text, kind).not.toMatch(raw);
        expect(text.length, kind).toBeGreaterThan(120);
        posted.length = 0;
        await page.keyboard.press(kind === 'deposit_match' ? 'm' : 'a');
        const dialog = page.getByRole('dialog');
        await expect(dialog.getByLabel(/Code of your authenticator|รหัสจากแอปยืนยันตัวตน/), kind).toBeVisible();
        const restated = await textsIn(dialog);
        for (const raw of [...RAW, UNGROUPED]) expect(restated, kind).not.toMatch(raw);
        await expect.poll(() => posted, kind).toEqual(['/admin/step_up/start']);
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      });
    }
  });
