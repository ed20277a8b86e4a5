import { createECDH } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './look-at.ts';
import { newCustomer, openApp } from './new-customer.ts';

test.use({ serviceWorkers: 'allow' });

test('notifications are turned on by a tap, shown by the worker, and turned off', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const { token } = await newCustomer(request);
  const origin = String(baseURL);
  const headers = { token };
  await request.post('/api/users/message/reader', { headers, form: { ids: 'all' } });
  await context.grantPermissions(['notifications'], { origin });
  // No push service is reachable from here, so the test replaces the browser's part; the address leads nowhere.
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
  await page.addInitScript(
    ({ token, ...keys }) => {
      const endpoint = `https://nobody.notify.windows.com/w/?token=${token}`;
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => localStorage.removeItem('subscribed'),
      };
      Object.assign(PushManager.prototype, {
        subscribe: async () => {
          localStorage.setItem('subscribed', '1');
          return subscription;
        },
        getSubscription: async () => (localStorage.getItem('subscribed') ? subscription : null),
      });
    },
    { token: p256dh.slice(0, 20), p256dh, auth: 'A'.repeat(22) },
  );
  await openApp(page, '/pages/mine/setting/push', { token, language: 'th' });
  await page.getByRole('button', { name: 'เปิดการแจ้งเตือน' }).click();
  const prices = page.getByRole('switch', { name: /แจ้งเตือนราคา/ });
  await prices.click();
  await expect(prices).not.toBeChecked();
  await expectAccessible(page, 'push');
  const told = async () => (await (await request.get('/api/users/push', { headers })).json()).data.subscription;
  await expect.poll(async () => (await told())?.kinds.prices).toBe(false);

  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registered,
    data: JSON.stringify({ title: 'ฝากเงินสำเร็จ', tag: 'm1', path: '/pages/index/msgList', lang: 'th', dir: 'ltr' }),
  });
  const shown = () =>
    page.evaluate(async () => {
      const { getNotifications } = ServiceWorkerRegistration.prototype;
      const all = await getNotifications.call(await navigator.serviceWorker.ready);
      return all.map(({ title, tag, data }) => [title, tag, data.path]);
    });
  await expect.poll(shown).toEqual([['ฝากเงินสำเร็จ', 'm1', '/pages/index/msgList']]);

  await page.evaluate(() =>
    localStorage.setItem('preferences', JSON.stringify({ state: { language: 'ar' }, version: 0 })),
  );
  await page.reload();
  await page.getByRole('button', { name: 'إيقاف الإشعارات' }).click();
  await expect(page.getByRole('button', { name: 'تفعيل الإشعارات' })).toBeVisible();
  await expect.poll(told).toBeNull();
});
