import { freezeOperator } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OperatorsModule } from './operators.ts';
import { stopOperator } from './stop-operator.ts';

export function freezeOperatorHandler(module: OperatorsModule): Handler {
  return handle(freezeOperator, async ({ operator, request }) => stopOperator(module, operator, 'freeze', request));
}
