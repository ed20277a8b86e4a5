import { test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const PAGES = [
  '/pages/index/index',
  '/pages/coinList/index',
  '/pages/optionRule/index',
  '/pages/Option/Option?code=BTC',
  '/pages/Option/Option_old?code=BTC',
  '/pages/Option/orderRecord/orderRecord',
  '/pages/Option/orderRecord/orderRecord?tab=history',
  '/pages/verify/index',
  '/pages/verify/index?tab=figures',
  '/pages/verify/index?tab=verify',
  '/pages/index/fame',
  '/pages/blindbox/index',
  '/pages/blindbox/records',
  '/pages/index/singin',
];

// specification.spec.ts checks the other themes of these languages.
for (const [language, theme] of [['th', 'dark']] as const) {
  test(`axe finds nothing, and nothing is wider than the phone: ${language}, ${theme}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    // A changing price is drawn between two colours, so animations are off.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, PAGES[0] ?? '', { token, language, theme });
    await readNotices(page);
    for (const path of PAGES) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
  });
}
