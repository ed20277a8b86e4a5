import type account from './catalogues/account/th.json';
import type codes from './catalogues/codes/th.json';
import type content from './catalogues/content/th.json';
import type contracts from './catalogues/contracts/th.json';
import type edge from './catalogues/edge/th.json';
import type faults from './catalogues/faults/th.json';
import type messages from './catalogues/messages/th.json';
import type receipt from './catalogues/receipt/th.json';
import type refusals from './catalogues/refusals/th.json';
import type rules from './catalogues/rules/th.json';
import type shell from './catalogues/shell/th.json';
import type trade from './catalogues/trade/th.json';

// Thai is the catalogue that is always whole, so it names the keys; a test holds the other languages to it.

/** Keys that are in the app's own catalogues. */
export type MessageKey = keyof typeof account | keyof typeof faults | keyof typeof shell | keyof typeof trade;

/** What can be wrong with a receipt: a part of its own, fetched when something is. */
export type ReceiptMessageKey = keyof typeof receipt;

/** Contract trading: fetched with its screens. */
export type ContractMessageKey = keyof typeof contracts;

/** Keys that only the server words. */
export type ServerMessageKey =
  | MessageKey
  | keyof typeof codes
  | keyof typeof content
  | keyof typeof edge
  | keyof typeof messages
  | keyof typeof refusals
  | keyof typeof rules;
