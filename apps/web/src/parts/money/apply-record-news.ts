import type { DepositRecord, listAccountRecords, ResultOf, WithdrawalRecord } from '@sathorn/api';

export type AccountRecord = ResultOf<typeof listAccountRecords>['items'][number];
interface Page {
  readonly items: readonly AccountRecord[];
}

/** A stream event: `deposit` and `withdrawal` are the record's fields of the same names. */
export interface RecordNews {
  readonly deposit: readonly DepositRecord[];
  readonly withdrawal: readonly WithdrawalRecord[];
}

/** Replaces records in loaded data by their newer states. Returns the same object if nothing has changed. */
export function applyRecordNews<Data>(data: Data, news: RecordNews): Data {
  if (isPages(data)) {
    const pages = data.pages.map((page) => newPage(page, news));
    return pages.some((page, place) => page !== data.pages[place]) ? { ...data, pages } : data;
  }
  return isPage(data) ? (newPage(data, news) as Data) : data;
}

function newPage(page: Page, { deposit, withdrawal }: RecordNews): Page {
  const items = page.items.map((item) => {
    const newDeposit = item.deposit && deposit.find(({ id }) => id === item.deposit?.id);
    const newWithdrawal = item.withdrawal && withdrawal.find(({ id }) => id === item.withdrawal?.id);
    if (newDeposit) return { ...item, deposit: newDeposit };
    return newWithdrawal ? { ...item, withdrawal: newWithdrawal } : item;
  });
  return items.some((item, place) => item !== page.items[place]) ? { ...page, items } : page;
}

const isPage = (data: unknown): data is Page =>
  typeof data === 'object' && data !== null && 'items' in data && Array.isArray(data.items);
const isPages = (data: unknown): data is { pages: readonly Page[] } =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);
