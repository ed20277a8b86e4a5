import type { OrderedThing, SignedOrder } from '@sathorn/api';
import { readOrdered } from '@sathorn/proof/ordered';
import type { KeptOrders } from './kept-orders.ts';

export interface OrderFinding {
  readonly kind: 'ordered';
  /** The record; for unsigned trades this device's key, so that a device which doesn't sign is told about once. */
  readonly id: string;
  readonly about: OrderedThing['about'];
  /** `unsigned`: no device of the customer signed it. `foreign`: it is said to be signed here, and was not. */
  readonly fault: 'unsigned' | 'foreign';
  readonly at: string;
  readonly foundAt: number;
}

interface OwnKey {
  readonly id: string;
  readonly since: string;
}

interface OrdersDoor {
  /** True if this device's key made the signature. */
  isOwn(signed: SignedOrder): Promise<boolean>;
  nowMs(): number;
}

/** Each withdrawal and payee that no device signed is told. Of trades there may be hundreds, which the records mark. */
const EACH: readonly OrderedThing['about'][] = ['withdrawal', 'payee'];

/** Compares what the platform says that the customer ordered with what this device signed. */
export async function judgeOrders(
  shown: readonly OrderedThing[],
  key: OwnKey,
  kept: KeptOrders,
  door: OrdersDoor,
): Promise<readonly OrderFinding[]> {
  const findings = new Map<string, OrderFinding>();
  for (const { about, id, at, signed, by_key: byKey } of shown) {
    // An API key may trade, and never withdraws or adds a payee.
    const isByKey = byKey !== null && !EACH.includes(about);
    const isUnsigned = signed === null && !isByKey && Date.parse(at) >= Date.parse(key.since);
    const isForeign = signed?.key === key.id && !(await isFromHere(id, signed, kept, door.isOwn));
    if (!isUnsigned && !isForeign) continue;
    const named = isForeign || EACH.includes(about) ? `${about} ${id}` : `unsigned ${key.id}`;
    const fault = isForeign ? 'foreign' : 'unsigned';
    if (!findings.has(named))
      findings.set(named, { kind: 'ordered', id: named, about, fault, at, foundAt: door.nowMs() });
  }
  return [...findings.values()];
}

/** A signature for one record can't stand for another: what was kept names the record that was answered. */
export async function isFromHere(
  id: string,
  signed: SignedOrder,
  kept: KeptOrders,
  isOwn: OrdersDoor['isOwn'],
): Promise<boolean> {
  const intent = readOrdered(signed.body)?.intent;
  if (intent === undefined) return false;
  const record = kept[intent] ?? id;
  return record === id && isOwn(signed);
}
