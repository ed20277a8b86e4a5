import { operatorTopic } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { allowInvitesHandler } from './allow-invites.ts';
import { freezeChangeKind } from './change-freeze.ts';
import type { ConsoleDependencies } from './console.ts';
import { openDeskState } from './desk.ts';
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
import { searchConsoleHandler } from './search-console.ts';
import { unmaskFieldHandler } from './unmask-field.ts';

/** Opens the console's pages that span all modules: dashboard, search, customers. It has no tables of its own. */
export function openConsole({ clock, ...module }: ConsoleDependencies): Module<null> {
  for (const kind of ['freeze_lift', 'freeze_extend']) module.operators.addApprovalKind(kind, freezeChangeKind(module));
  return {
    api: null,
    topics: [operatorTopic('desk', openDeskState(module, clock))],
    handlers: [
      readDashboardHandler(module),
      searchConsoleHandler(module),
      findCustomersHandler(module),
      readProfileHandler(module),
      listCustomerLedgerHandler(module),
      listCustomerOrdersHandler(module),
      listCustomerPayeesHandler(module),
      listCustomerMessagesHandler(module),
      messageCustomerHandler(module),
      listCustomerSessionsHandler(module),
      listCustomerActionsHandler(module),
      unmaskFieldHandler(module),
      freezeCustomerHandler(module),
      extendFreezeHandler(module),
      liftFreezeHandler(module),
      endCustomerSessionsHandler(module),
      allowInvitesHandler(module),
      listFactorResetsHandler(module),
      readFactorResetHandler(module),
    ],
  };
}
