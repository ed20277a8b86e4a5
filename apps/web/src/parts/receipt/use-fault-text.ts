import type { ReceiptFault } from '@sathorn/proof';
import type { KeyOf } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import type { DeviceFault } from '../evidence/judge-receipt.ts';
import { termsMembersText } from './terms-members-text.ts';
import { useReceiptText } from './use-receipt-text.ts';

/**
 * Returns a function that describes a receipt's faults. The sentences load when there is a fault; until then the
 * function returns the fault's code.
 */
export function useFaultText(isNeeded: boolean): (fault: ReceiptFault | DeviceFault) => string {
  const { t } = useText();
  const receipt = useReceiptText(isNeeded);
  return (fault) => {
    const code = typeof fault === 'string' ? fault : fault.code;
    // The compiler checks that the catalogue has every fault of the proof.
    const key: KeyOf<'receipt'> = `verify.fault.${code}`;
    if (!receipt.t) return receipt.isPending ? '' : t('verify.fault.other', { code });
    if (typeof fault === 'string') return receipt.t(key);
    if ('members' in fault) return receipt.t(key, { what: termsMembersText(fault.members, receipt.t) });
    return 'sequence' in fault ? receipt.t(key, { sequence: fault.sequence }) : receipt.t(key);
  };
}
