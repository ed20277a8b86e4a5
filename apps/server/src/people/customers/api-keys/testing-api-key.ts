import { createHmac, generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto';
import { type Call, KEY_HEADERS } from '@sathorn/api';
import { type SignedRequest, writeSignedRequest } from '@sathorn/proof/signed-request';

/** Signs a text: with the private half of a pair, or with a secret. */
export type TestSigner = (text: string) => string;

export function createTestKeyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const signer: TestSigner = (text) => sign(null, Buffer.from(text), privateKey).toString('hex');
  return { publicKey: bytes.toString('hex'), signer };
}

export const signWithSecret =
  (secret: string): TestSigner =>
  (text) =>
    createHmac('sha256', secret).update(text).digest('hex');

export interface TestApiKey {
  readonly id: string;
  readonly signer: TestSigner;
}

export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as a program sends it with its key. `over` changes what is signed, and the headers with it. */
export function signRequest(
  key: TestApiKey,
  call: Pick<Call, 'method' | 'path'>,
  fields: Readonly<Record<string, string>> = {},
  over: Partial<SignedRequest> = {},
): SentRequest {
  const form = new URLSearchParams(fields).toString();
  const path = call.path.startsWith('/demo/') ? call.path : `/api${call.path}`;
  const isPost = call.method === 'POST';
  const target = isPost || form === '' ? path : `${path}?${form}`;
  const body = isPost ? form : '';
  const signed: SignedRequest = {
    key: key.id,
    timeMs: String(Date.now()),
    nonce: randomUUID(),
    method: call.method,
    target,
    intent: '',
    bodyHash: hash('sha256', body, 'hex'),
    ...over,
  };
  return {
    method: call.method,
    target,
    body,
    headers: {
      ...(isPost && { 'content-type': 'application/x-www-form-urlencoded' }),
      [KEY_HEADERS.key]: signed.key,
      [KEY_HEADERS.time]: signed.timeMs,
      [KEY_HEADERS.nonce]: signed.nonce,
      [KEY_HEADERS.signature]: key.signer(writeSignedRequest(signed)),
      ...(signed.intent !== '' && { 'Idempotency-Key': signed.intent }),
    },
  };
}

export interface KeyedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly ret: number;
  /** Null if the request was accepted. */
  readonly refusal: string | null;
  // Only tests access an answer's data without a schema.
  readonly data: Readonly<Record<string, never>>;
}

export async function sendSigned(
  url: string,
  { method, target, body, headers }: SentRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<KeyedAnswer> {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { lang: 'en', ...headers, ...more },
    ...(method === 'POST' && { body }),
  });
  const answer = (await response.json()) as { ret?: number; data?: { code?: string } };
  // The market feed has no envelope.
  const { ret = 1, data = answer as { code?: string } } = answer;
  const refusal = ret === 1 ? null : (data.code ?? '');
  return { status: response.status, headers: response.headers, ret, refusal, data: data as never };
}
