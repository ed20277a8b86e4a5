import {
  type Call,
  KEY_HEADERS,
  keyScopeOf,
  ORDERED_HEADER,
  orderedAs,
  orderedFields,
  type SignedAcknowledgements,
  sendEmailCode,
  sendSmsCode,
  thingsIn,
} from '@sathorn/api';
import type { Decision, Refusing } from '@sathorn/settlement';
import { isLanguage, type Language, languageOf, PRESENTATION_HEADER } from '@sathorn/text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, ElapsedMs } from '../clock.ts';
import { compressAnswer } from './compress-answer.ts';
import { type CrossSiteRule, isOriginUnsaid } from './cross-site.ts';
import { isIdempotencyKey, RetryWindows } from './derive-intent.ts';
import type { Acknowledge, ApiKeys, Handler, KeyedRequest, SignedInCustomer, TakeOrdered } from './handle.ts';
import type { EdgeLimits } from './limits.ts';
import { type LimitedNetwork, limitedNetworksOf } from './networks.ts';
import { parseForm } from './parse-form.ts';
import { plainAddress } from './proxy-hops.ts';
import type { PublicReads } from './public-reads.ts';
import { type RateLimiters, rateLimitHeaders } from './rate-limiters.ts';
import { ReceivedCall } from './received-call.ts';
import {
  answerAccepted,
  answerFaultyFields,
  answerPage,
  answerPlain,
  answerRefusal,
  answerStatus,
  answerThrown,
  type HttpAnswer,
} from './reply.ts';
import { readRequest, requestShapeOf } from './request-shape.ts';
import { API_HEADERS } from './security-headers.ts';
import type { OperatorSession, OperatorSessions, Sessions } from './sessions.ts';
import { readUpload, type UploadedFile } from './upload.ts';
import type { UploadSlots } from './upload-slots.ts';

export interface CallDependencies {
  readonly sessions: Sessions;
  readonly operators: OperatorSessions;
  readonly clock: Clock;
  readonly elapsedMs: ElapsedMs;
  readonly rateLimiters: RateLimiters;
  readonly limits: EdgeLimits;
  readonly uploads: UploadSlots;
  readonly reads: PublicReads;
  readonly isCrossSite: CrossSiteRule;
  /** The cross-site rule for operators' calls. */
  readonly isCrossConsole: CrossSiteRule;
  readonly report: (error: unknown, route: string) => void;
  /** Signs what an answer acknowledges; null where nothing is signed. */
  readonly acknowledge: Acknowledge | null;
  /** Takes the signatures of customers' devices; null where they are ignored. */
  readonly takeOrdered: TakeOrdered | null;
  /** Null where every API key is unknown. */
  readonly apiKeys: ApiKeys | null;
  /** Called for each answer; `seconds` is from the parsed request to the answer. */
  readonly count: (route: string, status: number, seconds: number) => void;
}

export interface CallPage {
  readonly render: (result: unknown, language: Language) => string;
  /** The field without which only a browser gets an answer; programs must send it. */
  readonly named: string;
}

export interface CallRoute {
  readonly handler: Handler;
  /** The stricter limit for calls at which attackers guess (sign-in, sign-up, codes); null for other calls. */
  readonly door: 'signIn' | 'operatorSignIn' | null;
  /**
   * Set for a call that people open in a browser: it answers a browser with a page, and a program without an envelope.
   */
  readonly page: CallPage | null;
}

export function languageOfRequest(request: FastifyRequest): Language {
  const { lang } = request.headers;
  if (typeof lang !== 'string') return languageOf(undefined);
  return isLanguage(lang) ? lang : languageOf(lang);
}

const API_HEAD: readonly string[] = Object.entries(API_HEADERS).flat();

