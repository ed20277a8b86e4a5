import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { describeStream, serversOf } from './async-api.ts';
import { escapeHtml } from './escape-html.ts';
import { describeCalls } from './open-api.ts';
import { PageFiles } from './page-files.ts';
import { sendPageFile } from './pages.ts';

/** Swagger UI's own files. Its Fastify plugin is not used, because that brings a second OpenAPI generator. */
const UI_FOLDER = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
  'static',
);
const UI_FILES = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js']);

const pageOf = (title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}: the calls</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/api/docs/swagger-ui.css"></head>
<body><div id="calls"></div><script src="/api/docs/swagger-ui-bundle.js"></script><script src="/api/docs/start.js"></script></body></html>`;

const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#calls', deepLinking: true, docExpansion: 'list', validatorUrl: null });`;

/** This policy is only for these pages, because Swagger UI has icons in data URLs and sets inline styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export const DOCS_PATHS: readonly string[] = [
  '/api/docs',
  '/api/docs/json',
  '/api/docs/verification',
  '/api/docs/keys',
  '/api/openapi.json',
  '/api/asyncapi.json',
];

const ROOT = path.join(import.meta.dirname, '..', '..', '..', '..', '..');
const VERIFICATION_PAGE = path.join(ROOT, 'docs', 'verification.md');
const KEYS_PAGE = path.join(ROOT, 'docs', 'keys.md');
const VECTORS_FOLDER = path.join(ROOT, 'packages', 'proof', 'vectors');

function serveText(app: FastifyInstance, at: string, file: string): void {
  const page = readFileSync(file);
  app.get(at, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(page),
  );
}

/** The pages for authors of other verifiers: every format byte by byte, and test vectors. */
function serveVerification(app: FastifyInstance): void {
  const vectors = new PageFiles(VECTORS_FOLDER, '.');
  serveText(app, '/api/docs/verification', VERIFICATION_PAGE);
  for (const name of readdirSync(VECTORS_FOLDER)) {
    app.get(`/api/docs/verification/${name}`, async (request, reply) => {
      const file = vectors.find(`/${name}`);
      return file === null ? reply.callNotFound() : sendPageFile(request, reply, file);
    });
  }
}

/**
 * `/api/docs` for people, `/api/openapi.json` and `/api/asyncapi.json` for programs, `/api/docs/verification` about
 * verifying receipts and chains, and `/api/docs/keys` about signing requests.
 */
export async function serveDocs(
  app: FastifyInstance,
  { mode, title, isHttps = false }: { mode: 'demo' | 'live'; title: string; isHttps?: boolean },
): Promise<void> {
  const files = new PageFiles(UI_FOLDER, 'swagger-ui-bundle.js');
  const description = JSON.stringify(describeCalls(mode, title));
  const stream = describeStream(title);
  const page = pageOf(title);
  app.addHook('onRequest', async (_request, reply) => {
    reply
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
  });
  serveVerification(app);
  serveText(app, '/api/docs/keys', KEYS_PAGE);
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
  );
  // The older address stays, because programs know it.
  for (const address of ['/api/openapi.json', '/api/docs/json'])
    app.get(address, (_request, reply) =>
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(description),
    );
  app.get('/api/asyncapi.json', (request, reply) => {
    const url = new URL(`${isHttps ? 'https' : 'http'}://${request.host}`);
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify({ ...stream, servers: serversOf(url) }));
  });
  app.get('/api/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(START),
  );
  for (const name of UI_FILES) {
    app.get(`/api/docs${name}`, async (request, reply) => {
      const file = files.find(name);
      return file === null ? reply.callNotFound() : sendPageFile(request, reply, file);
    });
  }
}
