import { isIP } from 'node:net';

/**
 * Hosts of the browsers' push services. An endpoint comes from a customer, and the server sends requests to it. So any
 * other host is refused, such as one in our own network.
 */
const HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
const SUFFIXES = ['.push.services.mozilla.com', '.push.apple.com', '.notify.windows.com'];

/** The endpoint as a URL; null if it is not the address of a known push service. */
export function pushEndpointOf(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, hostname, port, username, password, hash } = url;
  const isKnown = HOSTS.includes(hostname) || SUFFIXES.some((suffix) => hostname.endsWith(suffix));
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '' && hash === '';
  return isKnown && isPlain && isIP(hostname) === 0 ? url : null;
}

interface PushRequest {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
export interface PushReply {
  readonly status: number;
  /** Seconds, or a date. */
  readonly retryAfter: string | null;
}
/** Sends one push message. Rejects if the push service cannot be reached. */
export type PushTransport = (request: PushRequest) => Promise<PushReply>;

const TIMEOUT_MS = 10_000;

export const httpsTransport: PushTransport = async ({ endpoint, headers, body }) => {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    // A redirect could lead to a host that is not on the list.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
};
