import { listEarningProducts } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning } from './earning.ts';

export function listEarningProductsHandler({ products }: Earning): Handler {
  return handle(listEarningProducts, async ({ request: { type }, now }) => accept((await products(now))[type]));
}
