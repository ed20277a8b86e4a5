import { brand } from '@sathorn/brand/sathorn';
import { LANGUAGES } from '@sathorn/text';
import { expect, it } from 'vitest';
import { APP_VERSION, APP_VERSION_CODE } from './shell/app-version.ts';

it('S9.1 the built-in version', () => {
  expect([APP_VERSION, APP_VERSION_CODE]).toEqual(['1.0.0', 109]);
});

it('S9.9 S9.10 the Thai market’s brand', () => {
  expect(brand).toMatchObject({
    themeColour: '#5d43e4',
    background: '#d2c8bc',
    locale: 'th',
    areaCode: '66',
    currency: 'BAHT',
    currencyUnit: 'THB',
    inviteRequired: true,
  });
  expect([...LANGUAGES].sort()).toEqual(['ar', 'en', 'hi', 'jp', 'th', 'zh']);
});
