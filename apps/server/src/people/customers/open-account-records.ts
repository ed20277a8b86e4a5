import type { Module } from '../../platform/module.ts';
import type { AccountRecordsDependencies } from './customers.ts';
import { keyedHashOf } from './keyed-hash.ts';
import { listAccountRecordsHandler } from './list-account-records.ts';
import { listDailyTotalsHandler } from './list-daily-totals.ts';
import { openOpaqueIds } from './opaque-ids.ts';

/** The account's statement. Deposits and withdrawals need customers, so it is opened after them. */
export function openAccountRecords({
  ledger,
  secrets,
  movements,
  dailyCloses,
}: AccountRecordsDependencies): Module<null> {
  const opaqueIds = openOpaqueIds(keyedHashOf(secrets.sessionKey));
  return {
    api: null,
    handlers: [
      listAccountRecordsHandler({ ledger, opaqueIds, movements }),
      listDailyTotalsHandler({ ledger, dailyCloses }),
    ],
  };
}
