import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
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

const START = `SwaggerUIBundle({ url: '/api/docs/json', dom_id: '#calls', deepLinking: true, docExpansion: 'list', validatorUrl: null });`;

/** This policy is only for these pages, because Swagger UI has icons in data URLs and sets inline styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const ROOT = path.join(import.meta.dirname, '..', '..', '..', '..', '..');
const VERIFICATION_PAGE = path.join(ROOT, 'docs', 'verification.md');
const VECTORS_FOLDER = path.join(ROOT, 'packages', 'proof', 'vectors');

/** The pages for authors of other verifiers: every format byte by byte, and test vectors. */
function serveVerification(app: FastifyInstance): void {
  const vectors = new PageFiles(VECTORS_FOLDER, '.');
  const page = readFileSync(VERIFICATION_PAGE);
  app.get('/api/docs/verification', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(page),
  );
  for (const name of readdirSync(VECTORS_FOLDER)) {
    app.get(`/api/docs/verification/${name}`, async (request, reply) => {
      const file = vectors.find(`/${name}`);
      return file === null ? reply.callNotFound() : sendPageFile(request, reply, file);
    });
  }
}

/** `/api/docs`, `/api/docs/json` for programs, and `/api/docs/verification` about verifying receipts and chains. */
export async function serveDocs(app: FastifyInstance, mode: 'demo' | 'live', title: string): Promise<void> {
  const files = new PageFiles(UI_FOLDER, 'swagger-ui-bundle.js');
  const description = JSON.stringify(describeCalls(mode, title));
  const page = pageOf(title);
  app.addHook('onRequest', async (_request, reply) => {
    reply
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
  });
  serveVerification(app);
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
  );
  app.get('/api/docs/json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(description),
  );
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
