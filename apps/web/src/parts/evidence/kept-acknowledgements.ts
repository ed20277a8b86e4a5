import type { AcknowledgedThing } from '@sathorn/api';
import type { TreeSignedText } from '@sathorn/proof';
import { openEvidenceStore } from './evidence-store.ts';

/** What the platform has signed about one customer's things, by `keyOf`; oldest first. */
export type KeptAcknowledgements = Readonly<Record<string, TreeSignedText>>;

export const keyOf = ({ about, id }: Pick<AcknowledgedThing, 'about' | 'id'>): string => `${about} ${id}`;

const PREFIX = 'acknowledged:';

export async function readKeptAcknowledgements(customer: string): Promise<KeptAcknowledgements> {
  const value = await openEvidenceStore().read(PREFIX + customer);
  return typeof value === 'object' && value !== null ? (value as KeptAcknowledgements) : {};
}

export const writeKeptAcknowledgements = (customer: string, kept: KeptAcknowledgements): Promise<boolean> =>
  openEvidenceStore().write(PREFIX + customer, kept);

/** The acknowledgements that this device has kept, of all customers who used it. */
export async function listKeptAcknowledgements(): Promise<TreeSignedText[]> {
  const names = (await openEvidenceStore().names()).filter((name) => name.startsWith(PREFIX));
  const all = await Promise.all(names.map((name) => readKeptAcknowledgements(name.slice(PREFIX.length))));
  return all.flatMap((kept) => Object.values(kept));
}
