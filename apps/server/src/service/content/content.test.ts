import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseMarks, plainText, writeMarks } from '@sathorn/api';
import { brand } from '@sathorn/brand/sathorn';
import { LANGUAGES } from '@sathorn/text';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { openTestEdge, type TestEdge } from '../../platform/edge/testing.ts';
import { checkContent } from './check-content.ts';
import { NO_SETTINGS } from './contents.ts';
import { FIRST_ENTRIES } from './first/entries.ts';
import { type ContentDependencies, openContent, PICTURES_FOLDER, type RateSource, shipContents } from './index.ts';
import { maskName } from './mask-name.ts';
import { faultsOfRules, openRules, shippedRules } from './rules.ts';
import { shippedContent } from './ship-contents.ts';

const RULES = {
  stakeMin: '1 USDT',
  acceptSeconds: 1,
  gapSeconds: 3,
  disputeDays: 7,
  quickMax: '30,000,000 USDT',
  redemptionDays: 3,
  coverDays: 30,
  lockupDays: [7, 30],
};
const CLOCK = { now: () => new Date() };
const refuse = (error: unknown) => {
  throw error;
};

let test: TestDatabase;
const open: TestEdge[] = [];

let live: TestDatabase;

beforeAll(async () => {
  test = await openTestDatabase();
  live = await openTestDatabase();
  for (const [{ owner }, mode] of [
    [test, 'demo'],
    [live, 'live'],
  ] as const) {
    const database = openDatabase(owner, { connections: 1 });
    await shipContents(database, mode);
    // A second start changes nothing.
    await shipContents(database, mode);
    await database.close();
  }
});
afterAll(async () => {
  for (const edge of open) await edge.close();
  await test.close();
  await live.close();
});

const DEPENDENCIES = {
  brand,
  mode: 'demo',
  prices: 'sim',
  products: { options: 'open' },
  baseUrl: 'https://sathorn.example/',
  serviceUrl: null,
  rules: () => RULES,
  clock: CLOCK,
  onFault: refuse,
  recentWins: async () => [],
  inviteCodeOf: async (customer: bigint) => (customer === 1n ? 'ABCD1234' : null),
  levelOf: async () => 0,
} as const;

async function edgeWith(dependencies: Partial<ContentDependencies> = {}): Promise<TestEdge> {
  const { handlers, api } = openContent({ ...DEPENDENCIES, database: test.database, ...dependencies });
  await api.rules.refresh();
  const edge = await openTestEdge({
    handlers,
    folders: { web: '/nowhere', pictures: PICTURES_FOLDER },
  });
  open.push(edge);
  return edge;
}

