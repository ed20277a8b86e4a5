import type { ClockGuard } from './clock-guard.ts';
import { contentHandlers } from './content/index.ts';
import {
  listContractsHandler,
  listFillsHandler,
  listTradesHandler,
  placeContractHandler,
  readBookHandler,
  readContractHandler,
  readContractTermsHandler,
  readMarketMakerHandler,
  revokeContractHandler,
  revokeContractsHandler,
} from './contracts/index.ts';
import { customerHandlers, readOutboxHandler } from './customers/index.ts';
import { fundDemoHandler } from './demo/index.ts';
import type { Handler } from './edge/index.ts';
import { filesHandlers } from './files/index.ts';
import { listCandlesHandler, listCoinsHandler, readProofTicksHandler, readQuoteHandler } from './market/index.ts';
import { messagesHandlers } from './messages/index.ts';
import type { Rooms } from './open-rooms.ts';
import {
  buyOptionHandler,
  disputeOptionHandler,
  listOptionsHandler,
  readBalanceHandler,
  readOptionHandler,
  readOptionTotalsHandler,
} from './options/index.ts';
import { listRestorationsHandler, readProofKeysHandler } from './proofs/index.ts';

/** Every handler, by room. */
export function handlersOf({
  reads,
  clockGuard,
  ledger,
  market,
  messages,
  customers,
  files,
  options,
  contracts,
  content,
  demoOutbox,
}: Rooms): Handler[] {
  const optionTerms = options.optionTerms;
  // What stamps a time is not accepted on a wrong clock; prices and public pages carry times of their own.
  const accepting = [
    ...customerHandlers(customers, files),
    ...messagesHandlers(messages),
    ...filesHandlers(files),
    buyOptionHandler(options),
    disputeOptionHandler(options),
    placeContractHandler(contracts),
    revokeContractHandler(contracts),
    revokeContractsHandler(contracts),
    ...(demoOutbox ? [fundDemoHandler(ledger)] : []),
  ];
  return [
    ...contentHandlers(content),
    ...accepting.map((handler) => onRightClock(handler, clockGuard)),
    listCoinsHandler(market, { optionTerms, contracts: contracts.isOffering }),
    listCandlesHandler(market, contracts.tradeBars),
    readQuoteHandler(market, optionTerms),
    readProofTicksHandler(market),
    readProofKeysHandler(reads),
    listRestorationsHandler(reads),
    readOptionHandler(options),
    listOptionsHandler(options),
    readOptionTotalsHandler(options),
    listContractsHandler(contracts),
    readContractHandler(contracts),
    listFillsHandler(contracts),
    readContractTermsHandler(contracts),
    readBookHandler(contracts),
    listTradesHandler(contracts),
    readMarketMakerHandler(contracts),
    readBalanceHandler(ledger),
    ...(demoOutbox ? [readOutboxHandler(demoOutbox)] : []),
  ];
}

function onRightClock(handler: Handler, clockGuard: Pick<ClockGuard, 'assertRight'>): Handler {
  return {
    ...handler,
    run: async (context) => {
      clockGuard.assertRight();
      return handler.run(context);
    },
  };
}
