import { leafHash, treeRoot, utf8Bytes } from '@sathorn/proof';
import { writeEntryBundle } from '@sathorn/transparency';
import { describe, expect, it } from 'vitest';
import { emptyFindings, type FindingsFile } from './finding.ts';
import { openMonitor } from './monitor.ts';
import { emptyMemory, type MonitorFolder } from './monitor-folder.ts';
import {
  BEGAN_MS,
  BOX_ID,
  boxFileOf,
  HOUR_MS,
  headOf,
  headsAt,
  KEYS,
  liabilitiesOf,
  lineAt,
  MINUTE_MS,
  OPTION_FIELDS,
  OTHER_TICKS,
  offerAt,
  openTestingPlatform,
  type Rigging,
  recordAt,
  statementAt,
  type TestingPlatform,
  TICKS,
  tradeOf,
} from './testing-platform.ts';

interface Watched {
  readonly visit: () => Promise<{ readonly says: readonly string[]; readonly isWhole: boolean }>;
  readonly file: () => FindingsFile;
}

/** A monitor whose folder is in memory. */
function watch(platform: TestingPlatform): Watched {
  const seed = new Uint8Array(32).fill(21);
  let policy: string | null = null;
  let file = emptyFindings(seed);
  const folder: MonitorFolder = {
    seed,
    memory: emptyMemory(),
    findings: file,
    readPolicy: () => policy,
    writePolicy: (text) => {
      policy = text;
    },
    // What is written must be readable again.
    writeMemory: (memory) => expect(JSON.parse(JSON.stringify(memory))).toEqual(memory),
    writeFindings: (findings) => {
      file = findings;
    },
  };
  const monitor = openMonitor({
    folder,
    policy: null,
    readFile: platform.readFile,
    ask: platform.ask,
    listen: async () => new Map(),
    now: () => platform.nowMs,
    print: () => undefined,
  });
  return {
    async visit() {
      const before = file.findings.length;
      const { isWhole } = await monitor.visit();
      return { says: file.findings.slice(before).map(({ body }) => JSON.parse(body).says), isWhole };
    },
    file: () => file,
  };
}

const [LATER, NEWEST] = [BEGAN_MS + 10_000, BEGAN_MS + 20 * MINUTE_MS];
/** The number of the option's second terms in the last batch. */
const SECOND = 'option/BTC/2';
const OTHER_HASH = 'f'.repeat(64);

interface Row extends Rigging {
  /** What the platform does after the first visit, in which nothing may be found then. */
  readonly after?: (platform: TestingPlatform) => void;
  readonly found: readonly RegExp[];
}