async function get(edge: TestEdge, pathAndQuery: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${edge.url}/api${pathAndQuery}`, { headers });
  expect(response.status).toBe(200);
  // Each call's answer has its own shape; each test states the one it expects.
  return (await response.json()) as { ret: number; data: never };
}

describe('configuration', () => {
  it('contains what the app needs to know about brand and mode', async () => {
    const edge = await edgeWith();
    const { data } = await get(edge, '/other/config?act=system', { lang: 'en' });
    expect(data).toEqual({
      scroll_notice: 'Sathorn demo mode: prices are simulated, and the money is test money with no value.',
      service_url: 'https://sathorn.example/#/pages/service/index',
      appurl_android: 'https://sathorn.example/?v=109',
      brand: 'sathorn',
      mode: 'demo',
      prices: 'sim',
      products: { options: 'open' },
      currency: 'BAHT',
      area_code: '66',
      invite_required: true,
      help_line: '1323',
      practice_url: null,
      practice_of: null,
    });
  });

  it('names the brand’s own customer service if it has one', async () => {
    const edge = await edgeWith({ serviceUrl: 'https://help.example/chat' });
    const { data } = await get(edge, '/other/config?act=system', { lang: 'en' });
    expect(data).toMatchObject({ service_url: 'https://help.example/chat' });
  });

  it('S5.15 shares a link with the code of a customer who may invite, and otherwise without one', async () => {
    const edge = await edgeWith();
    const url = 'https://sathorn.example/#/pages/login/regist';
    expect((await get(edge, '/other/config?act=share', { token: 'token-1' })).data).toMatchObject({
      url: `${url}?code=ABCD1234`,
      code: 'ABCD1234',
    });
    expect((await get(edge, '/other/config?act=share', { token: 'token-2' })).data).toMatchObject({ url, code: '' });
    expect((await get(edge, '/other/config?act=share')).data).toMatchObject({ url, code: '' });
  });

  it('describes the brand in each language', async () => {
    const edge = await edgeWith();
    const texts = new Set<string>();
    for (const lang of LANGUAGES)
      texts.add(JSON.stringify((await get(edge, '/other/config?act=about', { lang })).data));
    expect(texts.size).toBe(LANGUAGES.length);
  });
});

describe('slides', () => {
  it('show our own pictures, all of which exist and contain no script', async () => {
    const edge = await edgeWith();
    for (const position of ['home', 'user1']) {
      const slides: { picture: string; link: string; title: string }[] = (
        await get(edge, `/content/slide?position=${position}`, { lang: 'th' })
      ).data;
      expect(slides.length).toBeGreaterThan(0);
      for (const { picture, link } of slides) {
        expect(link).toMatch(/^\/pages\//);
        const response = await fetch(edge.url + picture);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toContain('image/svg+xml');
        const svg = await response.text();
        expect(svg).not.toMatch(/<script|href|style=|on\w+=/);
        expect(existsSync(path.join(PICTURES_FOLDER, path.basename(picture)))).toBe(true);
      }
    }
  });

  it('offers no practice in a live deployment', async () => {
    const practised = async (edge: TestEdge) => {
      const slides: { link: string }[] = (await get(edge, '/content/slide?position=home')).data;
      return slides.some(({ link }) => link === '/pages/Option/Option');
    };
    expect(await practised(await edgeWith({ mode: 'live', prices: 'live', database: live.database }))).toBe(false);
    expect(await practised(await edgeWith())).toBe(true);
  });
});

describe('wins', () => {
  it('are empty without winners, and mask the names otherwise', async () => {
    expect((await get(await edgeWith(), '/content/winnotice')).data).toEqual([]);
    const at = new Date('2026-11-20T10:00:00.000Z');
    const edge = await edgeWith({ recentWins: async () => [{ name: 'somchai', coin: 'BTC', amount: '7.840000', at }] });
    expect((await get(edge, '/content/winnotice')).data).toEqual([
      { name: 's•••i', kind: 'option', coin: 'BTC', amount: '7.840000', at: '2026-11-20T10:00:00.000Z' },
    ]);
  });

  it.each([
    ['somchai', 's•••i'],
    ['สมชาย', 'ส•••ย'],
    ['ab', 'a•••'],
    ['👩‍🚀xy', '👩‍🚀•••y'],
    ['', '•••'],
  ])('masks %s', (name, masked) => expect(maskName(name)).toBe(masked));
});

describe('display rates', () => {
  it('H6 marks the demo’s rates as simulated', async () => {
    const edge = await edgeWith();
    const rates: { code: string; unit: string; simulated: boolean }[] = (await get(edge, '/third/currency/rate')).data;
    expect(rates.map(({ code }) => code)).toEqual(['BAHT', 'USD', 'CNY', 'JPY', 'AED', 'INR', 'VND']);
    expect(rates.every(({ simulated }) => simulated)).toBe(true);
    expect((await get(edge, '/third/currency/rate?code=BAHT')).data).toEqual([
      { code: 'BAHT', unit: 'THB', rate: '33.25', at: '2026-11-01T00:00:00.000Z', simulated: true },
    ]);
  });

  it('keep the last live rate with its time when the source fails, lies or lags behind', async () => {
    let answer: () => Awaited<ReturnType<RateSource['fetchRates']>> = () => [];
    const content = openContent({
      database: test.database,
      brand,
      mode: 'live',
      prices: 'live',
      products: { options: 'no_licence' },
      baseUrl: 'https://sathorn.example',
      serviceUrl: null,
      rules: () => RULES,
      clock: CLOCK,
      onFault: refuse,
      recentWins: async () => [],
      inviteCodeOf: async () => null,
      levelOf: async () => 0,
      rateSource: { fetchRates: async () => answer() },
    }).api;
    expect(await content.rates.list()).toEqual([]);
    const at = new Date('2026-11-21T08:00:00.000Z');
    const earlier = new Date('2026-11-21T07:00:00.000Z');
    answer = () => [{ code: 'BAHT', rate: '33.1', at }];
    await content.rates.refresh();
    const kept = [{ code: 'BAHT', unit: 'THB', rate: '33.1', at: at.toISOString(), simulated: false }];
    expect(await content.rates.list()).toEqual(kept);

    answer = () => [{ code: 'BAHT', rate: '99', at: earlier }];
    await content.rates.refresh();
    answer = () =>
      ['-1', '0', 'NaN', '1e9', ''].map((rate) => ({ code: 'BAHT', rate, at: new Date('2026-11-22T00:00:00.000Z') }));
    await content.rates.refresh();
    answer = () => {
      throw new Error('the source is down');
    };
    await expect(content.rates.refresh()).rejects.toThrow('down');
    expect(await content.rates.list('BAHT')).toEqual(kept);
  });
});

describe('rules', () => {
  it('are worded in each language under the hash of the English text', async () => {
    const edge = await edgeWith();
    for (const subject of ['options', 'agreement']) {
      const seen: { content: string; hash: string }[] = [];
      for (const lang of LANGUAGES) seen.push((await get(edge, `/content/rules?of=${subject}`, { lang })).data);
      expect(new Set(seen.map(({ content }) => content)).size).toBe(LANGUAGES.length);
      expect(new Set(seen.map(({ hash }) => hash)).size).toBe(1);
      expect(seen[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
      for (const { content } of seen) expect(content).not.toMatch(/\{|undefined|rules\./);
    }
  });

  it('return the English text of a hash, in force or past, and nothing for an unknown hash', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const past = openContent({
      ...DEPENDENCIES,
      database: test.database,
      rules: () => ({ ...RULES, gapSeconds: 9 }),
    }).api;
    await past.rules.refresh();
    await past.rules.refresh();
    const edge = await edgeWith();
    const now: { hash: string } = (await get(edge, '/content/rules?of=options')).data;
    for (const hash of [now.hash, past.rules.hash('options')]) {
      const { data } = await get(edge, `/content/rules?of=options&hash=${hash}`, { lang: 'th' });
      expect(sha256((data as { content: string }).content)).toBe(hash);
    }
    for (const hash of ['0'.repeat(64), past.rules.hash('agreement')])
      expect((await get(edge, `/content/rules?of=options&hash=${hash}`)).data).toMatchObject({ code: 'rules_unknown' });
    const insert = `INSERT INTO content.rules_text (hash, subject, content) VALUES ('${'0'.repeat(64)}', 'options', 'x')`;
    await expect(test.database.query({ name: 'false', text: insert })).rejects.toThrow(/rules_text_hash_check|check/);
    const change = { name: 'change', text: `UPDATE content.rules_text SET content = ''` };
    await expect(test.database.query(change)).rejects.toThrow(/permission denied/);
  });

  const rulesWith = async (change: Partial<typeof RULES> = {}) => {
    const rules = openRules({
      database: test.database,
      brand,
      clock: CLOCK,
      params: () => ({ ...RULES, ...change }),
    });
    await rules.refresh();
    return rules;
  };

  it('state the decisive figures, and get another hash with other figures', async () => {
    const rules = await rulesWith();
    for (const language of LANGUAGES) {
      const content = rules.content('options', language);
      for (const figure of ['1 USDT', '3', '0.000001', '55.6']) expect(content).toContain(figure);
      expect(rules.content('lockup', language)).toMatch(/7[^0-9]{1,9}30/);
      expect(rules.content('liquidity', language)).toContain('30,000,000 USDT');
    }
    for (const other of [{ acceptSeconds: 2 }, { gapSeconds: 4 }, { stakeMin: '5 USDT' }])
      expect((await rulesWith(other)).hash('options')).not.toBe(rules.hash('options'));
    expect((await rulesWith({ quickMax: '1 USDT' })).hash('liquidity')).not.toBe(rules.hash('liquidity'));
    expect((await rulesWith()).hash('options')).toBe(rules.hash('options'));
  });

  it('report in an operator’s text each figure that is typed and each value that is not stated', () => {
    const shipped = shippedRules('liquidity', 'th');
    const said = (change: (marks: string) => string) => ({
      ...shipped,
      body: parseMarks(change(writeMarks(shipped.body))) as typeof shipped.body,
    });
    expect(faultsOfRules('liquidity', shipped)).toEqual({ missing: [], unknown: [], figures: [] });
    const typed = said((marks) => marks.replace('{quick}', '๔๐,๐๐๐,๐๐๐ USDT'));
    expect(faultsOfRules('liquidity', typed)).toEqual({ missing: ['quick'], unknown: [], figures: ['40,000,000'] });
    const invented = said((marks) => marks.replace('{cover}', '{cover} {payout}'));
    expect(faultsOfRules('liquidity', invented).unknown).toEqual(['payout']);
    for (const subject of ['options', 'agreement', 'liquidity', 'lockup'] as const) {
      const texts = Object.fromEntries(LANGUAGES.map((language) => [language, shippedRules(subject, language)]));
      const checks = checkContent(`rules_${subject}`, { settings: NO_SETTINGS, texts }, 'th');
      expect(checks.filter(({ ok, blocks }) => !ok && blocks)).toEqual([]);
    }
  });

  it('promises nothing', () => {
    const file = path.join(import.meta.dirname, '../../../../../packages/text/src/catalogues/rules.json');
    expect(readFileSync(file, 'utf8')).not.toMatch(/guarantee|risk-free|sure win/i);
  });
});

describe('the shipped contents', () => {
  it.each(FIRST_ENTRIES.map((entry) => [entry.name, entry] as const))(
    '%s is whole in six languages and promises nothing',
    (_, entry) => {
      const shipped = shippedContent(entry);
      const bad = checkContent(entry.kind, shipped, 'th').filter(({ ok, code }) => !ok && code !== 'second_person');
      expect(bad).toEqual([]);
      const { picture } = shipped.settings;
      if (picture !== '') expect(existsSync(path.join(PICTURES_FOLDER, `${picture.slice(1)}.svg`))).toBe(true);
      const english = plainText(shipped.texts.en?.body ?? []);
      for (const language of LANGUAGES)
        if (language !== 'en' && english !== '')
          expect(plainText(shipped.texts[language]?.body ?? [])).not.toBe(english);
    },
  );
});
