import { type VoterRegistration, voterIdOf } from '@sathorn/proof';
import type { Connection, Database } from '../../platform/database/index.ts';
import { hasValidMac, type RelyingParty } from '../../platform/webauthn.ts';
import {
  checkerVotersFile,
  demoVoterOf,
  insertVoter,
  markPinned,
  pinVoters,
  readPinnedVoters,
  signerVotersFile,
} from '../votes/index.ts';
import { DEMO_OPERATORS } from './demo-operators.ts';
import type { OperatorKeys } from './operator-keys.ts';
import { findOperator, listOperatorRows } from './operator-store.ts';
import { listLivePasskeys, sealOperatorPasskeyRows } from './passkey-store.ts';
import { operatorPasskeyMac, voteKeyOf } from './passkeys.ts';

interface VoterPinning {
  readonly owner: Database;
  readonly connection: Connection;
  readonly dataDir: string;
  readonly mode: 'demo' | 'live';
  readonly sessionKey: Buffer;
  readonly keys: OperatorKeys;
  readonly party: RelyingParty;
  readonly print: (line: string) => void;
}
type Found = VoterRegistration & { readonly name: string; readonly passkey: string | null };

/** The demo's people whose access has not changed since they were created. */
async function demoVoters({ owner, mode, sessionKey }: VoterPinning): Promise<Found[]> {
  if (mode !== 'demo') return [];
  const found = await Promise.all(
    DEMO_OPERATORS.map(async ({ workName, roles }): Promise<Found[]> => {
      const operator = await findOperator(owner, workName);
      if (!operator?.is_active) return [];
      return [{ ...demoVoterOf(sessionKey, operator.id, roles), name: `demo ${workName}`, passkey: null }];
    }),
  );
  return found.flat();
}

/** The passkeys of active operators that this platform itself has sealed. */
export async function readPasskeyVoters({
  owner,
  keys,
  party,
}: Pick<VoterPinning, 'owner' | 'keys' | 'party'>): Promise<Found[]> {
  const operators = new Map((await listOperatorRows(owner)).map((row) => [row.id, row]));
  const found = (await listLivePasskeys(owner)).map(async (row): Promise<Found[]> => {
    const operator = operators.get(row.operator);
    const key = hasValidMac(row, operatorPasskeyMac(keys, row)) ? await voteKeyOf(row) : null;
    if (key === null || !operator?.is_active) return [];
    const { roles } = operator;
    return [
      { key, kind: 'passkey', operator: String(row.operator), party: party.id, roles, name: row.name, passkey: row.id },
    ];
  });
  return (await Promise.all(found)).flat();
}

/** Writes keys into the files of signer and checker and marks their rows. */
export async function pinVoterKeys(
  { owner, connection, dataDir, mode }: Pick<VoterPinning, 'owner' | 'connection' | 'dataDir' | 'mode'>,
  found: readonly Found[],
): Promise<void> {
  for (const { name, passkey, ...voter } of found) {
    const id = voterIdOf(voter.key);
    const { kind, party } = voter;
    await insertVoter(owner, {
      id,
      operator: BigInt(voter.operator),
      kind,
      public_key: voter.key,
      party,
      passkey,
      name,
    });
    await markPinned(owner, id, voter.roles);
  }
  const now = new Date();
  const voters = found.map(({ name: _name, passkey: _passkey, ...voter }) => voter);
  for (const file of [signerVotersFile(dataDir), checkerVotersFile(dataDir)])
    pinVoters(file, connection, voters, { isDemo: mode === 'demo', now });
}

/**
 * Runs as the owner at each start. The first start with signed votes trusts the existing passkeys as they are (trust on
 * first use). Later keys need two administrators, or the owner's command.
 */
export async function pinFirstVoters(pinning: VoterPinning): Promise<void> {
  const { owner, connection, dataDir, keys, print } = pinning;
  const sealed = await sealOperatorPasskeyRows(owner, (row) => operatorPasskeyMac(keys, row));
  if (sealed > 0) print(`${sealed} passkeys of operators are sealed from now on`);
  const isFirst = readPinnedVoters(checkerVotersFile(dataDir), connection) === null;
  const passkeys = isFirst ? await readPasskeyVoters(pinning) : [];
  for (const { operator, name, key } of passkeys)
    print(`votes of operator ${operator} count by the passkey "${name}" (key ${voterIdOf(key)}), as first seen`);
  await pinVoterKeys(pinning, [...(await demoVoters(pinning)), ...passkeys]);
}