const ROWS: Readonly<Record<string, Row>> = {
  'a chain of ticks that the log sets back': {
    entries: ([, second]) => second?.push(headsAt(LATER, { ticks: { BTC: headOf(TICKS[4]) } })),
    found: [/^Entry 10 sets ticks BTC back from number 25 to 10\.$/],
  },
  'a tick with two hashes in the log': {
    entries: ([, second]) => second?.push(headsAt(LATER, { ticks: { BTC: ['25', OTHER_HASH] } })),
    found: [
      /^Entry 10 gives number 25 of ticks BTC a second hash\.$/,
      /^Tick 25 of BTC has the hash .*, and the log has f+\.$/,
    ],
  },
  'public ticks that were written anew after they were logged': {
    shown: (platform) => {
      platform.ticks = OTHER_TICKS;
    },
    found: [/^Tick 35 of BTC has the hash .*, and the log has /],
  },
  'a tick that is left out': {
    shown: (platform) => {
      platform.ticks = TICKS.toSpliced(14, 1);
    },
    found: [/^Tick 21 of BTC is not sound: sequence_gap\.$/],
  },
  'ticks that were written anew after the first visit': {
    after: (platform) => {
      platform.ticks = OTHER_TICKS;
    },
    found: [/^Tick 37 of BTC has the hash .*, and an earlier visit has /],
  },
  'ticks that end earlier than before': {
    after: (platform) => {
      platform.ticks = TICKS.slice(0, 30);
    },
    found: [/^The public chain lacks tick 37 of BTC, which an earlier visit names\.$/],
  },
  'sums of liabilities that were exchanged': {
    shown: ({ liabilities }) => liabilities.splice(1, 1, ...liabilitiesOf([BEGAN_MS - HOUR_MS, LATER]).slice(1)),
    found: [/^Sums of liabilities 2 have the hash .*, and the log has /],
  },
  'sums of liabilities that are withheld': {
    shown: ({ liabilities }) => liabilities.splice(0, 1),
    found: [/^The platform withholds sums of liabilities 1, which the log names\.$/],
  },
  'sums of liabilities that a key of nobody signed': {
    shown: ({ liabilities }) =>
      liabilities.splice(
        1,
        1,
        ...liabilitiesOf([BEGAN_MS - HOUR_MS, BEGAN_MS + 5_000], new Uint8Array(32).fill(9)).slice(1),
      ),
    found: [/^Sums of liabilities 2 are not signed: key_unknown\.$/],
  },
  'sums of liabilities that were never logged': {
    shown: ({ liabilities }) =>
      liabilities.push(...liabilitiesOf([BEGAN_MS - HOUR_MS, BEGAN_MS + 5_000, BEGAN_MS + 6 * MINUTE_MS]).slice(2)),
    found: [/^The log names no sums of liabilities as new as number 3\.$/],
  },
  'public figures that say less than the signed sums': {
    shown: ({ calls }) => {
      const honest = calls['/status/figures'];
      calls['/status/figures'] = (query) => {
        const figures = honest?.(query) as { solvency: { owed: string }[] };
        return { ...figures, solvency: figures.solvency.map((row) => ({ ...row, owed: '0.000004' })) };
      };
    },
    found: [/^The public figures say that 0\.000004 USDT is owed, and the signed sums 2 say 0\.000005\.$/],
  },
  'public figures that leave an asset out': {
    shown: ({ calls }) => {
      const honest = calls['/status/figures'];
      calls['/status/figures'] = (query) => ({ ...(honest?.(query) as object), solvency: [] });
    },
    found: [/^The public figures say that no USDT is owed, and the signed sums 2 say 0\.000005\.$/],
  },
  'public figures from sums that nobody sees': {
    shown: ({ calls }) => {
      const honest = calls['/status/figures'];
      calls['/status/figures'] = (query) => ({
        ...(honest?.(query) as object),
        signed_sums: { sequence: '2', hash: 'b'.repeat(64), at: new Date(BEGAN_MS).toISOString() },
      });
    },
    found: [/^The public figures name sums of liabilities 2 with the hash b{64}, which are not public\.$/],
  },
  'public figures without signed sums': {
    shown: ({ calls }) => {
      const honest = calls['/status/figures'];
      calls['/status/figures'] = (query) => ({ ...(honest?.(query) as object), signed_sums: null });
    },
    found: [/^The public figures name no signed sums of liabilities\.$/],
  },
  'a key that was never logged': {
    shown: ({ calls }) => {
      const published = { record: null, from: new Date(BEGAN_MS - HOUR_MS).toISOString() };
      const keys = [...KEYS, { ...KEYS[0], use: 'ledger' }].map((key) => ({ ...key, ...published }));
      calls['/proof/keys'] = () => ({ keys });
    },
    found: [/^The platform publishes the key ledger\/\w+, and the log lacks it\.$/],
  },
  'a key that is withdrawn': {
    entries: ([first]) =>
      first?.splice(
        2,
        0,
        recordAt(BEGAN_MS, 'key', 'ledger/0123456789abcdef', { record: null }, { atMs: BEGAN_MS - HOUR_MS }),
      ),
    found: [/^The log names the key ledger\/0123456789abcdef, and the platform no longer publishes it\.$/],
  },
  'a payout other than the published terms': {
    shown: ({ calls }) => {
      const honest = calls['/coin/data/rate'];
      calls['/coin/data/rate'] = (query) => ({
        ...(honest?.(query) as object),
        durations: [{ seconds: 30, payout: '0.7', fee: '0.02', min: '1.000000', max: '10000.000000' }],
      });
    },
    found: [/^The platform shows other terms of option\/BTC than version 1 in the log\.$/],
  },
  'fees beyond the published ones': {
    shown: ({ calls }) => {
      const honest = calls['/coin/trans/rate'];
      const fees = [{ level: 0, maker: '0.001', taker: '0.0016' }];
      calls['/coin/trans/rate'] = (query) => ({ ...(honest?.(query) as object), fees });
    },
    found: [/^The platform shows other terms of fee\/contracts than version 1 in the log\.$/],
  },
  'terms that began before they were logged': {
    entries: ([, , third]) => third?.splice(0, 1, offerAt(NEWEST, SECOND, NEWEST - HOUR_MS, { ...OPTION_FIELDS })),
    found: [
      /^The terms option\/BTC\/2 began 1 h before they were logged\.$/,
      /^The terms option\/BTC\/2 have less than a minute of notice, not 1 d\.$/,
    ],
  },
  'terms with too little notice': {
    entries: ([, , third]) => third?.splice(0, 1, offerAt(NEWEST, SECOND, NEWEST + 2 * HOUR_MS, OPTION_FIELDS)),
    found: [/^The terms option\/BTC\/2 have 2 h of notice, not 1 d\.$/],
  },
  'announced terms that the log does not name': {
    shown: ({ calls }) => {
      const change = { kind: 'fee', subject: 'contracts', before: null, after: {}, note: '' };
      const honest = calls['/offer/changes']?.(new URLSearchParams()) ?? [];
      const effective_from = new Date(NEWEST + 3 * HOUR_MS).toISOString();
      calls['/offer/changes'] = () => [...(honest as object[]), { ...change, effective_from }];
    },
    found: [/^The platform announces terms of fee\/contracts from \S+ that the log does not name\.$/],
  },
  'a halt that is dated back': {
    entries: ([, , third]) =>
      third?.push(
        recordAt(NEWEST, 'halt', '2', { event: 'resumed' }, { atMs: NEWEST - 3 * HOUR_MS, hidden: OTHER_HASH }),
      ),
    found: [/^Entry \d+ says that halt 2 happened 3 h before it was logged\.$/],
  },
  'a box other than the logged one': {
    entries: ([first]) =>
      first?.splice(-2, 1, recordAt(BEGAN_MS, 'box', BOX_ID, { hash: OTHER_HASH }, { atMs: BEGAN_MS - HOUR_MS })),
    found: [/^The platform shows another box \S+ than the log names\.$/],
  },
  'a box that was logged after it opened': {
    entries: ([first, , third]) => {
      const [box] = first?.splice(-2, 1) ?? [];
      if (box?.record) third?.push(recordAt(NEWEST, 'box', BOX_ID, box.record.said));
    },
    found: [/^The box \S+ opened \d+ d \d+ h before it was logged\.$/],
  },
  'prizes beyond chance': {
    shown: ({ calls }) => {
      calls['/box/file'] = () => boxFileOf('a friend who draws the highest prize each time');
    },
    found: [
      /^The box \S+ is refused: not_plausible \(once in 10\^\d+ such boxes\)\.$/,
      /^The file of the box \S+ has 4 draws, and the platform counts 5\.$/,
    ],
  },
  'a coin that is no longer shown, with other ticks than were logged': {
    shown: (platform) => {
      const status = platform.calls['/status']?.(new URLSearchParams());
      platform.calls['/status'] = () => ({ ...(status as object), coins: [] });
      platform.ticks = OTHER_TICKS;
    },
    found: [/^Tick 35 of BTC has the hash .*, and the log has /],
  },
  'a statement with a line more': {
    entries: ([, , third]) => third?.push(lineAt(NEWEST, 'l3', 's1')),
    found: [/^The statement s1 has 2 lines, and the log names 3 of them\.$/],
  },
  'a statement that does not follow': {
    entries: ([, , third]) =>
      third?.push(statementAt(NEWEST, 's2', { opening: '500', closing: '520', lines: '0', previous: 's1' })),
    found: [/^The statement s2 does not open with what s1 closed with/],
  },
  'a trade that was rewritten': {
    after: ({ calls }) => {
      calls['/coin/trades'] = () => ({ items: [tradeOf(3, '102'), tradeOf(2, '99'), tradeOf(1, '100')], next: null });
    },
    found: [/^Trade BTC-2 was changed\.$/],
  },
  'a trade that is left out': {
    shown: ({ calls }) => {
      calls['/coin/trades'] = () => ({ items: [tradeOf(3, '102'), tradeOf(1, '100')], next: null });
    },
    found: [/^Trade BTC-3 follows BTC-1: there is a gap\.$/],
  },
  'an entry that was exchanged under the same root': {
    shown: ({ files }) => {
      const name = [...files.keys()].filter((key) => key.startsWith('tile/entries/')).at(-1) ?? '';
      const bundle = files.get(name)?.slice();
      bundle?.set([(bundle.at(-1) ?? 0) ^ 1], bundle.length - 1);
      if (bundle) files.set(name, bundle);
    },
    found: [/^Entries 0 and later do not lead to the root of the checkpoint of \d+ entries\.$/],
  },
  'a second history of the log': {
    after: (platform) => platform.publish(16, treeRoot([leafHash(utf8Bytes('another'))])),
    found: [/^The checkpoint of 16 entries is refused: forked\.$/],
  },
  'a log that was set back': {
    after: (platform) => platform.publish(3, treeRoot([leafHash(utf8Bytes('another'))])),
    found: [/^The checkpoint of 3 entries is refused: rolled_back\.$/],
  },
  'another policy': {
    after: (platform) => {
      platform.policy = platform.policy.replace(/quorum .*/, 'quorum none');
    },
    found: [/^The platform serves another policy than the pinned one\.$/],
  },
  'a log that stands still': {
    shown: (platform) => {
      platform.nowMs += 30 * MINUTE_MS;
    },
    found: [/^The log stands still at 16 entries: no quorum has cosigned within 10 min\.$/],
  },
};

