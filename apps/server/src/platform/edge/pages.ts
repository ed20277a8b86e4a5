import helmet from '@fastify/helmet';
import { PAGES_NOT_IN_PRACTICE } from '@sathorn/api';
import { type Language, languageOf, localeTagOf, textDirectionOf } from '@sathorn/text';
import { httpStatusText, translate } from '@sathorn/text/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AnswerCache } from './answer-cache.ts';
import { escapeHtml } from './escape-html.ts';
import { acceptedEncoding, type PageFile, PageFiles } from './page-files.ts';
import { ASSET_HEADERS, PERMISSIONS_POLICY, pageHelmet } from './security-headers.ts';

export interface PageFolders {
  /** The folder of the built app. */
  readonly web: string;
  /** The folder of the operators' built app, served under `/console/`. */
  readonly console?: string;
  /** On a practice platform the real one's origin: the app's first paint already marks that money is not real. */
  readonly practiceOf?: string | undefined;
  /** The platform's own pictures and banners, served under `/pictures/`. */
  readonly pictures: string;
  /** Pictures that operators uploaded, served under `/pictures/content/`. They are WebP that we encoded ourselves. */
  readonly readPicture?: (id: string) => Promise<Buffer | null>;
  readonly plainPages?: readonly PlainPage[];
  readonly publicFiles?: readonly PublicFiles[];
}

/** A file that programs read. */
export interface PublicFile {
  readonly bytes: Buffer;
  /** True for bytes that never change at this address, false for a text of now; an empty one is answered with 204. */
  readonly isImmutable: boolean;
}

/** Files below a path, made by a module. */
export interface PublicFiles {
  /** Such as `/log/`. */
  readonly prefix: string;
  /** Null if there is none with this name behind the prefix. */
  read(name: string): Promise<PublicFile | null>;
}

/** A page without scripts, for browsers in which the app does not load. */
export interface PlainPage {
  /** The path, such as `/status`. */
  readonly path: string;
  /** Implementations must cache, because anyone may request the page at any rate. */
  render(language: Language): Promise<string>;
}

const UPLOADED = /^\/pictures\/content\/([A-Za-z0-9_-]{22})\.webp$/;
/** The size of a cache of bytes that never change and that visitors request without a session. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** A link to an app's page whose # was percent-encoded, so that the fragment arrives as a path. */
const LOST_HASH = /^(\/(?:console\/)?)(?:index\.html)?%23(.*)$/s;
const FOREVER = 'public, max-age=31536000, immutable';

export async function sendPageFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile,
): Promise<FastifyReply> {
  reply.header('etag', file.etag).header('cache-control', file.cacheControl).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const encoding = file.isCompressible
    ? acceptedEncoding(String(request.headers['accept-encoding'] ?? ''))
    : 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(file.type).send(await file.body(encoding));
}

/** A page with one sentence, for browsers that request a missing page. */
function sentencePage(request: FastifyRequest, sentence: string): string {
  const language = languageOf(request.headers['accept-language']);
  const text = escapeHtml(sentence);
  return `<!doctype html><html lang="${localeTagOf(language)}" dir="${textDirectionOf(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title><p>${text}</p></html>`;
}

/** Serves the app and everything else that a browser shows. All responses except hashed files get helmet's headers. */
export async function servePages(
  app: FastifyInstance,
  folders: PageFolders,
  isHttps: boolean,
  isOurs: (path: string) => boolean,
): Promise<void> {
  const { practiceOf } = folders;
  const marks = `data-practice="${escapeHtml(practiceOf ?? '')}" data-without="${escapeHtml(PAGES_NOT_IN_PRACTICE)}"`;
  const mark = (html: string) => html.replace('<html ', () => `<html ${marks} `);
  const web = new PageFiles(folders.web, 'index.html', practiceOf === undefined ? undefined : mark);
  const operators = folders.console === undefined ? null : new PageFiles(folders.console);
  const pictures = new PageFiles(folders.pictures, '.');
  const uploaded = new AnswerCache(KEPT_BYTES);
  const immutable = new AnswerCache(KEPT_BYTES);
  const findPublic = async (path: string): Promise<PublicFile | null> => {
    const bytes = immutable.get(path);
    if (bytes !== undefined) return { bytes, isImmutable: true };
    const files = folders.publicFiles?.find(({ prefix }) => path.startsWith(prefix));
    const found = (await files?.read(path.slice(files.prefix.length))) ?? null;
    if (found?.isImmutable) immutable.keep(path, found.bytes);
    return found;
  };
  const findUploaded = async (path: string): Promise<Buffer | null> => {
    const id = UPLOADED.exec(path)?.[1];
    if (id === undefined || !folders.readPicture) return null;
    const kept = uploaded.get(id);
    if (kept !== undefined) return kept;
    const bytes = await folders.readPicture(id);
    if (bytes !== null) uploaded.keep(id, bytes);
    return bytes;
  };
  /** The console routes by hash, so it has only one page. */
  const findInConsole = (path: string): PageFile | null =>
    operators?.find(path === '/console' || path === '/console/' ? '/index.html' : path.slice('/console'.length)) ??
    null;
  await app.register(helmet, { ...pageHelmet(isHttps), global: false });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const path = (request.raw.url ?? '/').split('?', 1)[0] ?? '/';
      // API paths that match no call or method get the envelope instead of a page.
      if (isOurs(path)) return reply.callNotFound();
      const isConsole = path === '/console' || path.startsWith('/console/');
      const file = path.startsWith('/pictures/')
        ? pictures.find(path.slice('/pictures'.length))
        : isConsole
          ? findInConsole(path)
          : web.find(path === '/' ? '/index.html' : path);
      if (file?.isHashed) return sendPageFile(request, reply.headers(ASSET_HEADERS), file);
      reply.helmet();
      reply.header('permissions-policy', PERMISSIONS_POLICY);
      const [, app, page] = LOST_HASH.exec(request.raw.url ?? '/') ?? [];
      if (app !== undefined) return reply.redirect(`${app}#${page}`);
      const picture = await findUploaded(path);
      if (picture !== null) return reply.header('cache-control', FOREVER).type('image/webp').send(picture);
      const found = await findPublic(path);
      if (found?.isImmutable)
        return reply.header('cache-control', FOREVER).type('application/octet-stream').send(found.bytes);
      if (found !== null)
        return reply
          .code(found.bytes.length > 0 ? 200 : 204)
          .header('cache-control', 'no-store')
          .type('text/plain; charset=utf-8')
          .send(found.bytes);
      const plain = folders.plainPages?.find((page) => page.path === path);
      if (plain) {
        const html = await plain.render(languageOf(request.headers['accept-language']));
        return reply
          .header('cache-control', 'no-store')
          .header('vary', 'accept-language')
          .type('text/html; charset=utf-8')
          .send(html);
      }
      if (file !== null) return sendPageFile(request, reply, file);
      const language = languageOf(request.headers['accept-language']);
      const isAppMissing = path === '/' || (operators !== null && (path === '/console' || path === '/console/'));
      const sentence = isAppMissing ? translate(language, 'edge.app_not_built') : httpStatusText(language, 404);
      return reply
        .code(isAppMissing ? 503 : 404)
        .type('text/html; charset=utf-8')
        .send(sentencePage(request, sentence));
    },
  });
}
