import type { IncomingHttpHeaders } from 'node:http';
import { hostOf, type ProxyHops } from './proxy-hops.ts';

/**
 * A live deployment's console has a host name of its own: a script in the customers' app, or whoever can put a page
 * there, is then another origin to every operator's browser. What belongs to the other host does not exist here.
 */
export type HostRule = (headers: IncomingHttpHeaders, path: string) => 'served' | 'elsewhere' | 'console_door';

const isOfConsole = (path: string): boolean =>
  path === '/console' || path.startsWith('/console/') || path === '/api/admin' || path.startsWith('/api/admin/');
/** Served on both hosts: probes, and the live stream, whose topics have their own permissions. */
const isOfBoth = (path: string): boolean => path === '/api/health' || path === '/metrics' || path === '/api/stream';

/** The name without its port; a malformed one is nobody's. */
function nameOf(host: string): string {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
}

/** Without a console URL, one host serves both, as in a demonstration. */
export function hostRule(consoleUrl: string | null, proxyHops: ProxyHops): HostRule {
  if (consoleUrl === null) return () => 'served';
  const { hostname } = new URL(consoleUrl);
  return (headers, path) => {
    if (isOfBoth(path)) return 'served';
    const isConsole = nameOf(hostOf(headers, proxyHops)) === hostname;
    if (isConsole && path === '/') return 'console_door';
    return isConsole === isOfConsole(path) ? 'served' : 'elsewhere';
  };
}
