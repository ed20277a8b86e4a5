/**
 * A table whose rows the checker remembers outside the database. The database's owner can rewrite a row together with
 * everything that refers to it, but not the checker's memory of it.
 */
export interface RememberedTable {
  readonly table: string;
  /** Orders the rows and has an index. With `partition`, one order for each parallel sequence, such as a coin. */
  readonly key: string;
  readonly partition?: string;
  /** A query that returns all partitions. */
  readonly partitions?: string;
  /** Columns that nobody changes once the row exists, not even the platform's own functions. */
  readonly columns: readonly string[];
  /** True if a row may appear after later ones, because it gets its number before its transaction is committed. */
  readonly isLate?: boolean;
  /** Rows per block; fewer if rows are large. */
  readonly blockRows: number;
  /** Increased by a migration that changes these columns of existing rows: the table is then read from the start. */
  readonly version?: number;
}

const BLOCK_ROWS = 512;
const columnsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

export const REMEMBERED_TABLES: readonly RememberedTable[] = [
  {
    table: 'ledger.transfer',
    key: 'sequence',
    columns: columnsOf(
      'sequence journal kind resolves asset debit credit units code at debit_entry debit_total debit_held credit_entry credit_total credit_held',
    ),
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'ledger.account_head',
    key: 'number',
    columns: columnsOf('number account previous entry hash at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'contracts.trade',
    key: 'number',
    partition: 'coin',
    partitions: 'SELECT coin AS partition FROM contracts.book',
    columns: columnsOf(
      'coin number price quantity amount taker_side maker_sequence taker_sequence maker_customer taker_customer maker_fee taker_fee at_ms',
    ),
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'market.sealed_segment',
    key: 'last_sequence',
    partition: 'coin',
    partitions: 'SELECT coin AS partition FROM market.head',
    columns: columnsOf(
      'coin first_sequence last_sequence first_at last_at previous_hash last_hash seconds prices signed signatures keys bytes hash sealed_at',
    ),
    blockRows: 16,
  },
  {
    table: 'options.voiding',
    key: 'transfer',
    columns: columnsOf('order_id customer_id units journal transfer at'),
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'withdrawals.withdrawal',
    key: 'hold',
    columns: columnsOf(
      'id order_number customer_id channel kind amount fee rate baht hold fee_hold people quote payee_id payee_name chain address payee_sealed receiver created_at delayed_until',
    ),
    blockRows: BLOCK_ROWS,
  },
  {
    // A view of withdrawals, for the same reason as that of approvals below.
    table: 'withdrawals.promised_time',
    key: 'hold',
    columns: columnsOf('hold promised_at'),
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'proofs.promise_link',
    key: 'sequence',
    columns: columnsOf('sequence at body hash up_to'),
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'books.liabilities',
    key: 'sequence',
    columns: columnsOf('sequence at body hash signature key'),
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'deposits.deposit',
    key: 'arrival',
    columns: columnsOf(
      'id order_number customer_id channel kind created_at chain hash output token sender address baht reference',
    ),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'deposits.bank_line',
    key: 'arrival',
    columns: columnsOf('id bank_reference at amount payer reference imported_by imported_at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'customers.freeze',
    key: 'arrival',
    columns: columnsOf('id customer scopes reason made_by made_by_name starts_at until'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'customers.ordered',
    key: 'arrival',
    columns: columnsOf('intent digest customer key body signature at arrival'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'customers.api_order',
    key: 'arrival',
    columns: columnsOf('intent digest customer key request form signature at arrival'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'payees.payee',
    key: 'arrival',
    columns: columnsOf('arrival id owner kind digest'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'safeguards.limit_change',
    key: 'sequence',
    columns: columnsOf('sequence id customer kind value asked_at from_at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'safeguards.pause',
    key: 'arrival',
    columns: columnsOf('arrival id customer kind starts_at until'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'support.message',
    key: 'arrival',
    columns: columnsOf('arrival thread number id author operator work_name digest at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'operators.entry',
    key: 'n',
    columns: columnsOf('n at operator what kind subject customer text previous hash'),
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'operators.approval',
    key: 'arrival',
    columns: columnsOf('id kind subject content fingerprint need roles made_by about reason made_at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    // A view of approvals. New columns in the entry above would make the checker forget what it remembers of them.
    table: 'operators.proposal',
    key: 'arrival',
    columns: columnsOf('arrival step_up is_from_before'),
    isLate: true,
    blockRows: BLOCK_ROWS,
    version: 2,
  },
  {
    table: 'operators.vote',
    key: 'arrival',
    columns: columnsOf('approval operator session decision fingerprint role reason challenge at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'content.version',
    key: 'arrival',
    columns: columnsOf('entry n part content made_by made_at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'content.publication',
    key: 'number',
    columns: columnsOf(
      'number id entry kind content digest version audience from_at to_at people approval made_by made_at',
    ),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'ledger.halt',
    key: 'id',
    columns: columnsOf('id reason by_role at event by_name'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'ledger.violation',
    key: 'id',
    columns: columnsOf('id invariant subject says at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'ledger.acknowledgement',
    key: 'id',
    columns: columnsOf('id violation by_name why by_role at'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
  {
    table: 'proofs.restoration',
    key: 'id',
    columns: columnsOf('id restored_at ends_at known_at transfers known_transfers ticks known_ticks'),
    isLate: true,
    blockRows: BLOCK_ROWS,
  },
];
