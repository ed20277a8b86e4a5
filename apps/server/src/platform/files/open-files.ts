import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Module } from '../module.ts';
import { Semaphore } from '../semaphore.ts';
import type { Files, FilesDependencies } from './files.ts';
import { openPictureDrawer } from './picture-drawer.ts';
import {
  countPictures,
  deleteOldAvatars,
  deletePicture,
  deleteUnusedPictures,
  findPicture,
  insertPicture,
  lockPictureOwner,
  type PictureKind,
} from './picture-store.ts';
import { readPictureHandler } from './read-picture.ts';
import type { RedrawnPicture } from './redraw.ts';
import { openSealedFiles } from './sealed-files.ts';
import { uploadPictureHandler } from './upload-picture.ts';

/** Each decoding takes a CPU core and up to 160 MB. */
const DECODED_AT_ONCE = 2;
/** The newest avatar is in use unless the change failed, so the one before it is kept too. */
const AVATARS_KEPT = 2;
export const PICTURES_MAX = 50;
/** Documents of earlier applications are stored with the decisions about them, so the limit is high. */
const DOCUMENTS_MAX = 90;
/**
 * The limit for conversations with customer service, separate from documents, so that a long conversation does not
 * block a certification.
 */
const ATTACHMENTS_MAX = 200;
/** Pictures that staff send to one customer. */
const ANSWERS_MAX = 200;
/** Uploads are used at once or never, so unused ones are deleted after this time. */
const UNUSED_MAX_MS = 24 * 3_600_000;

/** Kinds that are encrypted with a key of their customer, and shown to staff only with a mark. */
const OF_CUSTOMERS: ReadonlySet<PictureKind> = new Set(['document', 'attachment', 'answer', 'visitor']);

/** The owner of visitors' pictures. */
export const NO_OWNER = 0n;
/** Operators' uploads have negative owners, which no customer has. */
export const ownerOfStaff = (operator: bigint): bigint => -operator;

/** A failure that is worth a retry. */
class PictureFault extends Error {
  readonly statusCode = 503;
}

