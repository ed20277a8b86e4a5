import type { Draw } from '@sathorn/api';
import type { DrawReceipt } from '@sathorn/proof';

/** The verifiable part of a resolved draw; null while it is open. */
export function drawReceiptOf(draw: Draw): DrawReceipt | null {
  const { result } = draw;
  if (result === null) return null;
  return {
    box: draw.box.signed,
    reservation: draw.reservation,
    path: draw.path,
    client_seed: draw.client_seed,
    beacon: result.beacon,
    seed: result.seed,
    number: result.number,
    prize: result.prize,
    resolved: result.resolved,
    paid: result.paid && { asset: result.paid.asset, units: result.paid.units },
  };
}
