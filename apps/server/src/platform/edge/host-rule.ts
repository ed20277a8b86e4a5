import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { type ProxyHops, requestHostOf } from './proxy-hops.ts';

/**
 * `elsewhere`: the path belongs to the other host and gets 404 here. `stranger`: the host name is not ours. A foreign
 * page under such a name could read this machine's answers (DNS rebinding).
 */
type HostRule = (headers: IncomingHttpHeaders, path: string) => 'served' | 'elsewhere' | 'console_door' | 'stranger';

const isOfConsole = (path: string): boolean =>
  path === '/console' || path.startsWith('/console/') || path === '/api/admin' || path.startsWith('/api/admin/');
/** True for paths that both hosts serve: probes, and the live stream, whose topics have their own permissions. */
const isOfBoth = (path: string): boolean => path === '/api/health' || path === '/metrics' || path === '/api/stream';

/** The host name without its port; empty if it is malformed. */
function nameOf(host: string): string {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
}

/** An IP address cannot be rebound by a foreign page, because it is not a name. */
const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, '')) !== 0;
const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

interface OwnHosts {
  /** The addresses that serve customers and operators; null if any host name is accepted (a demonstration). */
  readonly ownUrls: readonly string[] | null;
  /**
   * The console's address. In a live deployment the console has its own host name, so that a script injected into the
   * customers' app has another origin than the console. Null if one host serves both.
   */
  readonly consoleUrl: string | null;
  readonly proxyHops: ProxyHops;
}

export function hostRule({ ownUrls, consoleUrl, proxyHops }: OwnHosts): HostRule {
  const names = new Set([...(ownUrls ?? []), ...(consoleUrl ? [consoleUrl] : [])].map((url) => new URL(url).hostname));
  const console = consoleUrl === null ? null : new URL(consoleUrl).hostname;
  return (headers, path) => {
    const name = nameOf(requestHostOf(headers, proxyHops));
    const isOwn = names.has(name) || isAddress(name) || isLocal(name);
    // A foreign page must not read the metrics, not even those of a demonstration.
    if (!isOwn && (ownUrls !== null || path === '/metrics')) return 'stranger';
    if (console === null || isOfBoth(path)) return 'served';
    const isConsole = name === console;
    if (isConsole && path === '/') return 'console_door';
    return isConsole === isOfConsole(path) ? 'served' : 'elsewhere';
  };
}
