import { listCustomerMessages } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { hasRole } from './has-role.ts';

export function listCustomerMessagesHandler({ customers, messages }: ConsoleModule): Handler {
  return handle(listCustomerMessages, async ({ operator, reader, request: { id, page } }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    const isExact = hasRole(operator, 'compliance', 'finance', 'admin');
    const { items, next } = await messages.history(id, page, reader);
    return accept({
      items: items.map(({ hasAmount, content, ...message }) => ({
        ...message,
        content: hasAmount && !isExact ? null : content,
      })),
      next,
    });
  });
}
