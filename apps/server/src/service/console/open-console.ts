import { operatorTopic } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { allowInvitesHandler } from './allow-invites.ts';
import { freezeKind } from './change-freeze.ts';
import { openDesk } from './desk.ts';
import { endCustomerSessionsHandler } from './end-customer-sessions.ts';
import { extendFreezeHandler } from './extend-freeze.ts';
import { findCustomersHandler } from './find-customers.ts';
import { freezeCustomerHandler } from './freeze-customer.ts';
import { liftFreezeHandler } from './lift-freeze.ts';
import { listCustomerActionsHandler } from './list-customer-actions.ts';
import { listCustomerLedgerHandler } from './list-customer-ledger.ts';
import { listCustomerMessagesHandler } from './list-customer-messages.ts';
import { listCustomerOrdersHandler } from './list-customer-orders.ts';
import { listCustomerPayeesHandler } from './list-customer-payees.ts';
import { listCustomerSessionsHandler } from './list-customer-sessions.ts';
import { listFactorResetsHandler } from './list-factor-resets.ts';
import { messageCustomerHandler } from './message-customer.ts';
import { readDashboardHandler } from './read-dashboard.ts';
import { readFactorResetHandler } from './read-factor-reset.ts';
import { readProfileHandler } from './read-profile.ts';
import type { Room } from './room.ts';
import { searchConsoleHandler } from './search-console.ts';
import { unmaskFieldHandler } from './unmask-field.ts';

export interface ConsoleDependencies extends Room {
  readonly clock: { now(): Date };
}

/** The console's pages that span all rooms: dashboard, search, customers. It has no tables of its own. */
export function openConsole({ clock, ...room }: ConsoleDependencies): Module<null> {
  for (const kind of ['freeze_lift', 'freeze_extend']) room.operators.addApprovalKind(kind, freezeKind(room));
  return {
    api: null,
    topics: [operatorTopic('desk', openDesk(room, clock))],
    handlers: [
      readDashboardHandler(room),
      searchConsoleHandler(room),
      findCustomersHandler(room),
      readProfileHandler(room),
      listCustomerLedgerHandler(room),
      listCustomerOrdersHandler(room),
      listCustomerPayeesHandler(room),
      listCustomerMessagesHandler(room),
      messageCustomerHandler(room),
      listCustomerSessionsHandler(room),
      listCustomerActionsHandler(room),
      unmaskFieldHandler(room),
      freezeCustomerHandler(room),
      extendFreezeHandler(room),
      liftFreezeHandler(room),
      endCustomerSessionsHandler(room),
      allowInvitesHandler(room),
      listFactorResetsHandler(room),
      readFactorResetHandler(room),
    ],
  };
}
