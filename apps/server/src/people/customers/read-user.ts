import { readUser } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readCustomer } from './customer-store.ts';
import type { CustomersModule } from './customers.ts';
import { viewUser } from './user-view.ts';

export function readUserHandler(module: CustomersModule): Handler {
  return handle(readUser, async ({ customer }) =>
    accept(await viewUser(module, await readCustomer(module.database, customer.id))),
  );
}
