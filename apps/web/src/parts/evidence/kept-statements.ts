import type { SignedText } from '@sathorn/proof';
import { openEvidenceStore } from './evidence-store.ts';

export const OWN_CHAIN_PREFIX = 'own-chain:';

/** The signed heads of each customer's own chain that this device has kept. */
export async function listKeptStatements(): Promise<SignedText[]> {
  const store = openEvidenceStore();
  const names = (await store.names()).filter((name) => name.startsWith(OWN_CHAIN_PREFIX));
  const chains = await Promise.all(names.map((name) => store.read(name)));
  return chains.flatMap((chain) => {
    const statement = typeof chain === 'object' && chain !== null && 'statement' in chain ? chain.statement : null;
    const signed =
      typeof statement === 'object' && statement !== null && 'signed' in statement ? statement.signed : null;
    return signed === null ? [] : [signed as SignedText];
  });
}
