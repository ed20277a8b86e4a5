import { expect, it } from 'vitest';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';
import { CLASSIFIED_ROUTES, keyScopeOf } from './key-scopes.ts';
import { SECRET_FIELDS } from './ordered.ts';

const routeOf = ({ method, path }: Call): string => `${method} ${path}`;
// No key signs in an operator.
const ofCustomers = Object.values(CALLS).filter(({ who, path }) => who !== 'operator' && !path.startsWith('/admin/'));
const entriesOf = ({ request }: Call): string[] =>
  'entries' in request ? Object.keys(request.entries as Record<string, unknown>) : [];

it('says of every call of customers and of anybody whether an API key may make it, and of no other', () => {
  expect([...CLASSIFIED_ROUTES].sort()).toEqual(ofCustomers.map(routeOf).sort());
});

it('gives keys no call that takes a password or a code, and none that takes a file', () => {
  const allowed = ofCustomers.filter((call) => keyScopeOf(call) !== null);
  expect(allowed.filter((call) => entriesOf(call).some((name) => SECRET_FIELDS.has(name))).map(routeOf)).toEqual([]);
  expect(allowed.filter(({ takesFile }) => takesFile).map(routeOf)).toEqual([]);
});

it('gives keys that read no call that moves money', () => {
  const moving = ofCustomers.filter(({ movesMoney }) => movesMoney);
  expect(moving.filter((call) => keyScopeOf(call) === 'read').map(routeOf)).toEqual([]);
  expect(
    moving
      .filter((call) => keyScopeOf(call) === 'trade')
      .map(routeOf)
      .sort(),
  ).toEqual([
    'POST /coin/order/add',
    'POST /coin/order/sell',
    'POST /coin/order/void',
    'POST /coin/trans/add',
    'POST /coin/trans/amend',
    'POST /coin/trans/close',
    'POST /coin/trans/closeAll',
    'POST /coin/wait/add',
    'POST /coin/wait/amend',
    'POST /coin/wait/close',
    'POST /coin/wait/pair',
    'POST /yuebao/transfer/in',
  ]);
});

// Written by hand, so that opening one of these to keys is an edit that somebody reviews.
it.each([
  /^\/users\/(bank|extract|keys|devices|sessions|second|passkey|edit|levelauth|certification|freeze|phishing|logins)/,
  /^\/(pay\/submit|pay\/recover|demo|support|users\/(info|login|logout|register|forget|upload|picture|push))/,
])('gives keys nothing under %s', (guarded) => {
  const routes = CLASSIFIED_ROUTES.filter((route) => guarded.test(route.split(' ')[1] ?? ''));
  expect(routes.length).toBeGreaterThan(5);
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    expect(keyScopeOf({ method, path }), route).toBeNull();
  }
});

it('gives keys nothing of operators', () => {
  for (const call of Object.values(CALLS).filter(({ path }) => path.startsWith('/admin/')))
    expect(keyScopeOf(call), call.path).toBeNull();
});
