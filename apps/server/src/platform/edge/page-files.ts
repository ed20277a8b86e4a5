import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const COMPRESSED = /^(text|image\/svg|application\/(json|manifest))/;
/** Names of build files that never change, such as `index-BxR3k9Qz.js`. */
const HASHED = /^\/assets\/.*-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/;
const WORTH_COMPRESSING = 1024;

export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** The best that an `accept-encoding` header allows. */
export const acceptedEncoding = (header = ''): ContentEncoding =>
  /\bbr\b/.test(header) ? 'br' : /\bgzip\b/.test(header) ? 'gzip' : 'identity';

export interface PageFile {
  readonly type: string;
  /** A build file whose name changes with its content. */
  readonly isHashed: boolean;
  readonly isCompressible: boolean;
  readonly etag: string;
  readonly cacheControl: string;
  body(encoding: ContentEncoding): Promise<Buffer>;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

class LoadedFile implements PageFile {
  readonly type: string;
  readonly isHashed: boolean;
  readonly etag: string;
  readonly cacheControl: string;
  readonly #bytes: Buffer;
  readonly #encoded = new Map<ContentEncoding, Promise<Buffer>>();

  /** `brotli` is the file that the build compressed; undefined if there is none. */
  constructor(name: string, bytes: Buffer, brotli?: Buffer) {
    this.#bytes = bytes;
    if (brotli) this.#encoded.set('br', Promise.resolve(brotli));
    this.type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    this.etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    this.isHashed = HASHED.test(name);
    this.cacheControl = this.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
  }

  get isCompressible(): boolean {
    return this.#bytes.length >= WORTH_COMPRESSING && COMPRESSED.test(this.type);
  }

  /** Compressed by the build, or else once, on the first request. */
  body(encoding: ContentEncoding): Promise<Buffer> {
    if (encoding === 'identity' || !this.isCompressible) return Promise.resolve(this.#bytes);
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded =
        encoding === 'br'
          ? compressBrotli(this.#bytes, {
              params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: this.#bytes.length },
            })
          : compressGzip(this.#bytes);
      this.#encoded.set(encoding, encoded);
    }
    return encoded;
  }
}

/**
 * A folder's files, read into memory on the first request and again after a new build. Names are looked up and never
 * joined to a path, so no request can leave the folder.
 */
export class PageFiles {
  readonly #folder: string;
  /** The file whose change indicates a new build. */
  readonly #marker: string;
  readonly #mark: ((html: string) => string) | undefined;
  #files = new Map<string, LoadedFile>();
  #loadedAt = -1;

  /** `mark` changes the page; by default it is served as it was built. */
  constructor(folder: string, marker = 'index.html', mark?: (html: string) => string) {
    this.#folder = folder;
    this.#mark = mark;
    this.#marker = path.join(folder, marker);
  }

  /** `name` starts with a slash. */
  find(name: string): PageFile | null {
    const builtAt = statSync(this.#marker, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return null;
    if (builtAt !== this.#loadedAt) this.#load(builtAt);
    return this.#files.get(name) ?? null;
  }

  #load(builtAt: number): void {
    const entries: Dirent[] = readdirSync(this.#folder, { withFileTypes: true, recursive: true });
    const files = entries
      .filter((entry) => entry.isFile() && path.extname(entry.name) in TYPES)
      .map((entry) => path.join(entry.parentPath, entry.name));
    const compressed = new Map(
      entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.br'))
        .map(({ parentPath, name }) => [path.join(parentPath, name), readFileSync(path.join(parentPath, name))]),
    );
    const named = files.map(
      (file) => [`/${path.relative(this.#folder, file).split(path.sep).join('/')}`, file] as const,
    );
    this.#files = new Map(
      named
        // Hidden files of the build, such as source names, are not served.
        .filter(([name]) => !name.includes('/.'))
        .map(([name, file]) => {
          const bytes = readFileSync(file);
          const page = name === '/index.html' && this.#mark?.(bytes.toString('utf8'));
          return [
            name,
            page ? new LoadedFile(name, Buffer.from(page)) : new LoadedFile(name, bytes, compressed.get(`${file}.br`)),
          ];
        }),
    );
    this.#loadedAt = builtAt;
  }
}
