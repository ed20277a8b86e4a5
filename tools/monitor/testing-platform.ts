/** A platform in memory, honest until a test changes it: a log that witnesses cosign, public calls, and a stream. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import type { BookView, TradeView } from '@sathorn/api';
import { sampleResult } from '@sathorn/api/testing-results';
import {
  type BoxFile,
  type Canonical,
  canonicalText,
  NO_LIABILITIES_HASH,
  type ProofKey,
  readBoxTerms,
  readTick,
  type SignedText,
  signText,
  utf8Bytes,
  writeLiabilities,
} from '@sathorn/proof';
import {
  cosign,
  growLog,
  type LoggedEntry,
  type LoggedHeads,
  type LoggedRecord,
  signerKey,
  signNote,
  tilePath,
  writeCheckpoint,
  writeLoggedEntry,
  writeNote,
  writeVerifierKey,
} from '@sathorn/transparency';
import type { AskServer } from '../verify/public-chain.ts';
import type { ReadLogFile } from './read-log.ts';

const vectors = (name: string) =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../packages/proof/vectors', `${name}.json`), 'utf8'));
/** The keys of the vectors, whose seeds are the bytes 1 and 2. */
const INDEX_SEED = new Uint8Array(32).fill(1);
const RECEIPT_SEED = new Uint8Array(32).fill(2);
export const KEYS: readonly ProofKey[] = vectors('receipts').receipts[0].keys;
export const TICKS: readonly SignedText[] = vectors('memory').public_chains[0].texts;
function rewriteTicks(from: number): SignedText[] {
  const texts: SignedText[] = [];
  for (const [n, { body }] of TICKS.entries()) {
    const { src, prev, ...rest } = JSON.parse(body);
    const [[name, currency, price, time], ...others] = src;
    const other = [[name, currency, price, String(Number(time) - 1)], ...others];
    const link = { src: n < from ? src : other, prev: texts.at(-1)?.hash ?? prev };
    texts.push(signText(canonicalText({ ...rest, ...link }), INDEX_SEED));
  }
  return texts;
}
/** Sound ticks that differ in a source's time from a moment on, as the key's holder would write them anew. */
export const OTHER_TICKS: readonly SignedText[] = rewriteTicks(25);
export const boxFileOf = (name: string): BoxFile =>
  vectors('draws').files.find((each: { name: string }) => each.name === name).file;
export const BOX = boxFileOf('five draws');
export const BOX_ID = readBoxTerms(BOX.box.body)?.id ?? '';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** When the log of a test begins, unless it says otherwise. */
export const BEGAN_MS = 1_790_000_000_000;

export const headOf = (text: SignedText | undefined): [string, string] => [
  String(readTick(text?.body ?? '')?.sequence ?? JSON.parse(text?.body ?? '{}').seq),
  text?.hash ?? '',
];

/** Signed sums of what is owed, each naming the one before. */
export function liabilitiesOf(times: readonly number[], seed = RECEIPT_SEED): SignedText[] {
  const texts: SignedText[] = [];
  for (const [n, atMs] of times.entries())
    texts.push(
      signText(
        writeLiabilities({
          sequence: BigInt(n + 1),
          previous: texts.at(-1)?.hash ?? NO_LIABILITIES_HASH,
          atMs,
          ledger: BigInt(n),
          environment: 'demo',
          size: 1,
          root: 'a'.repeat(64),
          sums: [
            ['USDT', 5n],
            ['options', 0n],
          ],
        }),
        seed,
      ),
    );
  return texts;
}

export const headsAt = (tMs: number, heads: LoggedHeads): LoggedEntry => ({ tMs, heads });
export function recordAt(
  tMs: number,
  kind: string,
  subject: string,
  said: Canonical,
  { atMs = tMs, hidden = null }: Partial<Pick<LoggedRecord, 'atMs' | 'hidden'>> = {},
): LoggedEntry {
  return { tMs, record: { kind, subject, atMs, said, hidden } };
}
export const offerAt = (tMs: number, subject: string, fromMs: number, fields: Canonical, atMs = tMs): LoggedEntry =>
  recordAt(tMs, 'offer', subject, { effective_from: String(fromMs), fields: canonicalText(fields) }, { atMs });
