import { customerNetworkOf, siteNetworkOf } from '../ip-network.ts';

/** A caller's network. Its limit is `share` times that of a single line. */
export interface LimitedNetwork {
  readonly name: string;
  readonly share: number;
}

/** Anybody can get a /48 of 65,536 lines for free, but a mobile carrier may serve thousands of phones from one. */
const SITE_SHARE = 8;
const KNOWN_MAX = 20_000;
const known = new Map<string, readonly LimitedNetwork[]>();

function readNetworks(address: string): readonly LimitedNetwork[] {
  const line = { name: customerNetworkOf(address), share: 1 };
  const site = siteNetworkOf(address);
  return site === null ? [line] : [line, { name: site, share: SITE_SHARE }];
}

/**
 * The networks for which an address is counted, smallest first: an IPv6 customer can send from a whole /64, and often
 * from a /48. `address` must not be IPv4 mapped into IPv6.
 */
export function limitedNetworksOf(address: string): readonly LimitedNetwork[] {
  let networks = known.get(address);
  if (networks === undefined) {
    if (known.size >= KNOWN_MAX) known.clear();
    networks = readNetworks(address);
    known.set(address, networks);
  }
  return networks;
}

/** Limits concurrent connections or requests per network. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  hasRoom(networks: readonly LimitedNetwork[]): boolean {
    for (const { name, share } of networks) if ((this.#counts.get(name) ?? 0) >= this.#max * share) return false;
    return true;
  }

  /** Returns false, and counts nothing, when one of the networks is at its limit. */
  acquire(networks: readonly LimitedNetwork[]): boolean {
    if (!this.hasRoom(networks)) return false;
    for (const { name } of networks) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return true;
  }

  release(networks: readonly LimitedNetwork[]): void {
    for (const { name } of networks) {
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }

  countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}
