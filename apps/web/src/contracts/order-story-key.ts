import type { ContractOrder } from '@sathorn/api';
import type { KeyOf } from '@sathorn/text';

const isNone = (decimal: string): boolean => !/[1-9]/.test(decimal);

/**
 * Returns the catalogue key of the sentence about an order's history. Its parameters are `dealt`, `whole`, `rest` and
 * `average`; for an order by amount, `spent` and `amount`.
 */
export function orderStoryKey(order: ContractOrder): Extract<KeyOf<'contracts'>, `contracts.story.${string}`> {
  if (order.status === 'open') return 'contracts.story.waiting';
  if (order.status === 'partial') return 'contracts.story.partly';
  if (order.status === 'filled') return order.amount === null ? 'contracts.story.filled' : 'contracts.story.spent';
  const isUntouched = isNone(order.dealt_quantity);
  switch (order.reason) {
    case 'self_trade':
      return isUntouched ? 'contracts.story.self_trade' : 'contracts.story.self_trade_partly';
    case 'unfilled':
      // A purchase by amount holds only what it spends, so it shows no held rest.
      if (order.amount !== null && !isUntouched) return 'contracts.story.spent_partly';
      return isUntouched ? 'contracts.story.unfilled' : 'contracts.story.unfilled_partly';
    case 'amended':
      return isUntouched ? 'contracts.story.amended' : 'contracts.story.amended_partly';
    case 'paired':
      return isUntouched ? 'contracts.story.paired' : 'contracts.story.paired_partly';
    default:
      return isUntouched ? 'contracts.story.revoked' : 'contracts.story.revoked_partly';
  }
}
