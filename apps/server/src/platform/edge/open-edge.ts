import assert from 'node:assert';
import { isUtf8 } from 'node:buffer';
import { lookup } from 'node:dns/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import multipart from '@fastify/multipart';
import {
  askFactorReset,
  CALLS,
  type Call,
  enterPractice,
  finishEnrolment,
  finishPasskeyLogin,
  finishPasskeySignIn,
  forgetPassword,
  loginCustomer,
  loginOperator,
  type ResultOf,
  readOutbox,
  registerCustomer,
  sendEmailCode,
  sendSmsCode,
  startEnrolment,
  startPasskeyLogin,
  startPasskeySignIn,
  stopFactorResetByWord,
  writeAsVisitor,
} from '@sathorn/api';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import Fastify from 'fastify';
import { systemElapsedMs } from '../clock.ts';
import {
  answerNotBuilt,
  type CallDependencies,
  type CallPage,
  CallReception,
  type CallRoute,
  languageOfRequest,
  sendAnswer,
} from './call-reception.ts';
import { crossSiteRule } from './cross-site.ts';
import { DOCS_PATHS, serveDocs } from './docs-page.ts';
import type { Edge, EdgeDependencies } from './edge.ts';
import type { Handler } from './handle.ts';
import { serveHealth } from './health.ts';
import { hostRule } from './host-rule.ts';
import { HttpGate } from './http-gate.ts';
import { DEFAULT_HTTP_TIMEOUTS, EDGE_LIMITS, type EdgeLimits, HTTP_LIMITS } from './limits.ts';
import { openMetrics, serveMetrics } from './metrics.ts';
import { limitedNetworksOf } from './networks.ts';
import { isDemoPath, pathOfCall } from './open-api.ts';
import { outboxPage } from './outbox-page.ts';
import { servePages } from './pages.ts';
import { clientAddressOf, plainAddress, proxyTrustOf } from './proxy-hops.ts';
import { PublicReads } from './public-reads.ts';
import { openRateLimiters } from './rate-limiters.ts';
import { answerStatus, answerThrown } from './reply.ts';
import { HSTS_HEADER } from './security-headers.ts';
import type { OperatorSessions } from './sessions.ts';
import { STREAM_PATH, Stream } from './stream.ts';
import { STREAM_LIMITS } from './stream-limits.ts';
import { TopicTable } from './topic-source.ts';
import { UploadSlots } from './upload-slots.ts';

/** Calls at which attackers guess or strangers write; they count against the sign-in limit. */
const SIGN_IN_CALLS: ReadonlySet<Call> = new Set<Call>([
  loginCustomer,
  registerCustomer,
  forgetPassword,
  sendSmsCode,
  sendEmailCode,
  startPasskeySignIn,
  finishPasskeySignIn,
  enterPractice,
  askFactorReset,
  stopFactorResetByWord,
  writeAsVisitor,
]);

const OPERATOR_SIGN_IN_CALLS: ReadonlySet<Call> = new Set<Call>([
  loginOperator,
  startEnrolment,
  finishEnrolment,
  startPasskeyLogin,
  finishPasskeyLogin,
]);

/** The sign-in limit that a call counts against; null for none. */
function doorOf(call: Call): CallRoute['door'] {
  if (SIGN_IN_CALLS.has(call)) return 'signIn';
  return OPERATOR_SIGN_IN_CALLS.has(call) ? 'operatorSignIn' : null;
}

function openFastify(
  options: EdgeDependencies,
  limits: EdgeLimits,
  createServer: (serve: (request: IncomingMessage, response: ServerResponse) => void) => Server,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: limits.formBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    trustProxy: proxyTrustOf(options.proxyHops ?? 0),
    // Queries are not parsed here, because each call's own schema reads its fields from the raw text.
    routerOptions: { caseSensitive: true, querystringParser: () => ({}) },
    serverFactory: (serve) => createServer(serve),
    // The gate answers these errors on every server.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) =>
      sendAnswer(
        reply,
        answerThrown(error, languageOfRequest(request), (thrown) => options.report(thrown, pathOf(request))),
      ),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, body, done) => {
    const bytes = body as Buffer;
    if (isUtf8(bytes)) done(null, bytes.toString());
    else done(Object.assign(new Error('form is not UTF-8'), { statusCode: 400 }));
  });
  return app;
}