export const statementAt = (tMs: number, subject: string, change: Record<string, string> = {}): LoggedEntry =>
  recordAt(
    tMs,
    'bank_statement',
    subject,
    { source: 'feed', opening: '100', received: '30', paid_out: '10', closing: '120', lines: '2', ...change },
    { hidden: 'c'.repeat(64) },
  );
export const lineAt = (tMs: number, subject: string, statement: string | null): LoggedEntry =>
  recordAt(tMs, 'bank_line', subject, { statement }, { hidden: 'd'.repeat(64) });

export const OPTION_FIELDS = {
  stake_min: '1.000000',
  stake_max: '10000.000000',
  durations: [
    { seconds: '30', offered: true, payout: '0.75', fee: '0.02' },
    { seconds: '60', offered: false, payout: '0.78', fee: '0.02' },
  ],
};
const COIN_FIELDS = { contracts: true, amount_min: '1.000000', amount_max: '1000000.000000' };
const FEE_FIELDS = { levels: [{ maker: '0.001', taker: '0.0015' }] };
const LIQUIDITY_FIELDS = { offered: true, min: '10.000000', stages: [{ from: '0.000000', rate: '0.05' }] };
const LOCKUP_FIELDS = { offered: true, daily_rate: '0.0001', min: '10.000000', max: '50000.000000', quota: '9.000000' };

/** What an honest log says, in batches: its history, ten seconds later, and after twenty minutes. */
export function honestBatches(beganMs: number, liabilities: readonly SignedText[]): LoggedEntry[][] {
  const [later, newest] = [beganMs + 10_000, beganMs + 20 * MINUTE_MS];
  const before = { atMs: beganMs - HOUR_MS };
  const offer = (subject: string, fields: Canonical) => offerAt(beganMs, subject, 0, fields, before.atMs);
  return [
    [
      ...KEYS.map(({ use, id, public_key }) =>
        recordAt(beganMs, 'key', `${use}/${id}`, { use, id, public_key, record: null }, before),
      ),
      offer('option/BTC/1', OPTION_FIELDS),
      offer('coin/BTC/1', COIN_FIELDS),
      offer('fee/contracts/1', FEE_FIELDS),
      offer('liquidity/1/1', LIQUIDITY_FIELDS),
      offer('lockup/7/1', LOCKUP_FIELDS),
      recordAt(beganMs, 'box', BOX_ID, { hash: BOX.box.hash }, before),
      headsAt(beganMs, { ticks: { BTC: headOf(TICKS[9]) }, liabilities: headOf(liabilities[0]) }),
    ],
    [headsAt(later, { ticks: { BTC: headOf(TICKS[19]) }, liabilities: headOf(liabilities[1]) })],
    [
      offerAt(newest, 'option/BTC/2', newest + 25 * HOUR_MS, { ...OPTION_FIELDS, stake_max: '5000.000000' }),
      statementAt(newest, 's1'),
      lineAt(newest, 'l1', 's1'),
      lineAt(newest, 'l2', 's1'),
      recordAt(newest, 'halt', '1', { event: 'halted' }, { hidden: 'e'.repeat(64) }),
      headsAt(newest, { ticks: { BTC: headOf(TICKS[29]) } }),
    ],
  ];
}

const LOG_KEY = signerKey('platform.example/log', 'note', new Uint8Array(32).fill(11));
const WITNESS = signerKey('witness.example/w1', 'cosignature', new Uint8Array(32).fill(12));
const POLICY = [
  `log ${writeVerifierKey(LOG_KEY)}`,
  `witness ${WITNESS.name} ${writeVerifierKey(WITNESS)}`,
  `quorum ${WITNESS.name}`,
].join('\n');

const sample = <T>(route: string, change: object): T => {
  const [method = '', target = ''] = route.split(' ');
  return { ...(sampleResult(method, target) as object), ...change } as T;
};

