import assert from 'node:assert';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const ID = /^[A-Za-z0-9_-]{22}$/;
/** A file's first byte. The format is AES-256-GCM: 12 bytes of nonce, the ciphertext, 16 bytes of tag. */
const FORM = 1;
/** The first byte of files with a separate key per owner, for documents; the format is otherwise the same. */
const OWN_KEY_FORM = 2;
const NONCE = 12;
const TAG = 16;

/** Encrypted files in a folder. Each is bound to its id and owner, so a file that was swapped cannot be decrypted. */
interface SealedFiles {
  write(id: string, owner: bigint, bytes: Buffer, hasOwnKey?: boolean): Promise<void>;
  /** Throws if the file is missing or was changed. */
  read(id: string, owner: bigint): Promise<Buffer>;
  remove(id: string): Promise<void>;
}

export function openSealedFiles(folder: string, key: Buffer): SealedFiles {
  assert(key.length === 32, 'the key of files has 32 bytes');

  const placeOf = (id: string): string => {
    assert(ID.test(id), 'an id of ours');
    return path.join(folder, id.slice(0, 2), id);
  };
  const keyOf = (form: number | undefined, owner: bigint): Buffer =>
    form === OWN_KEY_FORM ? Buffer.from(hkdfSync('sha256', key, '', `sathorn documents ${owner}`, 32)) : key;
  const boundTo = (id: string, owner: bigint): Buffer => Buffer.from(`${id} ${owner}`);

  return {
    async write(id, owner, bytes, hasOwnKey = false) {
      const form = hasOwnKey ? OWN_KEY_FORM : FORM;
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', keyOf(form, owner), nonce).setAAD(boundTo(id, owner));
      const sealed = Buffer.concat([
        Buffer.from([form]),
        nonce,
        cipher.update(bytes),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      const place = placeOf(id);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      // The file is written under another name and renamed, so that a crash leaves no partial file under its own name.
      const file = await open(`${place}.new`, 'w', 0o600);
      try {
        await file.writeFile(sealed);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${place}.new`, place);
    },
    async read(id, owner) {
      const sealed = await readFile(placeOf(id));
      const [form] = sealed;
      assert((form === FORM || form === OWN_KEY_FORM) && sealed.length > 1 + NONCE + TAG, 'a sealed file');
      const decipher = createDecipheriv('aes-256-gcm', keyOf(form, owner), sealed.subarray(1, 1 + NONCE)).setAAD(
        boundTo(id, owner),
      );
      decipher.setAuthTag(sealed.subarray(-TAG));
      return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE, -TAG)), decipher.final()]);
    },
    remove: (id) => rm(placeOf(id), { force: true }),
  };
}
