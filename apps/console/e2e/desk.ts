import { type Browser, expect, type Page } from '@playwright/test';
import { SAMPLE_ID, sampleResult } from '@sathorn/api/testing-results';
import { enter } from './staff.ts';

const AMOUNT = '4488.829981';
const ROLES = ['support', 'compliance', 'finance', 'content', 'admin'];

/** A case that waits for this operator, for every page. */
const OPEN = {
  customer: { id: '7062192162', username: 'krit' },
  refusal: null,
  ended_at: null,
  closed_at: null,
  closing: null,
  waiting: null,
  answer: 'We looked at every price again.',
  user: { id: '7062192162', username: 'krit' },
  next: null,
  shortfall: '0',
};
const BY_PAGE: readonly (readonly [path: RegExp, overrides: Readonly<Record<string, unknown>>])[] = [
  [/withdrawals/, { status: 'review', step: 'review', kind: 'crypto' }],
  [/deposits/, { status: 'pending', kind: 'bank', elsewhere: null, recovery: null, plan: null, reason: null }],
  [/disputes/, { status: 'second_look', computed: { status: 'won', profit: AMOUNT } }],
  [/corrections/, { step: 'proposed' }],
  [/certifications/, { status: 'review', type: 'passport' }],
  [/approvals/, { status: 'waiting', kind: 'withdrawal', decided_on: 'approvals' }],
  [/support/, { status: 'open' }],
];

export interface Desk {
  readonly page: Page;
  /** The paths of the page's POST requests since the list was last emptied. None of these has reached the server. */
  readonly posted: string[];
}
type Answer = (path: string, parameters: URLSearchParams) => unknown;

/**
 * Opens the console as an operator with every role, with samples in place of the server's answers: every page has a
 * case that waits for a decision. Nothing that it posts takes effect. `answers` may replace single results.
 */
export async function openDesk(browser: Browser, settings: object, answers: Answer = () => undefined): Promise<Desk> {
  const page = await enter(browser, 'arun', settings);
  const posted: string[] = [];
  await page.evaluate((roles) => {
    const name = Object.keys(localStorage).find((key) => key.endsWith('userInfo')) ?? '';
    localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name) ?? '{}'), roles }));
  }, ROLES);
  await page.route('**/api/admin/**', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const path = url.pathname.replace('/api', '');
    if (request.method() === 'POST') {
      posted.push(path);
      if (path === '/admin/step_up/start')
        return route.fulfill({ json: { ret: 1, msg: '', data: sampleResult('POST', path, { ways: ['code'] }) } });
      return route.fulfill({ json: { ret: 0, msg: 'refused', data: { code: 'version_stale', fields: {} } } });
    }
    if (path === '/admin/me' || path === '/admin/claims') return route.fallback();
    const overrides = { ...OPEN, ...BY_PAGE.find(([of]) => of.test(path))?.[1] };
    const data = answers(path, url.searchParams) ?? sampleResult('GET', path, overrides);
    return data === undefined ? route.fallback() : route.fulfill({ json: { ret: 1, msg: '', data } });
  });
  await page.reload();
  await expect(page.locator('.side a')).not.toHaveCount(0);
  return { page, posted };
}

export { OPEN, SAMPLE_ID };
