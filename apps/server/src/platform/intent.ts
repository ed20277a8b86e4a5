import assert from 'node:assert';
import { hash } from 'node:crypto';

/** An idempotency id with a digest of the request's content. */
export interface Intent {
  /** A UUID. The same id with the same digest gets the first answer again. */
  readonly id: string;
  readonly digest: string;
}

/** The namespace of this platform's request ids (RFC 9562, name-based). */
const NAMESPACE = Buffer.from('6f2b1c9e0f5d5b0a9d3c7a4e53617468', 'hex');
/** The two highest bits of the variant's digit are `10`; the others come from the digest. */
const VARIANTS = ['8', '9', 'a', 'b'];

/** A buffer for namespace and name, reused for each hash; names are far shorter. */
const scratch = Buffer.alloc(1024);
NAMESPACE.copy(scratch);

/** UUID version 5 (SHA-1 over a namespace and a name). */
export function uuidOfName(name: string): string {
  assert(name.length * 3 < scratch.length - NAMESPACE.length, 'a short name');
  const end = NAMESPACE.length + scratch.write(name, NAMESPACE.length);
  const digest = hash('sha1', scratch.subarray(0, end), 'hex');
  const variant = VARIANTS[digest.charCodeAt(16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