/** `localhost` has an IPv4 and an IPv6 address, but Fastify binds one. Returns servers on the others. */
async function bindOthers(app: FastifyInstance, host: string, create: () => Server): Promise<Server[]> {
  const bound = app.server.address();
  if (host !== 'localhost' || bound === null || typeof bound === 'string') return [];
  const servers: Server[] = [];
  for (const { address } of await lookup(host, { all: true })) {
    if (address === bound.address) continue;
    const server = create();
    const isBound = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen({ host: address, port: bound.port }, () => done(true));
    });
    if (isBound) servers.push(server);
  }
  return servers;
}

/** The methods of each path, to tell a wrong method from a wrong path. */
function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  const add = (path: string, method: string): void => {
    methods.set(path, [...(methods.get(path) ?? []), method]);
  };
  for (const call of Object.values(CALLS)) add(pathOfCall(call), call.method);
  for (const path of ['/api/health', STREAM_PATH, ...DOCS_PATHS]) add(path, 'GET');
  return methods;
}

function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/') || isDemoPath(path) || path === '/metrics';
}

/** The path for the log, without the query, which may contain a phone number. */
function pathOf({ raw }: FastifyRequest): string {
  return (raw.url ?? '').split('?', 1)[0] ?? '';
}

/** Uploads may wait for a slot, so they have their own time-out. */
const UPLOAD_PATHS: ReadonlySet<string> = new Set(
  Object.values(CALLS)
    .filter(({ takesFile }) => takesFile)
    .map(pathOfCall),
);

const NO_OPERATORS: OperatorSessions = { resolve: async () => null, refused: async () => undefined };

const OUTBOX: CallPage = {
  render: (lines, language) => outboxPage(lines as ResultOf<typeof readOutbox>, language),
  // A program must name a contact; only the page for people shows the codes of everybody.
  named: 'to',
};

/** Uploads have their own scope, because all other routes refuse multipart. */
async function routeUpload(scope: FastifyInstance, route: RouteOptions): Promise<void> {
  // A file that is too large is refused by us, with its field.
  await scope.register(multipart, { throwFileSizeLimit: false });
  scope.route(route);
}

/** Registers a route for every call; those without a handler answer 501. */
async function routeCalls(
  app: FastifyInstance,
  options: EdgeDependencies,
  dependencies: CallDependencies,
): Promise<void> {
  const handlers = new Map<Call, Handler>();
  for (const handler of options.handlers) {
    assert(!handlers.has(handler.call), `two handlers for ${handler.call.path}`);
    handlers.set(handler.call, handler);
  }
  for (const call of Object.values(CALLS)) {
    if (isDemoPath(call.path) && options.mode !== 'demo') continue;
    if (options.isOffered?.(call) === false) continue;
    const handler = handlers.get(call);
    const serve =
      handler === undefined
        ? answerNotBuilt
        : new CallReception({ handler, door: doorOf(call), page: call === readOutbox ? OUTBOX : null }, dependencies)
            .serve;
    const route = { method: call.method, url: pathOfCall(call), handler: serve };
    if (!call.takesFile) app.route(route);
    else await app.register((scope) => routeUpload(scope, route));
  }
}

