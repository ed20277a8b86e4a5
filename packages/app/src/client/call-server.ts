import { type Call, ORDERED_HEADER, orderedAs, type RequestOf, type ResultOf } from '@sathorn/api';
import { PRESENTATION_HEADER } from '@sathorn/text';
import * as v from 'valibot';
import { brand } from '#brand';
import { presentationOf, usePreferences } from '../preferences/preferences.ts';
import { endSession, useSession } from '../session/session.ts';
import { type Answer, failureOf } from './answer.ts';
import { noteAnswer } from './answers-heard.ts';
import { takeEarlyAnswer } from './early-answers.ts';
import { encodeForm } from './encode-form.ts';
import { isServerInReach, noteServerHeard, noteServerLost } from './last-heard.ts';
import { noteOrderAnswer, type OrderToSign, signOrder } from './order-signer.ts';

export const REQUEST_TIMEOUT_MS = 60_000;

interface CallOptions {
  /** For a call that moves money or is signed: the same key returns the first answer again. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The demo's calls are outside `/api`. */
export function callAddressOf(call: Call): string {
  return call.path.startsWith('/demo/') ? `${brand.baseUrl}${call.path}` : `${brand.baseUrl}/api${call.path}`;
}

export function sessionHeaders(): Record<string, string> {
  const { token } = useSession.getState();
  const preferences = usePreferences.getState();
  return {
    lang: preferences.language,
    [PRESENTATION_HEADER]: presentationOf(preferences),
    'X-Requested-With': 'XMLHttpRequest',
    ...(token === null ? {} : { token }),
  };
}

/**
 * A device without a connection can still show the last answers to these calls, with their time. They are named by
 * their path, so that the first page need not load them.
 */
export const KEPT: ReadonlySet<string> = new Set([
  '/coin/lists',
  '/coin/data/lists',
  '/third/currency/rate',
  '/coin/data/rate',
  '/coin/trans/rate',
  '/coin/book',
  '/coin/trades',
]);

const loadKept = () => import('./kept-answers.ts');
const keptText = async (address: string) => (await loadKept()).readKeptAnswer(address).catch(() => undefined);
const keepText = async (address: string, text: string) => {
  await (await loadKept()).keepAnswer(address, text).catch(() => undefined);
};

/** Makes a call: form-encoded, typed, with a time-out of 60 s. Throws only for our own bugs. */
export async function callServer<C extends Call>(
  call: C,
  request: RequestOf<C>,
  { idempotencyKey, signal }: CallOptions = {},
): Promise<Answer<ResultOf<C>>> {
  const form = encodeForm(request as Readonly<Record<string, unknown>>);
  const isGet = call.method === 'GET';
  const headers = sessionHeaders();
  const sentToken = headers.token;
  if (!isGet) headers['content-type'] = 'application/x-www-form-urlencoded';
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  const order = orderOf(call, form, idempotencyKey);
  const signed = order && (await signOrder(order));
  if (signed !== null) headers[ORDERED_HEADER] = signed;

  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const withForm = form === '' ? callAddressOf(call) : `${callAddressOf(call)}?${form}`;
  const address = isGet ? withForm : callAddressOf(call);
  // Keeps only the newest page: older pages would take space among the few kept answers.
  const isKept = KEPT.has(call.path) && !/(^|&)(before|page)=/.test(form);
  let response: Response;
  let text: string;
  try {
    const early = isGet ? takeEarlyAnswer(address, headers) : undefined;
    response = await (early ??
      fetch(address, {
        method: call.method,
        headers,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        credentials: 'omit',
        cache: 'no-store',
        ...(isGet ? {} : { body: form }),
      }));
    text = await response.text();
  } catch (fault) {
    if (signal?.aborted) throw fault;
    if (!timeout.aborted) noteServerLost();
    const kept = isKept && !isServerInReach() ? await keptText(withForm) : undefined;
    if (kept !== undefined) return readAnswer(call, 200, kept);
    return failureOf(timeout.aborted ? 'NO_RESPONDING' : 'REQUEST_ERROR');
  }
  const answer = readAnswer(call, response.status, text, sentToken);
  if (answer.ok) {
    noteServerHeard();
    noteAnswer({ route: `${call.method} ${call.path}`, data: answer.data, acknowledged: answer.acknowledged });
    if (isKept) void keepText(withForm, text);
  }
  if (order !== null) noteOrderAnswer(order, answer);
  const seconds = response.headers.get('retry-after') ?? '';
  return answer.ok || !/^[0-9]{1,6}$/.test(seconds) ? answer : { ...answer, retryAfterMs: Number(seconds) * 1_000 };
}

/** Null for a call that no device signs. */
function orderOf(call: Call, form: string, intent: string | undefined): OrderToSign | null {
  const as = orderedAs(call);
  if (as === null || intent === undefined) return null;
  return { call: `${call.method} ${call.path}`, intent, form, isHidden: as === 'hidden' };
}

const envelope = v.object({
  ret: v.picklist([1, 0, -1]),
  msg: v.optional(v.string(), ''),
  data: v.unknown(),
  acknowledged: v.optional(v.unknown()),
});
const refused = v.object({
  code: v.string(),
  fields: v.optional(v.record(v.string(), v.string()), {}),
  params: v.optional(v.record(v.string(), v.string()), {}),
});

/** Parses the envelope by the call's own schema. An unexpected shape is a fault and not an empty value. */
export function readAnswer<C extends Call>(
  call: C,
  status: number,
  text: string,
  sentToken?: string,
): Answer<ResultOf<C>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const body = v.safeParse(envelope, parsed);
  // The request did not reach a call, so the message follows from the status.
  if (status !== 200) return failureOf('http', { status, isAnswered: status < 500 && status !== 408 });
  if (!body.success) return failureOf('UNKNOWN_ERROR', { status });

  const { ret, msg, data, acknowledged } = body.output;
  if (ret === 1) {
    const result = v.safeParse(call.result, data);
    if (!result.success) {
      console.error(
        `${call.method} ${call.path} answered in a shape that is not in the table`,
        result.issues.map(({ path, message }) => `${path?.map(({ key }) => String(key)).join('.')}: ${message}`),
      );
      return failureOf('UNKNOWN_ERROR', { status, isAnswered: true });
    }
    return { ok: true, data: result.output as ResultOf<C>, message: msg, acknowledged };
  }

  const no = v.safeParse(refused, data);
  const details = no.success
    ? no.output
    : { code: ret === -1 ? 'session_required' : 'UNKNOWN_ERROR', fields: {}, params: {} };
  // An answer to an older session must not end the current one.
  if (ret === -1 && sentToken !== undefined && sentToken === useSession.getState().token) endSession(msg);
  return failureOf(ret === -1 ? 'session_required' : details.code, {
    message: msg || null,
    fields: details.fields,
    params: details.params,
    status,
    isAnswered: true,
  });
}
