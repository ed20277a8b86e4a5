import { type APIRequestContext, expect } from '@playwright/test';

/** Makes a call as a customer and fails the test if the call is refused. */
export async function ask(
  request: APIRequestContext,
  token: string,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { ret, msg, data } = await (await request.post(`/api${path}`, { headers: { token }, form })).json();
  expect(ret, `${path}: ${msg}`).toBe(1);
  return data;
}

/** Registers a new customer, using the code that the demo shows on screen. */
export async function newCustomer(request: APIRequestContext): Promise<{ username: string; token: string }> {
  const digits = String(Math.floor(Math.random() * 90_000_000) + 10_000_000);
  const [username, phone] = [`c${Date.now().toString(36)}`, `+668${digits}`];
  const asked = await (await request.get('/api/users/sms', { params: { userphone: phone, must: 'register' } })).json();
  expect(asked.ret, `/users/sms: ${asked.msg}`).toBe(1);
  const outbox = await request.get('/demo/outbox', { params: { to: phone }, headers: { accept: 'application/json' } });
  const sent = (await outbox.json()) as { code: string | null }[];
  const { token } = await ask(request, '', '/users/register', {
    mode: 'phone',
    phone,
    code: sent.find(({ code }) => code !== null)?.code ?? '',
    password: 'Rain7drop',
    paypass: '493027',
    username,
    currency: 'BAHT',
    invite_code: 'WELCOME',
    agree: 'true',
  });
  return { username, token: String(token) };
}
