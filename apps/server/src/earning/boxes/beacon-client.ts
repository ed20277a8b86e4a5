import { BEACONS, type BeaconChain, readBeacon } from '@sathorn/proof';

export interface BeaconClient {
  /** True if a box may use this chain. */
  has(name: string): boolean;
  /** A round's verified signature (hex); null while no server has it. */
  read(name: string, round: number): Promise<string | null>;
}

const TIMEOUT_MS = 3_000;
const KEPT_MAX = 1_000;

/**
 * Reads public rounds from drand servers. None is trusted: a round counts only with the chain's own signature, so a
 * lying server has the same effect as an unavailable one.
 */
export function openBeaconClient(
  urls: readonly string[],
  onFault: (error: unknown) => void,
  chains: Readonly<Record<string, BeaconChain>> = BEACONS,
): BeaconClient {
  const kept = new Map<string, string>();
  const ask = async (url: string, chain: BeaconChain, round: number): Promise<string | null> => {
    const response = await fetch(`${url.replace(/\/$/, '')}/${chain.hash}/public/${round}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    // The round is not published yet.
    if (!response.ok) return null;
    const answer: unknown = await response.json();
    const signature = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'signature') : null;
    if (typeof signature !== 'string' || (await readBeacon(chain, round, signature)) === undefined)
      throw new Error(`alarm: ${url} gives a round ${round} that the chain did not sign`);
    return signature;
  };
  return {
    has: (name) => urls.length > 0 && chains[name] !== undefined,
    async read(name, round) {
      const chain = chains[name];
      if (chain === undefined) return null;
      const known = kept.get(`${name}/${round}`);
      if (known !== undefined) return known;
      for (const url of urls) {
        const signature = await ask(url, chain, round).catch((error: unknown) => {
          onFault(error);
          return null;
        });
        if (signature === null) continue;
        kept.set(`${name}/${round}`, signature);
        const [oldest] = kept.keys();
        if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
        return signature;
      }
      return null;
    },
  };
}
