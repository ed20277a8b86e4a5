import { describe, expect, it } from 'vitest';
import { APP_CODE, APP_VERSION } from '../../apps/web/src/shell/app-version.ts';
import { REQUEST_TIMEOUT_MS } from '../../packages/app/src/client/call-server.ts';
import { HIDE_AFTER_MS } from '../../packages/app/src/client/overlay.ts';
import { PRESS_EVERY_MS } from '../../packages/app/src/client/press-guard.ts';
import { IN_FLIGHT_MAX } from '../../packages/app/src/client/throttle.ts';
import { CHUNK_TIMEOUT_MS, LOADING_AFTER_MS, PAGE_TIMEOUT_MS } from '../../packages/app/src/late/lazy-screen.ts';
import { MEMORY_DEPTH } from '../../packages/app/src/navigation/memory.ts';
import { LOGIN_REDIRECT_MS } from '../../packages/app/src/shell/session-watch.tsx';
import { TOAST_MS } from '../../packages/app/src/shell/toasts.ts';
import { brand } from '../../packages/brand/src/sathorn.ts';
import en from '../../packages/text/src/catalogues/faults/en.json' with { type: 'json' };
import shell from '../../packages/text/src/catalogues/shell/en.json' with { type: 'json' };
import { LANGUAGES } from '../../packages/text/src/index.ts';

describe('the specification’s constants', () => {
  it('S4.16 S8.7 S9.4 S9.5 times of the app', () => {
    expect({ HIDE_AFTER_MS, LOADING_AFTER_MS, PAGE_TIMEOUT_MS, CHUNK_TIMEOUT_MS, REQUEST_TIMEOUT_MS }).toEqual({
      HIDE_AFTER_MS: 200,
      LOADING_AFTER_MS: 200,
      PAGE_TIMEOUT_MS: 60_000,
      CHUNK_TIMEOUT_MS: 120_000,
      REQUEST_TIMEOUT_MS: 60_000,
    });
    expect({ TOAST_MS, PRESS_EVERY_MS, LOGIN_REDIRECT_MS, MEMORY_DEPTH, IN_FLIGHT_MAX }).toEqual({
      TOAST_MS: 2000,
      PRESS_EVERY_MS: 500,
      LOGIN_REDIRECT_MS: 800,
      MEMORY_DEPTH: 10,
      IN_FLIGHT_MAX: 5,
    });
  });

  it('S9.1 the version that is built in', () => {
    expect([APP_VERSION, APP_CODE]).toEqual(['1.0.0', 109]);
  });

  it('S9.9 S9.10 the brand of the Thai market', () => {
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
});

describe('the specification’s messages, in English as they are written there', () => {
  it('S8.1 of each HTTP status, in each language', async () => {
    const statuses = {
      400: 'Bad Request',
      401: 'Unauthorized',
      402: 'Payment Required',
      403: 'Forbidden',
      404: 'Not Found',
      405: 'Method Not Allowed',
      406: 'Not Acceptable',
      500: 'Internal Server Error',
      501: 'Not Implemented',
      502: 'Bad Gateway',
      503: 'Service Unavailable',
      504: 'Gateway Timeout',
    };
    for (const [status, words] of Object.entries(statuses)) expect(en).toHaveProperty([`http.${status}`], words);
    for (const language of LANGUAGES.filter((each) => each !== 'en')) {
      const { default: texts } = (await import(`../../packages/text/src/catalogues/faults/${language}.json`, {
        with: { type: 'json' },
      })) as { default: Record<string, string> };
      for (const status of Object.keys(statuses)) {
        expect(texts[`http.${status}`], language).toBeTruthy();
        expect(texts[`http.${status}`], language).not.toBe(statuses[status as unknown as 400]);
      }
    }
  });

  it('S8.2 S8.4 of no answer, and of trades', () => {
    expect(en).toMatchObject({
      REQUEST_ERROR: 'An error occurred while sending the request',
      NO_RESPONDING: 'The server is not responding.',
      UNKNOWN_ERROR: 'Unknown error',
      'said.transaction_failed': 'Transaction failed!',
      'said.transaction_done': 'Successful transaction!',
      'said.cancel_failed': 'Cancellation failed, please try again!',
      'said.cancel_done': 'Cancellation succeeded!',
    });
  });

  it('S5.1 S5.2 S5.5 S5.7 of forms', () => {
    expect(en).toMatchObject({
      'field.credentials_required': 'Please enter your username and password first!',
      'field.agreement_required': 'Please make sure to read the agreement and try again!',
      'field.password_format': 'login password must be 6-12 characters or numbers',
      'field.passwords_differ': 'The two passwords entered are inconsistent!',
    });
  });

  it('S8.5 of notices, codes, copies, uploads, downloads and hashes', () => {
    expect(en['said.read_failed']).toMatch(/could not be marked as read/);
    expect(en['said.code_sent']).toMatch(/sent/);
    expect(en['said.code_failed']).toMatch(/could not be sent/);
    expect(en['said.copy_failed']).toBe('Copy failed');
    expect(en['said.upload_failed']).toBe('Upload picture failed');
    expect(en['said.download_done']).toBe('Download success');
    expect(en['field.hash_malformed']).toMatch(/^Hash format error/);
  });

  it('S8.6 of an update, and of the throttle', () => {
    expect(shell['update.please']).toBe('Please update to the latest version!');
    expect([shell['throttle.loading'], shell['throttle.too_many']]).toEqual(['loading...', 'too many requests']);
  });
});