/** The edge: HTTP and the live stream over the given handlers. It does not listen until `listen`. */
export async function openEdge(options: EdgeDependencies): Promise<Edge> {
  const limits = { ...EDGE_LIMITS[options.mode], ...options.limits };
  const timeouts = { ...DEFAULT_HTTP_TIMEOUTS, ...options.timeouts };
  const httpLimits = { ...HTTP_LIMITS[options.mode], ...options.httpLimits };
  const elapsedMs = options.elapsedMs ?? systemElapsedMs;
  const hops = options.proxyHops ?? 0;
  const gate = new HttpGate({
    limits: httpLimits,
    timeouts,
    networksOf: (request) => limitedNetworksOf(clientAddressOf(request, hops)),
    networksOfSocket: hops === 0 ? ({ remoteAddress }) => limitedNetworksOf(plainAddress(remoteAddress)) : null,
    isUpload: ({ url }) => UPLOAD_PATHS.has((url ?? '').split('?', 1)[0] ?? ''),
  });
  let createServer = (): Server => app.server as Server;
  const app = openFastify(options, limits, (serve) => {
    createServer = () => gate.createServer(serve);
    return createServer();
  });
  const consoleUrl = options.consoleUrl ?? null;
  const placeOf = hostRule({ ownUrls: options.ownUrls ?? null, consoleUrl, proxyHops: hops });
  const site = { proxyHops: hops, isHttps: options.isHttps ?? false };
  const isCrossSite = crossSiteRule({ ...site, allowedOrigins: new Set(options.allowedOrigins) });
  // To the console, pages with the origins that may make customers' calls are foreign sites.
  const isCrossConsole = consoleUrl === null ? isCrossSite : crossSiteRule({ ...site, allowedOrigins: new Set() });
  const metrics = options.metrics ?? openMetrics({ process: false });
  const methods = methodsByPath();

  app.setErrorHandler((error, request, reply) =>
    sendAnswer(
      reply,
      answerThrown(error, languageOfRequest(request), (thrown) => options.report(thrown, pathOf(request))),
    ),
  );
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request);
    const allowed = isDemoPath(path) && options.mode !== 'demo' ? undefined : methods.get(path);
    const isWrongMethod = allowed !== undefined && !allowed.includes(request.method);
    if (isWrongMethod) reply.header('allow', allowed.join(', '));
    return sendAnswer(reply, answerStatus(isWrongMethod ? 405 : 404, languageOfRequest(request)));
  });
  app.addHook('onRequest', (request, reply, done) => {
    const place = placeOf(request.headers, pathOf(request));
    if (place === 'served') return done();
    if (place === 'console_door') return void reply.redirect('/console/');
    const status = place === 'stranger' ? 421 : 404;
    return void sendAnswer(reply, answerStatus(status, languageOfRequest(request)));
  });
  if (options.isHttps) {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('strict-transport-security', HSTS_HEADER);
      done();
    });
  }

  const rateLimiters = openRateLimiters(limits, elapsedMs);
  await routeCalls(app, options, {
    sessions: options.sessions,
    operators: options.operators ?? NO_OPERATORS,
    clock: options.clock,
    elapsedMs,
    rateLimiters,
    reads: new PublicReads(httpLimits, rateLimiters.rows, limits.rowsAtOnce),
    limits,
    uploads: new UploadSlots(limits),
    isCrossSite,
    isCrossConsole,
    report: options.report,
    acknowledge: options.acknowledge ?? null,
    takeOrdered: options.takeOrdered ?? null,
    apiKeys: options.apiKeys ?? null,
    count: metrics.countAnswer,
  });
  serveHealth(app, options.readiness, options.condition);
  serveMetrics(app, metrics, options.metricsToken);
  app.get(STREAM_PATH, (request, reply) =>
    sendAnswer(reply.header('upgrade', 'websocket'), answerStatus(426, languageOfRequest(request))),
  );
  await app.register(async (scope) => serveDocs(scope, options));
  await app.register(async (scope) => servePages(scope, options.folders, options.isHttps ?? false, isApiPath));

  const stream = new Stream({
    bus: options.bus,
    clock: options.clock,
    elapsedMs,
    sessions: options.sessions,
    operators: options.operators ?? NO_OPERATORS,
    apiKeys: options.apiKeys ?? null,
    topics: new TopicTable(options.topics),
    limits: { ...STREAM_LIMITS[options.mode], ...options.streamLimits },
    isCrossSite: ({ headers }) => isCrossSite(headers),
    networksOf: (request) => limitedNetworksOf(clientAddressOf(request, hops)),
    addressOf: (request) => clientAddressOf(request, hops),
    report: options.report,
  });
  stream.attach(app.server as Server);
  metrics.watch('sathorn_stream_clients', 'Connections of the live stream.', () => stream.size);

  return {
    async listen(address) {
      const url = await app.listen(address);
      for (const server of await bindOthers(app, address.host, createServer)) stream.attach(server);
      return url;
    },
    async close(graceMs = 5_000) {
      stream.close();
      await gate.drain(graceMs);
      gate.close();
      await app.close();
    },
  };
}
