import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const LIVE = {
  SATHORN_MODE: 'live',
  SMS_URL: 'https://sms.example',
  SMTP_URL: 'smtps://user:secret@mail.example',
  CONSOLE_URL: 'https://staff.example',
};

const PRACTICE = { PRACTICE_OF: 'https://app.example', PRACTICE_KEY: Buffer.alloc(32, 7).toString('base64') };

describe('the configuration', () => {
  it('treats an empty variable, as compose files set it, as not set', () => {
    const names = [
      'PORT',
      'HOST',
      'BASE_URL',
      'DATA_DIR',
      'DATABASE_URL',
      'NATS_URL',
      'ROLES',
      'REPLAY',
      'SIM_SEED',
      'TRUST_PROXY',
    ];
    const more = [
      'ALLOWED_ORIGINS',
      'RATE_LIMIT',
      'METRICS_TOKEN',
      'LICENCE_OPTIONS',
      'LICENCE_CONTRACTS',
      'INVITE_CODES',
      'BRAND',
      'SMS_URL',
      'SMTP_URL',
      'SERVICE_URL',
    ];
    expect(readConfig(Object.fromEntries([...names, ...more].map((name) => [name, ''])))).toEqual(readConfig({}));
  });

  it.each<[string, Record<string, string>]>([
    ['SATHORN_MODE', { SATHORN_MODE: 'Live' }],
    ['SATHORN_MODE', { SATHORN_MODE: '' }],
    ['BRAND', { BRAND: 'constructor' }],
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '0x1F' }],
    ['PORT', { PORT: '3e3' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '3000.5' }],
    ['PUBLIC_LOG', { PUBLIC_LOG: 'yes' }],
    ['PRACTICE', { PRACTICE: 'yes' }],
    ['PRACTICE', { ...LIVE, PRACTICE: '1' }],
    ['PRACTICE', { PRACTICE: '1', PORT: '0' }],
    ['PRACTICE_URL', { PRACTICE_URL: 'https://practice.example/enter' }],
    ['PRACTICE_URL', { PRACTICE_URL: 'https://app.example', BASE_URL: 'https://app.example' }],
    ['PRACTICE_OF', { ...LIVE, ...PRACTICE }],
    ['PRACTICE_OF', { ...PRACTICE, PRACTICE_URL: 'https://practice.example' }],
    ['PRACTICE_OF', { ...PRACTICE, PRACTICE_OF: 'app.example' }],
    ['PRACTICE_OF', { PRACTICE_KEY: PRACTICE.PRACTICE_KEY }],
    ['PRACTICE_KEY', { ...PRACTICE, PRACTICE_KEY: 'c2hvcnQ=' }],
    ['PRICES', { PRICES: 'live' }],
    ['PRICES', { ...PRACTICE, PRICES: 'sim' }],
    ['LOG_POLICY', { ...LIVE, LOG_POLICY: '/etc/hostname' }],
    ['LOG_POLICY', { ...LIVE, LOG_DIR: '/var/lib/log' }],
    ['LOG_DIR', { ...LIVE, DATA_DIR: '/srv/sathorn', LOG_DIR: '/srv/sathorn/log', LOG_POLICY: '/etc/hostname' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: '1e9' }],
    ['RATE_LIMIT', { RATE_LIMIT: '-5' }],
    ['RATE_LIMIT', { RATE_LIMIT: '0' }],
    ['ROLES', { ROLES: 'edge,indx' }],
    ['ROLES', { ROLES: ',' }],
    ['ROLES', { ROLES: ' ' }],
    ['REPLAY', { REPLAY: '/nowhere/at/all' }],
    ['CONSOLE_URL', { ...LIVE, CONSOLE_URL: '' }],
    ['CONSOLE_URL', { ...LIVE, CONSOLE_URL: 'https://app.example:8443', BASE_URL: 'https://app.example' }],
    ['CONSOLE_URL', { ...LIVE, CONSOLE_URL: 'https://staff.example/console' }],
    ['BANK_FILE', { BANK_FILE: '/nowhere/at/all.json' }],
    ['SWEEP_MIN', { SWEEP_MIN: '0' }],
    ['HOUSE_ADDRESSES', { HOUSE_ADDRESSES: `0x${'ab'.repeat(20)},0x12` }],
    ['SWEEP_EVERY', { SWEEP_EVERY: 'hourly' }],
    ['BASE_URL', { BASE_URL: 'app.example' }],
    ['BASE_URL', { BASE_URL: 'javascript:alert(1)' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'https://app.example/path' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: '*' }],
    ['SERVICE_URL', { SERVICE_URL: 'http://help.example' }],
    ['SERVICE_URL', { SERVICE_URL: 'https://root:hunter2@help.example' }],
    ['SERVICE_URL', { SERVICE_URL: 'javascript:alert(1)' }],
    ['DATABASE_URL', { DATABASE_URL: 'localhost/sathorn' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:hunter2@localhost/sathorn' }],
    ['NATS_URL', { NATS_URL: 'hello' }],
    ['NATS_URL', { NATS_URL: 'nats://one:4222,http://two:hunter2@host' }],
    ['SMS_URL', { ...LIVE, SMS_URL: 'sms.example' }],
    ['SMTP_URL', { ...LIVE, SMTP_URL: 'user:hunter2@mail.example' }],
    ['SMTP_URL', { ...LIVE, SMTP_URL: 'https://mail.example' }],
  ])('rejects %s: %o', (name, env) => {
    let said = '';
    try {
      readConfig(env);
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain(name);
    // The message is logged, so it must not contain the password.
    expect(said).not.toContain('hunter2');
  });

  it('makes a practice platform of play money only', () => {
    expect(readConfig({ ...PRACTICE, PRICES: 'live' })).toMatchObject({
      mode: 'demo',
      practiceOf: { origin: 'https://app.example', key: '07'.repeat(32) },
      practiceUrl: null,
      hasLivePrices: true,
      chain: null,
      publicLog: null,
      demoPeople: false,
    });
    expect(readConfig({ PRACTICE: '1', PORT: '3100' })).toMatchObject({
      practiceUrl: 'http://localhost:3101',
      runsPractice: true,
      hasLivePrices: false,
    });
    expect(readConfig({})).toMatchObject({ practiceUrl: null, runsPractice: false, practiceOf: null });
  });

  it('accepts valid settings', () => {
    const config = readConfig({
      ...LIVE,
      ROLES: 'edge, index',
      INVITE_CODES: 'ABCD2345, EFGH6789',
      TRUST_PROXY: '2',
      DATA_DIR: `${homedir()}/ข้อมูล x`,
    });
    expect([...config.roles]).toEqual(['edge', 'index']);
    expect(config.inviteCodes).toEqual(['ABCD2345', 'EFGH6789']);
    expect(config.proxyHops).toBe(2);
    expect(config.dataDir).toBe(`${homedir()}/ข้อมูล x`);
    expect(readConfig({ PORT: '0' }).port).toBe(0);
    expect(readConfig({ DATABASE_URL: 'postgres:///sathorn?host=/run/postgresql' }).databaseUrl).not.toBeNull();
  });
});
