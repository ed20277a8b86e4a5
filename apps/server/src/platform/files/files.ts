import type { Decision } from '@sathorn/settlement';
import type { Database } from '../database/index.ts';
import type { RedrawnPicture, RedrawRefusal } from './redraw.ts';

export interface Files {
  /** Decodes and redraws a picture, and stores nothing. */
  redraw(bytes: Buffer): Promise<Decision<RedrawnPicture, RedrawRefusal>>;
  /** Decodes, redraws and stores a picture of this customer. */
  keepPicture(
    owner: bigint,
    bytes: Buffer,
    now: Date,
  ): Promise<Decision<{ id: string }, RedrawRefusal | 'picture_quota_used'>>;
  /** WebP; null when this customer has no picture with this id. */
  readPicture(owner: bigint, id: string): Promise<Buffer | null>;
  /**
   * Turns an uploaded picture into a document and deletes the upload. Returns the document's id, or null if this owner
   * has no such picture.
   */
  keepAsDocument(owner: bigint, id: string, now: Date): Promise<Decision<string | null, 'picture_quota_used'>>;
  /** Like `keepAsDocument`, for a picture in a conversation. */
  keepAsAttachment(owner: bigint, id: string, now: Date): Promise<Decision<string | null, 'picture_quota_used'>>;
  /**
   * Stores an operator's upload as an answer to this customer, who can read it from then on. Returns its id and the
   * SHA-256 of its bytes, or null if there is no such upload. The upload stays, so that a failed send can be repeated.
   */
  keepAsAnswer(
    operator: bigint,
    id: string,
    customer: bigint,
    now: Date,
  ): Promise<Decision<{ id: string; digest: string } | null, 'picture_quota_used'>>;
  /** Decodes, redraws and stores the picture of a visitor. It belongs to `NOBODY`, and only staff see it. */
  keepOfVisitor(bytes: Buffer, now: Date): Promise<Decision<string, RedrawRefusal>>;
  /** Perceptual hashes of a stored picture, 32 bytes for it and each of its crops; null if it cannot be read. */
  lookOf(bytes: Buffer): Promise<readonly Buffer[] | null>;
  /** Deletes a picture, such as an answer that was not sent. */
  remove(owner: bigint, id: string): Promise<void>;
  /** A WebP with `mark` drawn all over it, for staff; null if this owner has no such document. */
  readMarked(owner: bigint, id: string, mark: string): Promise<Buffer | null>;
  /** Makes an avatar of 256 × 256. Returns its id, or null if the customer has no such picture. */
  resolveForAvatar(owner: bigint, id: string, now: Date): Promise<string | null>;
}

export interface FilesDependencies {
  readonly database: Database;
  readonly dataDir: string;
  readonly secrets: { readonly filesKey: Buffer };
  readonly picturesMax?: number;
}
