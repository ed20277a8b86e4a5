import type accesses from './catalogues/accesses.json';
import type account from './catalogues/account.json';
import type activities from './catalogues/activities.json';
import type codes from './catalogues/codes.json';
import type consents from './catalogues/consents.json';
import type contracts from './catalogues/contracts.json';
import type desk from './catalogues/desk.json';
import type disputes from './catalogues/disputes.json';
import type earning from './catalogues/earning.json';
import type edge from './catalogues/edge.json';
import type faults from './catalogues/faults.json';
import type help from './catalogues/help.json';
import type identity from './catalogues/identity.json';
import type keys from './catalogues/keys.json';
import type log from './catalogues/log.json';
import type messages from './catalogues/messages.json';
import type money from './catalogues/money.json';
import type networks from './catalogues/networks.json';
import type opening from './catalogues/opening.json';
import type portfolio from './catalogues/portfolio.json';
import type practice from './catalogues/practice.json';
import type push from './catalogues/push.json';
import type receipt from './catalogues/receipt.json';
import type recurring from './catalogues/recurring.json';
import type refusals from './catalogues/refusals.json';
import type rewards from './catalogues/rewards.json';
import type rules from './catalogues/rules.json';
import type safeguards from './catalogues/safeguards.json';
import type service from './catalogues/service.json';
import type share from './catalogues/share.json';
import type shell from './catalogues/shell.json';
import type standing from './catalogues/standing.json';
import type statement from './catalogues/statement.json';
import type status from './catalogues/status.json';
import type trade from './catalogues/trade.json';
import type waiting from './catalogues/waiting.json';
import type withdrawals from './catalogues/withdrawals.json';

interface Areas {
  accesses: typeof accesses;
  account: typeof account;
  activities: typeof activities;
  codes: typeof codes;
  consents: typeof consents;
  contracts: typeof contracts;
  desk: typeof desk;
  disputes: typeof disputes;
  earning: typeof earning;
  edge: typeof edge;
  faults: typeof faults;
  help: typeof help;
  identity: typeof identity;
  keys: typeof keys;
  log: typeof log;
  messages: typeof messages;
  money: typeof money;
  networks: typeof networks;
  opening: typeof opening;
  portfolio: typeof portfolio;
  practice: typeof practice;
  push: typeof push;
  receipt: typeof receipt;
  recurring: typeof recurring;
  refusals: typeof refusals;
  rewards: typeof rewards;
  rules: typeof rules;
  service: typeof service;
  share: typeof share;
  safeguards: typeof safeguards;
  shell: typeof shell;
  standing: typeof standing;
  statement: typeof statement;
  status: typeof status;
  trade: typeof trade;
  waiting: typeof waiting;
  withdrawals: typeof withdrawals;
}

/** The name of a catalogue file. */
export type Area = keyof Areas;

/** The keys of some areas. */
export type KeyOf<Some extends Area> = { [Each in Some]: keyof Areas[Each] & string }[Some];

/** Keys that every screen of the app may use. */
export type MessageKey = KeyOf<'account' | 'faults' | 'shell' | 'trade'>;

/** Keys that only the server uses. */
export type ServerMessageKey =
  | MessageKey
  | KeyOf<'codes' | 'consents' | 'edge' | 'messages' | 'refusals' | 'rules' | 'status'>;
