import { expect, test } from 'vitest';
import { addressInHash } from './hash-location.ts';

test.each([
  ['', '/'],
  ['#', '/'],
  ['#/', '/'],
  ['#/pages/Option/Option?code=BTC', '/pages/Option/Option?code=BTC'],
  ['#pages/mine/mine', '/pages/mine/mine'],
  // Messengers encode links as a whole or in part.
  ['#%2Fpages%2Flogin%2Fregist%3Fcode%3DABC%26lang%3Dth', '/pages/login/regist?code=ABC&lang=th'],
  ['#/pages/login/regist%3Fcode=ABC', '/pages/login/regist?code=ABC'],
  ['#/pages/login/regist%3Fcode%3DABC?fbclid=1', '/pages/login/regist?code=ABC&fbclid=1'],
  ['#/pages/login/regist?code%3DABC%26lang%3Dth', '/pages/login/regist?code=ABC&lang=th'],
  // Our own escapes in a query stay.
  ['#/pages/login/login?from=%2Fpages%2Fa%3Fb%3Dc', '/pages/login/login?from=%2Fpages%2Fa%3Fb%3Dc'],
  ['#/pages/%zz?a=b', '/pages/%zz?a=b'],
])('%s is the address %s', (hash, address) => {
  expect(addressInHash(hash)).toBe(address);
});