/** Bypasses Fastify, which would build the same head again for each answer. */
export function sendAnswer(
  reply: FastifyReply,
  { status, body, encoding, headers, retryAfterSeconds }: HttpAnswer,
): FastifyReply {
  // The gate has already refused the request.
  if (reply.sent) return reply;
  const head = headers === undefined ? [...API_HEAD] : Object.entries({ ...API_HEADERS, ...headers }).flat();
  const own = reply.getHeaders();
  for (const name in own) head.push(name, String(own[name]));
  if (retryAfterSeconds !== undefined) head.push('retry-after', String(retryAfterSeconds));
  if (encoding !== undefined) head.push('content-encoding', encoding);
  // Closes the connection instead of waiting for the rest of a slow request.
  if (status === 408) head.push('connection', 'close');
  head.push('content-length', String(Buffer.byteLength(body)));
  reply.hijack();
  reply.raw.writeHead(status, head).end(body);
  return reply;
}

function presentationOf(request: FastifyRequest): string | undefined {
  const text = request.headers[PRESENTATION_HEADER];
  return typeof text === 'string' ? text : undefined;
}

function textAfterQuestionMark(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/** The user agent without control characters, shortened to what a list of sessions can show. */
function deviceOf(request: FastifyRequest): string {
  return (request.headers['user-agent'] ?? '').slice(0, 200).replace(/\p{Cc}/gu, '');
}

/** The caller, the time and the caller's address. */
interface Caller {
  readonly customer: SignedInCustomer | null;
  readonly operator: OperatorSession | null;
  readonly language: Language;
  readonly now: Date;
  readonly client: { readonly address: string; readonly device: string };
  readonly networks: readonly LimitedNetwork[];
  /** The request, if an API key signed it. */
  readonly keyed: KeyedRequest | null;
}

/** GET calls that send somebody a code. */
const SENDS: ReadonlySet<Call> = new Set<Call>([sendSmsCode, sendEmailCode]);
const ORDERED_NAME = ORDERED_HEADER.toLowerCase();
const KEY_NAME = KEY_HEADERS.key.toLowerCase();
/** Stands for the session of a caller with an API key. No session has this id. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';
const SESSION_REQUIRED = { ok: false, refusal: 'session_required' } as const;
const ROLE_MISSING = { ok: false, refusal: 'role_missing' } as const;

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : '';
}

function tokenOf({ headers: { token } }: FastifyRequest): string | null {
  return typeof token !== 'string' || token === '' || token.length > 256 ? null : token;
}

/** Handles one call: session, rate limits and fields, then the handler, then the envelope. */
export class CallReception {
  readonly route: string;
  readonly #call: Call;
  readonly #shape: ReturnType<typeof requestShapeOf>;
  readonly #run: (context: unknown) => Promise<Decision<unknown, string>>;
  readonly #reading: NonNullable<Handler['reading']> | null;
  readonly #door: CallRoute['door'];
  readonly #page: CallRoute['page'];
  readonly #dependencies: CallDependencies;
  readonly #retryWindows: RetryWindows;
  /** Requests that move money, by their intent, while they run. */
  readonly #underWay = new Map<string, Promise<Decision<unknown, string>>>();

  constructor({ handler, door, page }: CallRoute, dependencies: CallDependencies) {
    this.#call = handler.call;
    this.route = `${handler.call.method} ${handler.call.path}`;
    this.#shape = requestShapeOf(handler.call);
    this.#run = (context) => handler.run(context as never);
    this.#reading = handler.reading ?? null;
    this.#door = door;
    this.#page = page;
    this.#dependencies = dependencies;
    this.#retryWindows = new RetryWindows(dependencies.elapsedMs);
  }

  readonly serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const startedAt = performance.now();
    const language = languageOfRequest(request);
    let answer: HttpAnswer;
    try {
      answer = await this.#answer(request, reply, language);
    } catch (error) {
      answer = answerThrown(error, language, (thrown) => this.#dependencies.report(thrown, this.route));
    }
    this.#dependencies.count(this.route, answer.status, (performance.now() - startedAt) / 1000);
    if (this.#call.who === 'anyone' && this.#call.method === 'GET')
      answer = await compressAnswer(answer, request.headers['accept-encoding']);
    return sendAnswer(reply, answer);
  };

  async #answer(request: FastifyRequest, reply: FastifyReply, language: Language): Promise<HttpAnswer> {
    const { rateLimiters, isCrossSite, isCrossConsole, clock } = this.#dependencies;
    const isForeign = this.#call.path.startsWith('/admin/') ? isCrossConsole : isCrossSite;
    if (isForeign(request.headers) || (SENDS.has(this.#call) && isOriginUnsaid(request.headers)))
      return answerStatus(403, language);
    const address = plainAddress(request.ip);
    const networks = limitedNetworksOf(address);
    const retryAfterSeconds =
      rateLimiters.address.take(networks) || (this.#door === null ? 0 : rateLimiters[this.#door].take(networks));
    if (retryAfterSeconds > 0) return answerStatus(429, language, { retryAfterSeconds });

    const now = clock.now();
    const client = { address, device: deviceOf(request) };
    const called = { language, now, client, networks, keyed: null };
    if (this.#call.who === 'operator') return this.#answerOperator(request, reply, called);
    if (request.headers[KEY_NAME] !== undefined) return this.#answerKeyed(request, reply, called);
    const customer = await this.#findCustomer(request, now);
    if (customer === null && this.#call.who === 'customer') return answerRefusal(SESSION_REQUIRED, { language });
    const ownRetryAfterSeconds = customer === null ? 0 : this.#takeOf(customer);
    if (ownRetryAfterSeconds > 0) return answerStatus(429, language, { retryAfterSeconds: ownRetryAfterSeconds });

    const caller = { ...called, customer, operator: null };
    return this.#answerWithFile(request, reply, caller, customer?.id ?? networks[0]?.name ?? address);
  }

  /** Answers a request that an API key signs. A token beside it is ignored. */
  async #answerKeyed(
    request: FastifyRequest,
    reply: FastifyReply,
    called: Omit<Caller, 'customer' | 'operator'>,
  ): Promise<HttpAnswer> {
    const { apiKeys, rateLimiters } = this.#dependencies;
    const { language, now, client } = called;
    if (apiKeys === null) return answerRefusal({ ok: false, refusal: 'api_key_unknown' }, { language });
    const keyed: KeyedRequest = {
      key: headerOf(request, KEY_HEADERS.key),
      time: headerOf(request, KEY_HEADERS.time),
      nonce: headerOf(request, KEY_HEADERS.nonce),
      signature: headerOf(request, KEY_HEADERS.signature),
      method: this.#call.method,
      target: request.raw.url ?? '',
      intent: headerOf(request, 'idempotency-key'),
      body: bodyText(request),
      address: client.address,
    };
    const judged = await apiKeys.judge(keyed, keyScopeOf(this.#call), now);
    if (!judged.ok) return answerRefusal(judged, { language });
    const { customerId: id, key } = judged.effect;
    const { movesMoney } = this.#call;
    const retryAfterSeconds = rateLimiters.apiKey.take(key) || (movesMoney ? rateLimiters.money.take(String(id)) : 0);
    const limits = {
      requests: rateLimiters.apiKey.stateOf(key),
      ...(movesMoney && { orders: rateLimiters.money.stateOf(String(id)) }),
    };
    reply.headers(rateLimitHeaders(limits));
    if (retryAfterSeconds > 0) {
      apiKeys.limited(keyed, now);
      return answerStatus(429, language, { retryAfterSeconds });
    }
    const refused = await apiKeys.use(keyed, now);
    if (refused !== null) return answerRefusal(refused, { language });
    const customer = { id, sessionId: NO_SESSION };
    return this.#answerForm(request, reply, { ...called, customer, operator: null, keyed }, null, keyed.body);
  }

  async #answerOperator(
    request: FastifyRequest,
    reply: FastifyReply,
    called: Omit<Caller, 'customer' | 'operator'>,
  ): Promise<HttpAnswer> {
    const { operators, rateLimiters } = this.#dependencies;
    const { language, now } = called;
    const token = tokenOf(request);
    const operator = token === null ? null : await operators.resolve(token, now, called.networks);
    if (operator === null) return answerRefusal(SESSION_REQUIRED, { language });
    const retryAfterSeconds = rateLimiters.operator.take(String(operator.id));
    if (retryAfterSeconds > 0) return answerStatus(429, language, { retryAfterSeconds });
    if (!operator.roles.some((role) => this.#call.roles.includes(role))) {
      await operators.refused(operator, this.route);
      return answerRefusal(ROLE_MISSING, { language });
    }
    // Counts operators under a negative id, which no customer has, so that the two do not share limits.
    return this.#answerWithFile(request, reply, { ...called, customer: null, operator }, -operator.id);
  }

  async #answerWithFile(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    owner: bigint | string,
  ): Promise<HttpAnswer> {
    const { language } = caller;
    if (!this.#call.takesFile) return this.#answerForm(request, reply, caller, null, bodyText(request));
    return this.#dependencies.uploads.run(
      owner,
      () => readUpload(request, this.#dependencies.limits.pictureBytes),
      async (upload) =>
        upload.ok
          ? this.#answerForm(request, reply, caller, upload.file, upload.form)
          : answerRefusal(upload, { language }),
    );
  }

  #takeOf({ id, sessionId }: SignedInCustomer): number {
    const { session, money, upload } = this.#dependencies.rateLimiters;
    const retryAfterSeconds = session.take(sessionId) || (this.#call.movesMoney ? money.take(String(id)) : 0);
    return retryAfterSeconds || (this.#call.takesFile ? upload.take(String(id)) : 0);
  }

  async #findCustomer(request: FastifyRequest, now: Date): Promise<SignedInCustomer | null> {
    const token = tokenOf(request);
    if (token === null) return null;
    const session = await this.#dependencies.sessions.resolve(token, now);
    return session && { id: session.customerId, sessionId: session.sessionId };
  }

  async #answerForm(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    file: UploadedFile | null,
    body: string,
  ): Promise<HttpAnswer> {
    const { language } = caller;
    const query = textAfterQuestionMark(request.raw.url ?? '');
    const isPost = this.#call.method === 'POST';
    const form = parseForm(isPost ? body : query, this.#shape.known, {
      // Uploads by programs may contain fields that the call does not have.
      isExact: isPost && !this.#call.takesFile,
    });
    const read = readRequest(this.#call, this.#shape, form);
    if (!read.ok) return answerFaultyFields(read.faults, language);
    if (isPost && query !== '') {
      // A field in the query of a POST would either duplicate one in the body or be ignored.
      const misplaced = Object.keys(parseForm(query, this.#shape.known).fields);
      if (misplaced.length > 0)
        return answerFaultyFields(Object.fromEntries(misplaced.map((name) => [name, 'duplicate'])), language);
    }
    const isPage = this.#page !== null && request.headers.accept?.includes('text/html') === true;
    if (this.#page !== null && !isPage && form.fields[this.#page.named] === undefined)
      return answerFaultyFields({ [this.#page.named]: 'required' }, language);
    const isOrder = orderedAs(this.#call) !== null;
    // A device's signature is not part of what an API key signs, so the two don't come together.
    const isSigned = isOrder && caller.keyed === null && request.headers[ORDERED_NAME] !== undefined;
    const takesKey = this.#call.movesMoney || isSigned || (isPost && caller.operator !== null);
    const idempotencyKey = takesKey ? this.#readIdempotencyKey(request, reply, caller.keyed) : null;
    if (idempotencyKey === undefined) return answerFaultyFields({ 'Idempotency-Key': 'malformed' }, language);
    // Operators must send a key: the server must never guess whether two equal requests were meant as two.
    if (takesKey && idempotencyKey === null && caller.operator !== null)
      return answerFaultyFields({ 'Idempotency-Key': 'required' }, language);

    const call = new ReceivedCall({
      request: read.request,
      ...caller,
      presentation: presentationOf(request),
      file,
      route: this.route,
      names: this.#shape.names,
      fields: form.fields,
      idempotencyKey,
      retryWindows: this.#retryWindows,
    });
    if (this.#reading !== null) return this.#answerReading(call, caller, this.#reading);
    const unsigned = isSigned ? await this.#takeOrdered(request, call, idempotencyKey) : null;
    if (unsigned !== null) return answerRefusal(unsigned, call.reader);
    if (isOrder && caller.keyed !== null && caller.customer !== null)
      await this.#dependencies.apiKeys?.keepOrder(
        caller.keyed,
        { customer: caller.customer.id, intent: call.intent },
        caller.now,
      );
    const decision = await (this.#call.movesMoney ? this.#runOnce(call) : this.#run(call));
    if (!decision.ok) return answerRefusal(decision, call.reader);
    if (this.#call.isPlain && !isPage) return answerPlain(decision.effect);
    if (this.#page === null)
      return answerAccepted(decision.effect, language, await this.#acknowledge(caller.customer, decision.effect));
    const pageLanguage = languageOf(request.headers.lang?.toString() ?? request.headers['accept-language']);
    return answerPage(this.#page.render(decision.effect, pageLanguage));
  }

  /** A wrong signature is refused; an order without one is carried out and shown as unsigned. */
  async #takeOrdered(
    request: FastifyRequest,
    { customer, now, intent, named }: ReceivedCall,
    key: string | null,
  ): Promise<Refusing<string> | null> {
    const { takeOrdered } = this.#dependencies;
    if (takeOrdered === null || customer === null) return null;
    const signed = {
      customer: customer.id,
      call: this.route,
      key,
      intent,
      fields: orderedFields(named.fields),
      isHidden: orderedAs(this.#call) === 'hidden',
    };
    return takeOrdered(String(request.headers[ORDERED_NAME]), signed, now);
  }

  /** Money has moved already, so a fault only leaves the signature out. */
  async #acknowledge(customer: SignedInCustomer | null, result: unknown): Promise<SignedAcknowledgements | null> {
    const { acknowledge, report } = this.#dependencies;
    if (acknowledge === null || customer === null || this.#call.who !== 'customer') return null;
    try {
      return await acknowledge(customer.id, thingsIn(this.route, result));
    } catch (error) {
      report(error, this.route);
      return null;
    }
  }

  /**
   * Equal requests with one intent share one run. Otherwise a repeat would be judged while the first is still moving
   * the money, and fail because the balance or the code is already used.
   */
  #runOnce(call: ReceivedCall): Promise<Decision<unknown, string>> {
    const key = `${call.intent.id} ${call.intent.digest}`;
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const running = this.#run(call).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, running);
    return running;
  }

  async #answerReading(
    call: ReceivedCall,
    caller: Caller,
    reading: NonNullable<Handler['reading']>,
  ): Promise<HttpAnswer> {
    const { customer, language, now, networks } = caller;
    const { fields, presentation, names } = call.named;
    const key = JSON.stringify([this.route, language, presentation, ...names.map((name) => fields[name])]);
    const request = call.request as never;
    const asker = customer === null ? networks : [{ name: `customer ${customer.id}`, share: 1 }];
    const answer = await this.#dependencies.reads.answer(key, asker, reading.rowsOf(request), async () => {
      const decision = await this.#run(call);
      if (!decision.ok) return { body: Buffer.from(answerRefusal(decision, call.reader).body), isImmutable: false };
      const isImmutable = reading.isImmutable?.(request, decision.effect as never, now) ?? false;
      const accepted = this.#call.isPlain ? answerPlain(decision.effect) : answerAccepted(decision.effect, language);
      return { body: Buffer.from(accepted.body), isImmutable };
    });
    return 'body' in answer
      ? answer
      : answerStatus(answer.status, language, { retryAfterSeconds: answer.retryAfterSeconds });
  }

  /** Null without a key, and then the answer carries a note about it; undefined if the key is malformed. */
  #readIdempotencyKey(
    request: FastifyRequest,
    reply: FastifyReply,
    keyed: KeyedRequest | null,
  ): string | null | undefined {
    // A program's second order is no retry of an equal first one, so its nonce stands for a key that is not sent.
    const key = request.headers['idempotency-key'] ?? keyed?.nonce;
    if (key === undefined && this.#call.who === 'operator') return null;
    if (key === undefined) {
      reply.header('idempotency-derived', 'true; window=10');
      return null;
    }
    return typeof key === 'string' && isIdempotencyKey(key) ? key : undefined;
  }
}

function bodyText(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** Answers a call that has no handler yet. */
export function answerNotBuilt(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendAnswer(reply, answerStatus(501, languageOfRequest(request)));
}
