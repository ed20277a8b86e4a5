import { expect, it } from 'vitest';
import { normaliseTarget } from './normalise-target.ts';

it.each([
  ['/api/%61dmin/me', '/api/admin/me'],
  ['/%61pi/admin/me', '/api/admin/me'],
  ['/%63onsol%65/', '/console/'],
  ['/%6Detrics', '/metrics'],
  ['/api/users/%75pload?a=%61', '/api/users/upload?a=%61'],
  ['http://app.example/api/admin/me', '/api/admin/me'],
  ['HTTP://app.example/api/%61dmin/me', '/api/admin/me'],
  ['http://app.example', '/'],
  // The target is decoded only once.
  ['/api/%2561dmin/me', '/api/%2561dmin/me'],
  // Encoded path separators stay encoded, and so does a sequence that is not a single letter.
  ['/api%2Fadmin/me', '/api%2Fadmin/me'],
  ['/%E0%B8%81', '/%E0%B8%81'],
  ['/%zz/%', '/%zz/%'],
  ['*', '*'],
])('%s is read as %s', (url, plain) => {
  const request = { url, headers: { host: 'staff.example' } };
  normaliseTarget(request);
  expect(request.url).toBe(plain);
  expect(request.headers.host).toBe(/^http/i.test(url) ? 'app.example' : 'staff.example');
});