export function openFiles({
  database,
  dataDir,
  secrets,
  picturesMax = PICTURES_MAX,
}: FilesDependencies): Module<Files> {
  const files = openSealedFiles(path.join(dataDir, 'files'), secrets.filesKey);
  const decoding = new Semaphore(DECODED_AT_ONCE);
  const drawer = openPictureDrawer();

  /** The file is written before the row, so a row always has its file. A file without a row is never served. */
  const keep = async (owner: bigint, kind: PictureKind, drawn: RedrawnPicture, now: Date): Promise<string | null> => {
    const id = randomBytes(16).toString('base64url');
    await files.write(id, owner, drawn.bytes, OF_CUSTOMERS.has(kind));
    const isKept = await database
      .transaction(async (transaction) => {
        await lockPictureOwner(transaction, owner);
        const max = {
          picture: picturesMax,
          document: DOCUMENTS_MAX,
          attachment: ATTACHMENTS_MAX,
          answer: ANSWERS_MAX,
          avatar: null,
          // The limit on visitors' messages limits these too.
          visitor: null,
        }[kind];
        if (max !== null && (await countPictures(transaction, owner, kind)) >= max) return false;
        const { width, height } = drawn;
        await insertPicture(transaction, { id, owner, kind, width, height, bytes: drawn.bytes.length, at: now });
        return true;
      })
      .catch(async (error: unknown) => {
        await files.remove(id);
        throw error;
      });
    if (isKept) return id;
    await files.remove(id);
    return null;
  };

  const keepUsed = async (
    kind: 'document' | 'attachment',
    owner: bigint,
    id: string,
    now: Date,
  ): Promise<Decision<string | null, 'picture_quota_used'>> => {
    const row = await findPicture(database, owner, id);
    if (row === null) return accept(null);
    // The picture was stored before: a repeated request gets the same id.
    if (row.kind === kind) return accept(row.id);
    if (row.kind !== 'picture') return accept(null);
    const bytes = await files.read(row.id, owner);
    const kept = await keep(owner, kind, { ...row, bytes }, now);
    if (kept === null) return refuse('picture_quota_used');
    await deletePicture(database, owner, row.id);
    await files.remove(row.id);
    return accept(kept);
  };

  const api: Files = {
    redraw: (bytes) => decoding.run(() => drawer.draw('picture', bytes)),
    async keepPicture(owner, bytes, now) {
      for (const unused of await deleteUnusedPictures(database, owner, new Date(now.getTime() - UNUSED_MAX_MS)))
        await files.remove(unused);
      // The quota is checked before the decoding too, so that requests over the quota cost no CPU time.
      if ((await countPictures(database, owner, 'picture')) >= picturesMax) return refuse('picture_quota_used');
      const drawn = await decoding.run(() => drawer.draw('picture', bytes));
      if (!drawn.ok) return drawn;
      const id = await keep(owner, 'picture', drawn.effect, now);
      return id === null ? refuse('picture_quota_used') : accept({ id });
    },
    async lookOf(bytes) {
      const drawn = await decoding.run(() => drawer.draw('look', bytes));
      if (!drawn.ok) return null;
      const looks = Buffer.from(drawn.effect.bytes);
      return Array.from({ length: looks.length / 32 }, (_, n) => looks.subarray(n * 32, n * 32 + 32));
    },
    async readPicture(owner, id) {
      const row = await findPicture(database, owner, id);
      return row && files.read(row.id, owner);
    },
    keepAsDocument: (owner, id, now) => keepUsed('document', owner, id, now),
    keepAsAttachment: (owner, id, now) => keepUsed('attachment', owner, id, now),
    async keepAsAnswer(operator, id, customer, now) {
      const upload = await findPicture(database, ownerOfStaff(operator), id);
      if (upload === null) return accept(null);
      const bytes = await files.read(upload.id, upload.owner);
      const kept = await keep(customer, 'answer', { ...upload, bytes }, now);
      return kept === null
        ? refuse('picture_quota_used')
        : accept({ id: kept, digest: createHash('sha256').update(bytes).digest('hex') });
    },
    async keepOfVisitor(bytes, now) {
      const drawn = await decoding.run(() => drawer.draw('picture', bytes));
      if (!drawn.ok) return drawn;
      const id = await keep(NO_OWNER, 'visitor', drawn.effect, now);
      if (id === null) throw new PictureFault('a picture was not kept');
      return accept(id);
    },
    async remove(owner, id) {
      if (await deletePicture(database, owner, id)) await files.remove(id);
    },
    async readMarked(owner, id, mark) {
      const row = await findPicture(database, owner, id);
      if (!row || !OF_CUSTOMERS.has(row.kind)) return null;
      const picture = await files.read(row.id, owner);
      const drawn = await decoding.run(() => drawer.draw({ mark }, picture));
      if (!drawn.ok) throw new PictureFault('a document could not be drawn');
      return Buffer.from(drawn.effect.bytes);
    },
    async resolveForAvatar(owner, id, now) {
      const row = await findPicture(database, owner, id);
      if (row === null || OF_CUSTOMERS.has(row.kind)) return null;
      if (row.kind === 'avatar') return row.id;
      const picture = await files.read(row.id, owner);
      const drawn = await decoding.run(() => drawer.draw('avatar', picture));
      // We drew this picture ourselves, so the fault is in the child and not in the picture.
      if (!drawn.ok) throw new PictureFault('an avatar could not be drawn');
      const avatar = await keep(owner, 'avatar', drawn.effect, now);
      for (const old of await deleteOldAvatars(database, owner, AVATARS_KEPT)) await files.remove(old);
      return avatar;
    },
  };
  return { api, handlers: [uploadPictureHandler(api), readPictureHandler(api)] };
}
