import { previewCorrection } from '@sathorn/api';
import { add, formatMoney, subtract } from '@sathorn/money';
import { accept, correctionVoters } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewCorrectedCustomer, viewTransferLeg } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { DEBIT_NOTICE_MS } from './decide-correction.ts';
import { correctionMovesOf, isLargeCorrection, prepareCorrection } from './prepare-correction.ts';

/** Placeholder for the number that the correction gets when it is made. */
const NO_NUMBER = 'J-…';

export function previewCorrectionHandler(module: CorrectionsDependencies): Handler {
  return handle(previewCorrection, async ({ request, operator, now, language }) => {
    const prepared = await prepareCorrection(module, operator.id, request);
    if (!prepared.ok) return prepared;
    const { amount, house, houseAvailable, available, wrong } = prepared.effect;
    const large = await isLargeCorrection(module.database, operator.id, request, amount);
    const { kind, customer, reason } = request;
    const isDebit = kind === 'reverse';
    const [debit, credit] = isDebit ? [available, houseAvailable] : [houseAvailable, available];
    const leg = await viewTransferLeg(
      module,
      correctionMovesOf({ kind, customer, asset: amount.asset, house }),
      amount,
      {
        debit: subtract(debit, amount),
        credit: add(credit, amount),
      },
    );
    return accept({
      asset: amount.asset,
      amount: formatMoney(amount),
      house,
      legs: [leg],
      checks: [
        ...(wrong ? [{ code: 'transfer_is_customers', ok: true }] : []),
        { code: isDebit ? 'customer_has_it' : 'house_can_pay', ok: true, value: leg.debit_after ?? '' },
        { code: large ? 'needs_compliance' : 'any_second_person', ok: true },
        { code: 'maker_not_concerned', ok: true },
      ],
      roles: [...correctionVoters(large)],
      customer_view: viewCorrectedCustomer(
        module,
        { kind, amount, reason },
        NO_NUMBER,
        new Date(now.getTime() + DEBIT_NOTICE_MS),
        language,
      ),
    });
  });
}
