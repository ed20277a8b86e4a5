import { removeOperator } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OperatorsModule } from './operators.ts';
import { stopOperator } from './stop-operator.ts';

export function removeOperatorHandler(module: OperatorsModule): Handler {
  return handle(removeOperator, async ({ operator, request }) => stopOperator(module, operator, 'remove', request));
}
