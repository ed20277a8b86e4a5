import { expect, test } from 'vitest';
import { APP_VERSION_CODE, isNewerApp } from './app-version.ts';

test.each([
  ['https://sathorn.example/app.apk?v=110', true],
  ['https://sathorn.example/app.apk?v=109', false],
  ['https://sathorn.example/app.apk?x=1&v=200', true],
  ['https://sathorn.example/app.apk?v=1e9', false],
  ['https://sathorn.example/app.apk', false],
  ['', false],
])('%s asks for an update: %s', (address, expected) => {
  expect(isNewerApp(address, APP_VERSION_CODE)).toBe(expected);
});
