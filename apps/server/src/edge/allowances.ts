import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that the request's token opened; set before its allowance is looked at. */
    sessionId: string;
  }
}

/** Takes one from the caller's allowance: 0 when there was one, otherwise the seconds until there is more. */
export type Allowance = (request: FastifyRequest) => Promise<number>;

export interface Allowances {
  readonly address: Allowance;
  readonly signIn: Allowance;
  readonly session: Allowance;
}

const WINDOW_MS = 60_000;
/** Callers remembered by each allowance; more than that at once and the least recent is forgotten. */
const CALLERS_MAX = 100_000;

/** An address counts as its line: an IPv6 customer has a whole /64 to send from. */
export async function openAllowances(app: FastifyInstance, limits: Limits): Promise<Allowances> {
  app.decorateRequest('sessionId', '');
  await app.register(rateLimit, { global: false, cache: CALLERS_MAX });
  const allowance = (max: number, keyGenerator?: (request: FastifyRequest) => string): Allowance => {
    const take = app.createRateLimit({ max, timeWindow: WINDOW_MS, ...(keyGenerator ? { keyGenerator } : {}) });
    return async (request) => {
      const taken = await take(request);
      return taken.isAllowed || !taken.isExceeded ? 0 : taken.ttlInSeconds;
    };
  };
  return {
    address: allowance(limits.requestsPerAddress),
    signIn: allowance(limits.signInsPerAddress),
    // By the session that was found, not by the token that was sent: made-up tokens give no fresh allowance.
    session: allowance(limits.requestsPerSession, (request) => request.sessionId),
  };
}
