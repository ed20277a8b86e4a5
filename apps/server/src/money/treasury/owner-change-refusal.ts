import type { TreasuryRefusal } from '@sathorn/treasury';

const SHOWN = [
  'owner_unknown',
  'owner_already',
  'owner_malformed',
  'too_few_owners',
  'threshold_too_low',
  'threshold_too_high',
] as const;
export type OwnerChangeRefusal = (typeof SHOWN)[number];

/** The refusal that people see. All others are faults of whoever wrote the transaction, which is this server. */
export function ownerChangeRefusalOf(refusal: TreasuryRefusal): OwnerChangeRefusal {
  const shown = SHOWN.find((one) => one === refusal);
  if (shown === undefined) throw new Error(`a change of owners was refused: ${refusal}`);
  return shown;
}
