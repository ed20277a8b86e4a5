import { timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  countAnswer(route: string, status: number, seconds: number): void;
  /** `read` is called at each scrape. */
  watch(name: string, help: string, read: () => number): void;
}

const SAMPLED = 16;

/** Each process opens its own; the startup code adds the metrics of the modules. */
export function openMetrics(options: { process?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.process ?? true) collectDefaultMetrics({ register: registry });
  // Requests are counted in plain numbers and passed to the library at each scrape, because the library's own counting
  // costs more than parsing a request.
  const tallies = new Map<string, number[]>();
  new Counter({
    name: 'sathorn_answers_total',
    help: 'Answers by route and HTTP status.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, byStatus] of tallies) {
        byStatus.forEach((count, status) => {
          this.inc({ route, status: String(status) }, count);
        });
      }
    },
  });
  const seconds = new Histogram({
    name: 'sathorn_answer_seconds',
    help: `From the parsed request to its answer; one in ${SAMPLED} answers is timed.`,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  let untilSample = SAMPLED;
  return {
    registry,
    countAnswer(route, status, took) {
      let byStatus = tallies.get(route);
      if (byStatus === undefined) {
        // A sparse array with only the statuses that occurred.
        byStatus = [];
        tallies.set(route, byStatus);
      }
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      untilSample -= 1;
      if (untilSample > 0) return;
      untilSample = SAMPLED;
      seconds.observe(took);
    },
    watch(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
  };
}

function isLoopback(request: FastifyRequest): boolean {
  // Behind a proxy on this machine every request looks local; these headers reveal the proxy.
  if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined) return false;
  const ip = request.ip.startsWith('::ffff:') ? request.ip.slice(7) : request.ip;
  return ip === '::1' || (isIPv4(ip) && ip.startsWith('127.'));
}

function carries(request: FastifyRequest, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** `/metrics` for Prometheus: from this machine only, or with the token if one is set. Anyone else gets 404. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.get('/metrics', async (request, reply) => {
    if (!(token === undefined ? isLoopback(request) : carries(request, token))) return reply.callNotFound();
    return reply
      .type(metrics.registry.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.registry.metrics());
  });
}
