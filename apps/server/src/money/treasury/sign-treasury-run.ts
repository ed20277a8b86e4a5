import { signTreasuryRun } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Assertion, type Hex, type OwnerSignature, writeOwnerSignature } from '@sathorn/treasury';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { isOwnerSignatureValid, readSafe } from './read-safe.ts';
import { readOwnSigning } from './run-signing.ts';
import type { Signer, TreasuryModule } from './treasury.ts';
import { readTreasuryState } from './treasury-state.ts';
import { insertSignature, lockRun, type OwnerRow, readRunSignatures } from './treasury-store.ts';

/** The parts of a passkey's answer that the chain verifies; null for anything else. */
async function assertionOf(credential: string): Promise<Assertion | null> {
  // Loaded on first use, because only this call needs it.
  const { p256 } = await import('@noble/curves/nist');
  const bytes = (text: unknown): Buffer => Buffer.from(String(text), 'base64url');
  try {
    const { response } = JSON.parse(credential) as { response: Readonly<Record<string, unknown>> };
    return {
      authenticatorData: bytes(response.authenticatorData),
      clientData: bytes(response.clientDataJSON),
      signature: p256.Signature.fromDER(bytes(response.signature)).toCompactRawBytes(),
    };
  } catch {
    return null;
  }
}

export function signTreasuryRunHandler(module: TreasuryModule): Handler {
  const { database, chain, audit, demoOwner, consoleHost } = module;
  /** The signature by which one of these owners agreed; null if none did. */
  const signatureOf = async (
    owners: readonly OwnerRow[],
    hash: Hex,
    { workName }: Signer,
    credential: string | undefined,
  ): Promise<OwnerSignature | null> => {
    for (const owner of owners) {
      const isDemo = owner.kind === 'demo' && credential === undefined && demoOwner !== null;
      const assertion = isDemo
        ? demoOwner(workName).assert(hash, consoleHost)
        : credential === undefined
          ? null
          : await assertionOf(credential);
      const signature = assertion && writeOwnerSignature(assertion, hash);
      if (!signature || chain === null) continue;
      const signed = { owner: owner.address, signature };
      if (await isOwnerSignatureValid(chain.readers[0].rpc, signed, hash)) return signed;
    }
    return null;
  };

  return handle(signTreasuryRun, async ({ operator, request: { id, hash, credential }, now }) =>
    database.transaction(async (transaction) => {
      const run = await lockRun(transaction, id);
      const state = run && (await readTreasuryState(transaction, run.chain));
      // Whoever has the application's login can change the stored state, so the chain itself is asked.
      const treasury = chain?.config.treasury ?? null;
      const safe = chain && treasury && (await readSafe(chain.readers[0].rpc, treasury.safe));
      const { owners: counted = [], nonce: next = -1n } = safe ?? {};
      const signing = { run, operator: operator.id, counted, next, hash, now };
      const { owners, refusal } = await readOwnSigning(transaction, signing);
      if (run === null || refusal !== null) return refuse(refusal ?? 'run_unknown');
      const signed = await signatureOf(owners, run.hash, operator, credential);
      if (signed === null) return refuse('signature_wrong');
      await insertSignature(transaction, { run: id, operator: operator.id, ...signed });
      await audit.append(transaction, {
        operator,
        what: 'run.signed',
        on: { kind: 'run', id },
        after: { hash: run.hash, owner: signed.owner },
      });
      const signatures = (await readRunSignatures(transaction, [id])).length;
      return accept({ signatures, threshold: state?.threshold ?? 0 });
    }),
  );
}
