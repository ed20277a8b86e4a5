import { type ProofKey, type PublishedKey, type TrustedKeys, trustKeys } from '@sathorn/proof';
import { openEvidenceStore } from './evidence-store.ts';

const NAME = 'pinned-keys';

/** A pinned key with the record that announced it; absent from memories of older versions and from first keys. */
type PinnedKey = ProofKey & Pick<PublishedKey, 'record'>;

function parsePins(value: unknown): PinnedKey[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (key): key is PinnedKey =>
      typeof key === 'object' && key !== null && /^[0-9a-f]{64}$/.test(String(Reflect.get(key, 'public_key'))),
  );
}

export async function readPinnedKeys(): Promise<PinnedKey[]> {
  return parsePins(await openEvidenceStore().read(NAME));
}

/**
 * Judges the published keys by the first ones that this device saw. Older versions of the app stored only their ids
 * (`firstIds`). With these, a later key is not taken for a first one after an update.
 */
export async function judgePublishedKeys(
  published: readonly PublishedKey[],
  firstIds: ReadonlySet<string>,
): Promise<TrustedKeys> {
  const pins = await readPinnedKeys();
  const pinned =
    pins.length > 0 || firstIds.size === 0
      ? pins
      : published.filter(({ id }) => firstIds.has(id)).map(({ use, id, public_key }) => ({ use, id, public_key }));
  const judged = await trustKeys(published, pinned);
  // Stores a key that a pinned key announced, so that the device trusts it whatever is published later.
  const recordOf = ({ public_key }: ProofKey) =>
    [...published, ...pins].find((key) => key.public_key === public_key && key.record)?.record ?? null;
  await openEvidenceStore().write(
    NAME,
    judged.trusted.map((key) => ({ use: key.use, id: key.id, public_key: key.public_key, record: recordOf(key) })),
  );
  return judged;
}