export const bookOf = (sequence: number, atMs: number, bids: BookView['bids'], asks: BookView['asks']): BookView => ({
  code: 'BTC',
  bids,
  asks,
  sequence: String(sequence),
  at: new Date(atMs).toISOString(),
});
export const tradeOf = (n: number, price: string, change: Partial<TradeView> = {}): TradeView => ({
  id: `BTC-${n}`,
  price,
  quantity: '1',
  side: 'buy',
  house: false,
  at: new Date(BEGAN_MS + n).toISOString(),
  ...change,
});

export class TestingPlatform {
  /** What each public call answers, by its path. */
  readonly calls: Record<string, (query: URLSearchParams) => unknown> = {};
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly liabilities: SignedText[];
  ticks: readonly SignedText[] = TICKS;
  policy = POLICY;
  checkpoint = '';
  /** What the stream says before it ends. */
  frames: readonly object[] = [];
  nowMs: number;
  #size = 0;

  constructor(beganMs = BEGAN_MS) {
    this.nowMs = beganMs;
    this.liabilities = liabilitiesOf([beganMs - HOUR_MS, beganMs + 5_000]);
    this.#answerHonestly(beganMs);
  }

  readonly readFile: ReadLogFile = async (name) => {
    const text = { checkpoint: this.checkpoint, policy: this.policy }[name];
    return text === undefined ? (this.files.get(name) ?? null) : utf8Bytes(text);
  };

  readonly ask: AskServer = async (target) => {
    const { pathname, searchParams } = new URL(target, 'http://platform.example');
    const answer = this.calls[pathname];
    if (answer === undefined) throw new Error(`${pathname} answered 404`);
    return answer(searchParams);
  };

  /** Enters a batch, and publishes a checkpoint that the witness cosigns now. */
  async log(batch: readonly LoggedEntry[]): Promise<void> {
    const head = { origin: LOG_KEY.name, size: this.#size };
    const texts = batch.map((entry) => utf8Bytes(writeLoggedEntry(entry)));
    const read = async (place: Parameters<typeof tilePath>[0]) => this.files.get(tilePath(place));
    const grown = await growLog(head, texts, read);
    for (const file of grown.files) this.files.set(tilePath(file), new Uint8Array(file.bytes));
    this.#size = grown.checkpoint.size;
    this.publish(grown.checkpoint.size, grown.checkpoint.root);
  }

  publish(size: number, root: Uint8Array<ArrayBuffer>): void {
    const text = writeCheckpoint({ origin: LOG_KEY.name, size, root, extensions: [] });
    const cosignature = cosign(text, Math.floor(this.nowMs / 1_000), WITNESS);
    this.checkpoint = writeNote({ text, signatures: [signNote(text, LOG_KEY), cosignature] });
  }

  #answerHonestly(beganMs: number): void {
    const { calls } = this;
    calls['/status'] = () => {
      const [coin] = sample<{ coins: object[] }>('GET /status', {}).coins;
      const [sequence, hash] = headOf(this.ticks.at(-1));
      return sample('GET /status', { coins: [{ ...coin, code: 'BTC', head: { sequence, hash } }] });
    };
    calls['/proof/keys'] = () => ({
      keys: KEYS.map((key) => ({ ...key, from: new Date(beganMs - HOUR_MS).toISOString(), record: null })),
    });
    calls['/proof/ticks'] = (query) => {
      const from = BigInt(query.get('from') ?? 0);
      const items = this.ticks.filter(({ body }) => (readTick(body)?.sequence ?? 0n) >= from);
      const [sequence, hash] = headOf(this.ticks.at(-1));
      return { items: items.slice(0, Number(query.get('limit'))), head: { sequence, hash } };
    };
    calls['/status/liabilities'] = () => ({ items: this.liabilities.toReversed(), next: null });
    calls['/status/figures'] = () => {
      const [sequence, hash] = headOf(this.liabilities.at(-1));
      const [row] = sample<{ solvency: object[] }>('GET /status/figures', {}).solvency;
      return sample('GET /status/figures', {
        signed_sums: { sequence, hash, at: new Date(beganMs).toISOString() },
        solvency: [{ ...row, asset: 'USDT', owed: '0.000005' }],
      });
    };
    calls['/coin/data/rate'] = () =>
      sample('GET /coin/data/rate', {
        durations: [{ seconds: 30, payout: '0.75', fee: '0.02', min: '1.000000', max: '10000.000000' }],
      });
    calls['/coin/trans/rate'] = () =>
      sample('GET /coin/trans/rate', {
        ...{ amount_min: '1', amount_max: '1000000' },
        fees: FEE_FIELDS.levels.map((fee, level) => ({ level, ...fee })),
      });
    calls['/yuebao/product'] = (query) => {
      const liquidity = sample<Record<string, unknown>>('GET /yuebao/product', LIQUIDITY_FIELDS);
      if (query.get('type') === 'liquidity') return liquidity;
      const { fund, state, version, effective_from } = liquidity;
      const seven = { id: '7', name: '7', days: 7, state, version, effective_from, quota_left: '1', upcoming: [] };
      return { type: 'regular', fund, products: [{ ...seven, ...LOCKUP_FIELDS }] };
    };
    calls['/offer/changes'] = () => [
      {
        ...{ kind: 'option', subject: 'BTC', before: OPTION_FIELDS, note: '' },
        effective_from: new Date(beganMs + 20 * MINUTE_MS + 25 * HOUR_MS).toISOString(),
        after: { ...OPTION_FIELDS, stake_max: '5000.000000' },
      },
    ];
    calls['/box/lists'] = () => {
      const [box] = sample<{ lists: object[] }>('GET /box/lists', {}).lists;
      const published_at = new Date(beganMs - HOUR_MS).toISOString();
      return { lists: [{ ...box, id: BOX_ID, signed: BOX.box, drawn: 5, published_at }] };
    };
    calls['/box/file'] = () => BOX;
    calls['/coin/trades'] = () => ({ items: [tradeOf(2, '101'), tradeOf(1, '100')], next: null });
  }

