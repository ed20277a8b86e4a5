import { describe, expect, it } from 'vitest';
import { readCatalogueArea } from './catalogue-files.ts';
import { LANGUAGES } from './index.ts';

const [en, share, shell] = (['faults', 'share', 'shell'] as const).map((area) => readCatalogueArea(area, 'en')) as [
  Record<string, string>,
  Record<string, string>,
  Record<string, string>,
];

describe('the specification’s messages, in its exact English', () => {
  it('S8.1 has a message for each HTTP status in each language', () => {
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
      const texts = readCatalogueArea('faults', language);
      for (const status of Object.keys(statuses)) {
        expect(texts[`http.${status}`], language).toBeTruthy();
        expect(texts[`http.${status}`], language).not.toBe(statuses[status as unknown as 400]);
      }
    }
  });

  it('S8.2 S8.4 has the messages for a missing answer and for trades', () => {
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

  it('S5.1 S5.2 S5.5 S5.7 has the messages of forms', () => {
    expect(en).toMatchObject({
      'field.credentials_required': 'Please enter your username and password first!',
      'field.agreement_required': 'Please make sure to read the agreement and try again!',
      'field.password_format': 'login password must be 6-12 characters or numbers',
      'field.passwords_differ': 'The two passwords entered are inconsistent!',
    });
  });

  it('S8.5 has the messages for notices, codes, copies, uploads, downloads and hashes', () => {
    expect(en['said.read_failed']).toMatch(/could not be marked as read/);
    expect(en['said.code_sent']).toMatch(/sent/);
    expect(en['said.code_failed']).toMatch(/could not be sent/);
    expect(en['said.copy_failed']).toBe('Copy failed');
    expect(en['said.upload_failed']).toBe('Upload picture failed');
    expect(en['said.download_done']).toBe('Download success');
    expect(en['field.hash_malformed']).toMatch(/^Hash format error/);
  });

  it('S5.15 has the message for sharing without permission', () => {
    expect(share['share.denied']).toBe('Your account has not yet activated the invitation permission!');
  });

  it('S8.6 has the messages for an update and for throttling', () => {
    expect(shell['update.please']).toBe('Please update to the latest version!');
    expect([shell['throttle.loading'], shell['throttle.too_many']]).toEqual(['loading...', 'too many requests']);
  });
});