describe('a monitor', () => {
  it('finds nothing at an honest platform, at each visit', async () => {
    const platform = await openTestingPlatform();
    const { visit, file } = watch(platform);
    expect(await visit()).toEqual({ says: [], isWhole: true });
    platform.nowMs += MINUTE_MS;
    await platform.log([headsAt(platform.nowMs, { ticks: { BTC: headOf(TICKS[31]) } })]);
    expect(await visit()).toEqual({ says: [], isWhole: true });
    expect(JSON.parse(file().visit?.body ?? '')).toMatchObject({ v: 'visit/1', size: '17', findings: '0' });
  });

  it.each(Object.entries(ROWS))('finds %s, once', async (_name, { found, after, ...rigging }) => {
    const platform = await openTestingPlatform(rigging);
    const { visit } = watch(platform);
    if (after !== undefined) expect((await visit()).says).toEqual([]);
    after?.(platform);
    expect((await visit()).says).toEqual(found.map((says) => expect.stringMatching(says)));
    expect((await visit()).says).toEqual([]);
  });

  it('says what it could not read, and compares the rest', async () => {
    const platform = await openTestingPlatform();
    delete platform.calls['/proof/keys'];
    platform.calls['/coin/data/rate'] = () => ({ code: 5 });
    platform.calls['/coin/trades'] = () => ({ items: [tradeOf(3, '102'), tradeOf(1, '100')], next: null });
    const { says, isWhole } = await watch(platform).visit();
    expect([says, isWhole]).toEqual([[expect.stringMatching(/gap/)], false]);
  });

  it('compares nothing with a log that it could not read to its end', async () => {
    const platform = await openTestingPlatform();
    const [name = ''] = [...platform.files.keys()].filter((key) => key.startsWith('tile/entries/')).slice(-1);
    platform.files.set(name, writeEntryBundle([utf8Bytes('something else')]));
    platform.calls['/proof/keys'] = () => {
      throw new Error('nobody asks');
    };
    const { visit, file } = watch(platform);
    expect((await visit()).says).toHaveLength(1);
    expect(file().visit).toBeNull();
  });
});
