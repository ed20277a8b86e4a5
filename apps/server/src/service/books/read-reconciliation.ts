import { readReconciliation } from '@sathorn/api';
import { type AssetCode, formatMoney, isAssetCode, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { listInvariants } from '../../checker/checker/index.ts';
import { ACCOUNTS, type AccountName, houseAccount } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { type AttestationRow, listAttestations, newestAttestations } from './attestation-store.ts';
import type { BooksDependencies } from './books.ts';

/** Accounts that are counted together, because one balance outside the platform backs them. */
const RAILS: readonly (readonly ['chain' | 'cold' | 'bank', readonly AccountName[]])[] = [
  ['chain', ['reserve_hot', 'inbound_clearing']],
  ['cold', ['reserve_cold']],
  ['bank', ['reserve_bank']],
];
const CLEARING = ['inbound_clearing', 'outbound_clearing'] as const satisfies readonly AccountName[];
const RESERVES: ReadonlySet<AccountName> = new Set(RAILS.flatMap(([, names]) => names));

export async function viewAttestation(
  { workNameOf }: Pick<BooksDependencies, 'workNameOf'>,
  { id, asset, counted, booked, as_of: asOf, statement, operator, at }: AttestationRow,
) {
  return {
    id,
    asset,
    counted: formatMoney(money(asset, BigInt(counted))),
    booked: formatMoney(money(asset, BigInt(booked))),
    as_of: asOf.toISOString(),
    statement,
    by: { id: String(operator), work_name: await workNameOf(operator) },
    at: at.toISOString(),
  };
}

export function readReconciliationHandler(module: BooksDependencies): Handler {
  const { database, ledger, counted, failingSince, checked } = module;
  return handle(readReconciliation, async ({ now }) => {
    const [sums, outside, newest, attestations] = await Promise.all([
      ledger.accountSums(),
      counted(),
      newestAttestations(database),
      listAttestations(database),
    ]);
    const text = (asset: AssetCode, units: bigint): string => formatMoney(money(asset, units));
    const sumOf = (asset: AssetCode, isWanted: (name: AccountName) => boolean): bigint =>
      sums.filter((one) => one.asset === asset && isWanted(one.account)).reduce((units, one) => units + one.units, 0n);
    const assets = [...new Set(sums.map(({ asset }) => asset))];

    const rails = assets.flatMap((asset) =>
      RAILS.flatMap(([rail, names]) => {
        const isUsed = sums.some((one) => one.asset === asset && names.includes(one.account));
        const onChain = rail === 'chain' ? outside.find((one) => one.asset === asset) : undefined;
        if (!isUsed && !onChain) return [];
        // Accounts of money held outside have debit balances, hence the minus sign.
        const booked = -sumOf(asset, (name) => names.includes(name));
        const signed = rail === 'bank' ? newest.find((one) => one.asset === asset) : undefined;
        const found = onChain?.units ?? (signed ? BigInt(signed.counted) : null);
        // Compares a statement with the ledger's balance when it was signed, because both may have changed since.
        const against = signed ? BigInt(signed.booked) : booked;
        return [
          {
            asset,
            rail,
            booked: text(asset, booked),
            counted: found === null ? null : text(asset, found),
            counted_at: onChain ? now.toISOString() : (signed?.as_of.toISOString() ?? null),
            difference: found === null ? null : text(asset, found - against),
            uncounted_since: rail === 'chain' && asset === 'USDT' ? (failingSince()?.toISOString() ?? null) : null,
          },
        ];
      }),
    );
    const clearing = await Promise.all(
      CLEARING.flatMap((account) =>
        sums
          .filter((one) => one.account === account)
          .map(async ({ asset, units, held }) => ({
            account,
            asset,
            total: text(asset, units < 0n ? -units : units),
            held: text(asset, held),
            oldest: (await ledger.oldestIn(houseAccount(account, asset)))?.toISOString() ?? null,
          })),
      ),
    );
    const report = checked();
    return accept({
      at: now.toISOString(),
      rails,
      assets: assets.filter(isAssetCode).map((asset) => ({
        asset,
        reserves: text(asset, -sumOf(asset, (name) => RESERVES.has(name))),
        customers: text(
          asset,
          sumOf(asset, (name) => !ACCOUNTS[name].isHouse),
        ),
        clearing: text(
          asset,
          sumOf(asset, (name) => name === 'outbound_clearing'),
        ),
        house: text(
          asset,
          sumOf(asset, (name) => ACCOUNTS[name].isHouse && ACCOUNTS[name].rule === 'c' && name !== 'outbound_clearing'),
        ),
      })),
      clearing,
      checker: report && {
        at: report.checked,
        passed: report.passed,
        acknowledged: report.acknowledged,
        halted: report.halted,
        violations: report.violations.map(({ invariant, says, subjects }) => ({
          invariant,
          says,
          subjects: subjects.length,
        })),
        invariants: listInvariants(),
      },
      attestations: await Promise.all(attestations.map((row) => viewAttestation(module, row))),
    });
  });
}
