import { readUser } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readCustomer } from './customer-store.ts';
import type { Room } from './room.ts';
import { viewUser } from './user-view.ts';

export function readUserHandler(room: Room): Handler {
  return handle(readUser, async ({ customer }) =>
    accept(await viewUser(room, await readCustomer(room.database, customer.id))),
  );
}
