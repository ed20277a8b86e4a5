import type { FastifyInstance } from 'fastify';
import { languageOfRequest, sendAnswer } from './call-reception.ts';
import { answerAccepted, answerStatus } from './reply.ts';

/** Null when everything works; otherwise what is not ready, for the operator. */
export type CheckReadiness = () => Promise<string | null>;

/**
 * The state that operators see beside `ready`. A halted ledger is part of it and does not make the server unready,
 * because sending customers to another server would not help.
 */
export type HealthCondition = Readonly<Record<string, string | number>>;

/** `/api/health`: 200 when ready, otherwise 503 with the reason. Simultaneous probes share one check. */
export function serveHealth(app: FastifyInstance, readiness: CheckReadiness, condition?: () => HealthCondition): void {
  let asking: Promise<string | null> | null = null;
  const ask = (): Promise<string | null> => {
    asking ??= readiness()
      .catch((error: unknown) => (error instanceof Error ? error.name : 'unknown'))
      .finally(() => {
        asking = null;
      });
    return asking;
  };
  app.get('/api/health', async (request, reply) => {
    const language = languageOfRequest(request);
    const reason = await ask();
    if (reason === null) return sendAnswer(reply, answerAccepted({ ready: true, ...condition?.() }, language));
    return sendAnswer(reply, answerStatus(503, language, { retryAfterSeconds: 1, params: { reason } }));
  });
}