  /** The same platform behind HTTP. The caller closes it. */
  serve(): Server {
    const server = createServer((request, response) => {
      const target = request.url ?? '/';
      const answer = target.startsWith('/log/')
        ? this.readFile(target.slice('/log/'.length))
        : this.ask(target.replace(/^\/api/, '')).then((data) => JSON.stringify({ ret: 1, msg: '', data }));
      answer.then(
        (body) => response.writeHead(body === null ? 404 : 200).end(body ?? ''),
        () => response.writeHead(404).end('{}'),
      );
    });
    // RFC 6455, as far as a server needs it that speaks and listens to nothing.
    server.on('upgrade', ({ headers }: IncomingMessage, socket) => {
      const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      for (const frame of this.frames) {
        const payload = Buffer.from(JSON.stringify(frame));
        const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
        socket.write(Buffer.concat([Buffer.from([0x81, ...length]), payload]));
      }
      socket.end(Buffer.from([0x88, 2, 0x03, 0xe8]));
      socket.on('error', () => socket.destroy());
    });
    return server;
  }
}

/** How a platform cheats. */
export interface Rigging {
  /** Changes what was entered. */
  readonly entries?: (batches: LoggedEntry[][]) => void;
  /** Changes what is shown, from the first visit on. */
  readonly shown?: (platform: TestingPlatform) => void;
}

/** A platform whose log has all batches, seen a minute after the newest. */
export async function openTestingPlatform(
  { entries, shown }: Rigging = {},
  beganMs = BEGAN_MS,
): Promise<TestingPlatform> {
  const platform = new TestingPlatform(beganMs);
  const batches = honestBatches(beganMs, platform.liabilities);
  entries?.(batches);
  platform.nowMs = beganMs + 21 * MINUTE_MS;
  for (const batch of batches) await platform.log(batch);
  shown?.(platform);
  return platform;
}
