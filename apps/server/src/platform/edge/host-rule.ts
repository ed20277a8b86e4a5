import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostOf, type ProxyHops } from './proxy-hops.ts';

/**
 * `elsewhere`: what belongs to the other host does not exist here. `stranger`: a name that is not ours, under which a
 * page of somebody else could read what this machine answers (DNS rebinding).
 */
export type HostRule = (
  headers: IncomingHttpHeaders,
  path: string,
) => 'served' | 'elsewhere' | 'console_door' | 'stranger';

const isOfConsole = (path: string): boolean =>
  path === '/console' || path.startsWith('/console/') || path === '/api/admin' || path.startsWith('/api/admin/');
/** Served on both hosts: probes, and the live stream, whose topics have their own permissions. */
const isOfBoth = (path: string): boolean => path === '/api/health' || path === '/metrics' || path === '/api/stream';

/** The name without its port; a malformed one is nobody's. */
function nameOf(host: string): string {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
}

/** An address is no name, so nobody else's page has it. */
const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, '')) !== 0;
const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

export interface OwnHosts {
  /** The addresses under which customers and operators are served; null where any name is (a demonstration). */
  readonly ownUrls: readonly string[] | null;
  /**
   * A live deployment's console has a host name of its own: a script in the customers' app, or whoever can put a page
   * there, is then another origin to every operator's browser. Null where one host serves both.
   */
  readonly consoleUrl: string | null;
  readonly proxyHops: ProxyHops;
}

export function hostRule({ ownUrls, consoleUrl, proxyHops }: OwnHosts): HostRule {
  const names = new Set([...(ownUrls ?? []), ...(consoleUrl ? [consoleUrl] : [])].map((url) => new URL(url).hostname));
  const console = consoleUrl === null ? null : new URL(consoleUrl).hostname;
  return (headers, path) => {
    const name = nameOf(hostOf(headers, proxyHops));
    const isOwn = names.has(name) || isAddress(name) || isLocal(name);
    // A foreign page must not read the metrics, not even those of a demonstration.
    if (!isOwn && (ownUrls !== null || path === '/metrics')) return 'stranger';
    if (console === null || isOfBoth(path)) return 'served';
    const isConsole = name === console;
    if (isConsole && path === '/') return 'console_door';
    return isConsole === isOfConsole(path) ? 'served' : 'elsewhere';
  };
}
