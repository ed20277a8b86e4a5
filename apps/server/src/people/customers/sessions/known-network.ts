import type { Queries } from '../../../platform/database/index.ts';
import { networkOf } from '../../../platform/ip-network.ts';
import { listSessionAddresses } from './session-store.ts';

const NETWORK_MEMORY_MS = 90 * 24 * 60 * 60 * 1_000;
/** Limits the cost of a stranger's request for a code, however often the customer has signed in. */
const SESSIONS_MAX = 200;

/**
 * True if one of the customer's recent sessions came from this network. Does the same work for customer 0, who does not
 * exist.
 */
export async function isKnownNetwork(queries: Queries, customer: bigint, address: string, now: Date): Promise<boolean> {
  const usedAfter = new Date(now.getTime() - NETWORK_MEMORY_MS);
  const addresses = await listSessionAddresses(queries, customer, usedAfter, SESSIONS_MAX);
  const network = networkOf(address);
  return addresses.some((own) => networkOf(own) === network);
}
