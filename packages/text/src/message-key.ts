import type accesses from './catalogues/accesses/th.json';
import type account from './catalogues/account/th.json';
import type activities from './catalogues/activities/th.json';
import type codes from './catalogues/codes/th.json';
import type consents from './catalogues/consents/th.json';
import type contracts from './catalogues/contracts/th.json';
import type disputes from './catalogues/disputes/th.json';
import type earning from './catalogues/earning/th.json';
import type edge from './catalogues/edge/th.json';
import type faults from './catalogues/faults/th.json';
import type identity from './catalogues/identity/th.json';
import type messages from './catalogues/messages/th.json';
import type money from './catalogues/money/th.json';
import type networks from './catalogues/networks/th.json';
import type push from './catalogues/push/th.json';
import type receipt from './catalogues/receipt/th.json';
import type refusals from './catalogues/refusals/th.json';
import type rewards from './catalogues/rewards/th.json';
import type rules from './catalogues/rules/th.json';
import type safeguards from './catalogues/safeguards/th.json';
import type service from './catalogues/service/th.json';
import type share from './catalogues/share/th.json';
import type shell from './catalogues/shell/th.json';
import type status from './catalogues/status/th.json';
import type trade from './catalogues/trade/th.json';
import type withdrawals from './catalogues/withdrawals/th.json';

// The Thai catalogue is always complete, so it defines the keys; a test checks that the other languages have the same
// ones.
interface Areas {
  accesses: typeof accesses;
  account: typeof account;
  activities: typeof activities;
  codes: typeof codes;
  consents: typeof consents;
  contracts: typeof contracts;
  disputes: typeof disputes;
  earning: typeof earning;
  edge: typeof edge;
  faults: typeof faults;
  identity: typeof identity;
  messages: typeof messages;
  money: typeof money;
  networks: typeof networks;
  push: typeof push;
  receipt: typeof receipt;
  refusals: typeof refusals;
  rewards: typeof rewards;
  rules: typeof rules;
  service: typeof service;
  share: typeof share;
  safeguards: typeof safeguards;
  shell: typeof shell;
  status: typeof status;
  trade: typeof trade;
  withdrawals: typeof withdrawals;
}

/** A folder of catalogues. */
export type Area = keyof Areas;

/** The keys of some areas. */
export type KeyOf<Some extends Area> = { [Each in Some]: keyof Areas[Each] & string }[Some];

/** Keys that every screen of the app may use. */
export type MessageKey = KeyOf<'account' | 'faults' | 'shell' | 'trade'>;

/** Keys that only the server uses. */
export type ServerMessageKey =
  | MessageKey
  | KeyOf<'codes' | 'consents' | 'edge' | 'messages' | 'refusals' | 'rules' | 'status'>;
