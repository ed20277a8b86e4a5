import { readMarketMaker } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

/** The cost of several sums over its accounts. */
const FIGURES_ROWS = 100;

export function readMarketMakerHandler(contracts: Contracts): Handler {
  return handle(readMarketMaker, async () => accept(await contracts.marketMakerFigures()), {
    rowsOf: () => FIGURES_ROWS,
  });
}
