import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContractOrder } from '@sathorn/api';

const ANSWER_MAX_MS = 8_000;
const OPEN_MAX = 40;
/** Fewer levels per side than the book shows. */
const LEVELS = 20;
const COINS_TRADED = ['BTC', 'ETH'];

export interface TraderAnswer {
  readonly ret: number;
  readonly data: unknown;
}

/** A request and its answer. */
export interface AnsweredCommand {
  readonly token: string;
  readonly at: string;
  readonly key: string;
  readonly form: Readonly<Record<string, string>>;
  readonly answer: TraderAnswer;
  readonly sentMs: number;
  readonly answeredMs: number;
}

export interface RunningTraders {
  readonly answered: readonly AnsweredCommand[];
  /** Answers with status 500. */
  readonly broken: readonly string[];
  /** How many requests were repeated. */
  readonly repeated: () => number;
  /** Stops placing orders; resolves when all requests are answered. */
  stop(): Promise<void>;
}

interface Market {
  readonly code: string;
  readonly decimals: number;
  readonly mid: bigint;
  readonly lotDecimals: number;
  /** A quantity worth about 12 USDT. */
  readonly lots: bigint;
}

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;
const unitsOf = (text: string): bigint => BigInt(text.replace('.', ''));
function decimalText(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

async function post(
  url: string,
  at: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<{ status: number; answer: TraderAnswer }> {
  const response = await fetch(`${url}${at}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
    ...(signal && { signal }),
  });
  // The signature of what is acknowledged may differ each time, so repeated answers are compared without it.
  const { ret, data } = (await response.json()) as TraderAnswer;
  return { status: response.status, answer: { ret, data } };
}

/** Signs up over HTTP, gets test money of every traded asset, and returns the token. */
export async function signUpTrader(url: string, n: number): Promise<string> {
  const phone = `08${String(20_000_000 + n * 1237)}`;
  await fetch(`${url}/api/users/sms?userphone=${phone}&must=register`);
  const [sent] = (await (await fetch(`${url}/demo/outbox?to=${phone}`)).json()) as { code: string }[];
  const { answer } = await post(url, '/api/users/register', {
    mode: 'phone',
    phone,
    code: sent?.code ?? '',
    password: 'Mekong77',
    paypass: '830274',
    username: `trader${n}`,
    currency: 'BAHT',
    invite_code: 'WELCOME',
    agree: 'true',
  });
  const { token } = answer.data as { token?: string };
  if (!token) throw new Error(`sign-up failed: ${JSON.stringify(answer)}`);
  for (const [asset, amount] of [['USDT', '100000'], ...COINS_TRADED.map((coin) => [coin, '10'])] as const)
    await post(url, '/demo/fund', { asset: asset ?? '', amount: amount ?? '' }, { token });
  return token;
}

async function readMarkets(url: string): Promise<Market[]> {
  const { data } = (await (await fetch(`${url}/api/coin/lists`)).json()) as {
    data: { code: string; price: string; tick: string; lot: string }[];
  };
  return data
    .filter(({ code }) => COINS_TRADED.includes(code))
    .map(({ code, price, tick, lot }) => {
      const [decimals, lotDecimals] = [decimalsOf(tick), decimalsOf(lot)];
      const mid = unitsOf(Number(price).toFixed(decimals));
      return { code, decimals, mid, lotDecimals, lots: (12n * 10n ** BigInt(decimals + lotDecimals)) / mid + 1n };
    });
}

/** Repeats the same request, alternating between the servers, until it gets a final answer. */
async function untilAnswered(
  urls: readonly string[],
  { token, at, key, form }: Pick<AnsweredCommand, 'token' | 'at' | 'key' | 'form'>,
  onRepeat: (broken: string | null) => void,
): Promise<TraderAnswer> {
  for (let attempt = randomInt(urls.length); ; attempt++) {
    try {
      const headers = { token, 'idempotency-key': key, lang: 'en' };
      const signal = AbortSignal.timeout(ANSWER_MAX_MS);
      const { status, answer } = await post(urls[attempt % urls.length] ?? '', at, form, headers, signal);
      if (status === 200) return answer;
      onRepeat(status === 503 ? null : `${status} ${at} ${JSON.stringify(answer)}`);
    } catch {
      // The server was unreachable, or went down during the request.
      onRepeat(null);
    }
    await pause(20 + randomInt(80));
  }
}

/** Repeats answered requests, each of which must get the same answer. Returns those that differ. */
export async function repeatCommands(
  urls: readonly string[],
  answered: readonly AnsweredCommand[],
): Promise<unknown[]> {
  const different: unknown[] = [];
  const queue = [...answered];
  const worker = async (): Promise<void> => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      const again = await untilAnswered(urls, one, () => undefined);
      if (JSON.stringify(again) !== JSON.stringify(one.answer)) different.push({ ...one, again });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return different;
}

/** Each customer of `tokens` places and revokes orders at random, one request after another, until stopped. */
export async function startTraders(urls: readonly string[], tokens: readonly string[]): Promise<RunningTraders> {
  const markets = await readMarkets(urls[0] ?? '');
  const answered: AnsweredCommand[] = [];
  const broken: string[] = [];
  let repeated = 0;
  let isOver = false;

  const trade = async (token: string): Promise<void> => {
    const mayRest: string[] = [];
    while (!isOver) {
      const revokes = mayRest.length > OPEN_MAX || (mayRest.length > 0 && randomInt(4) === 0);
      const [id] = revokes ? mayRest.splice(randomInt(mayRest.length), 1) : [];
      const at = id === undefined ? '/api/coin/trans/add' : '/api/coin/trans/close';
      const form = id === undefined ? randomOrder(markets[randomInt(markets.length)] as Market) : { id };
      const request = { token, at, key: randomUUID(), form };
      const sentMs = performance.now();
      const answer = await untilAnswered(urls, request, (fault) => {
        repeated++;
        if (fault !== null) broken.push(fault);
      });
      answered.push({ ...request, answer, sentMs, answeredMs: performance.now() });
      const order = answer.data as ContractOrder;
      if (answer.ret === 1 && id === undefined && ['open', 'partial'].includes(order.status)) mayRest.push(order.id);
    }
  };
  const trading = Promise.all(tokens.map(trade));
  return {
    answered,
    broken,
    repeated: () => repeated,
    async stop() {
      isOver = true;
      await trading;
    },
  };
}

function randomOrder({ code, decimals, mid, lotDecimals, lots }: Market): Record<string, string> {
  const side = randomInt(2) === 0 ? 'buy' : 'sell';
  const quantity = decimalText(lots * BigInt(1 + randomInt(5)), lotDecimals);
  if (randomInt(12) === 0) return { code, side, type: 'market', quantity };
  // Prices reach slightly beyond the middle, so that about half of the orders match.
  const steps = BigInt(randomInt(LEVELS) - 4) * (side === 'buy' ? -1n : 1n);
  const price = decimalText(mid + (steps * mid) / 2_000n, decimals);
  const [tif, postOnly] = ([[], [], [], ['IOC'], ['FOK'], ['GTC', 'true']] as const)[randomInt(6)] ?? [];
  return { code, side, type: 'limit', price, quantity, ...(tif && { tif }), ...(postOnly && { post_only: postOnly }) };
}
