-- Money that comes in: each customer's address on the chain, what was seen there, bank orders and bank lines.
CREATE SCHEMA chain;

-- Derived from the extended public key by its index. An index is given once and never again.
CREATE TABLE chain.address (
  chain text NOT NULL,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  index integer NOT NULL CHECK (index >= 0),
  -- In lower case, as nodes write it; the app shows it with its checksum.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  -- The first bytes of the extended public key that it came from.
  xpub_mark text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (chain, customer_id),
  UNIQUE (chain, index),
  UNIQUE (chain, address)
);

CREATE SCHEMA deposits;

-- How far the chain has been read. `version` is the fence: a watcher that lost its lease finds another number and its work is rolled back.
CREATE TABLE deposits.cursor (
  chain text PRIMARY KEY,
  version bigint NOT NULL DEFAULT 0,
  -- Everything up to here has been read for transfers of our token.
  scanned bigint NOT NULL CHECK (scanned >= -1),
  -- The newest block that a node has told.
  head bigint NOT NULL,
  -- Up to here other contracts' transfers to our addresses were looked for, and what the first pass missed.
  combed bigint NOT NULL CHECK (combed >= -1),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Hashes of blocks that were read up to, the newest few hundred: where the chain left them, reading begins again.
CREATE TABLE deposits.checkpoint (
  chain text NOT NULL,
  height bigint NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  PRIMARY KEY (chain, height)
);

CREATE TABLE deposits.bank_line (
  id uuid PRIMARY KEY,
  -- The bank's own number of the line: a statement that is imported twice adds nothing.
  bank_reference text NOT NULL UNIQUE CHECK (bank_reference <> ''),
  at timestamptz NOT NULL,
  -- Units of 10^-2 THB.
  amount bigint NOT NULL CHECK (amount > 0),
  payer text NOT NULL,
  reference text NOT NULL,
  imported_by bigint,
  imported_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE deposits.deposit (
  -- On a chain derived from chain, transaction and output; at a bank the id of the order's intent.
  id uuid PRIMARY KEY,
  order_number text NOT NULL,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  channel text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('crypto', 'bank', 'promptpay')),
  step text NOT NULL CHECK (step IN ('awaiting_slip', 'in_review', 'confirming', 'credited', 'returned', 'reversed', 'recovery', 'failed')),
  reason text,
  -- Units of 10^-6 USDT; of another token its own smallest units.
  amount numeric(78, 0) NOT NULL CHECK (amount >= 0),
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- The journal that credited it, and how often one was reversed.
  journal uuid,
  round integer NOT NULL DEFAULT 0,
  -- What a reversal could not take back from the customer.
  shortfall bigint NOT NULL DEFAULT 0 CHECK (shortfall >= 0),

  chain text,
  hash text CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  -- The place of its event among those of the transaction: unlike the place in the block it survives a reorganisation.
  output integer CHECK (output >= 0),
  token text,
  sender text,
  address text,
  -- Null while no block of the chain has it.
  block_height bigint,
  block_hash text,
  in_block_at timestamptz,
  -- When its block was left by the chain.
  orphaned_at timestamptz,

  -- Units of 10^-2 THB; the rate in units of 10^-6 THB for a USDT.
  baht bigint CHECK (baht > 0),
  rate bigint CHECK (rate > 0),
  rate_until timestamptz,
  reference text UNIQUE,
  slip text UNIQUE,
  bank_line uuid UNIQUE REFERENCES deposits.bank_line,

  CONSTRAINT of_chain CHECK ((kind = 'crypto') = (num_nonnulls(chain, hash, output, token, sender, address) = 6)),
  CONSTRAINT of_bank CHECK ((kind <> 'crypto') = (num_nonnulls(baht, rate, rate_until, reference) = 4)),
  CONSTRAINT whole_block CHECK (num_nonnulls(block_height, block_hash, in_block_at) IN (0, 3)),
  CONSTRAINT credited_by_journal CHECK ((step = 'credited') = (journal IS NOT NULL)),
  CONSTRAINT credited_in_block CHECK (step <> 'credited' OR kind <> 'crypto' OR block_height IS NOT NULL),
  CONSTRAINT credited_by_line CHECK (step <> 'credited' OR kind = 'crypto' OR bank_line IS NOT NULL),
  CONSTRAINT finished CHECK ((finished_at IS NOT NULL) = (step IN ('credited', 'returned', 'reversed', 'recovery', 'failed')))
);
CREATE UNIQUE INDEX deposit_of_output ON deposits.deposit (chain, hash, output) WHERE kind = 'crypto';
CREATE INDEX deposit_of_customer ON deposits.deposit (customer_id, created_at DESC, id DESC);
CREATE INDEX deposit_open ON deposits.deposit (chain, block_height) WHERE step = 'confirming';
CREATE INDEX deposit_of_block ON deposits.deposit (chain, block_height) WHERE kind = 'crypto';
CREATE INDEX deposit_in_review ON deposits.deposit (created_at) WHERE step IN ('awaiting_slip', 'in_review');

CREATE TABLE deposits.move (
  from_step text NOT NULL,
  to_step text NOT NULL,
  PRIMARY KEY (from_step, to_step)
);
INSERT INTO deposits.move VALUES
  ('awaiting_slip', 'in_review'), ('awaiting_slip', 'credited'), ('awaiting_slip', 'failed'), ('awaiting_slip', 'returned'),
  ('in_review', 'awaiting_slip'), ('in_review', 'credited'), ('in_review', 'returned'),
  ('confirming', 'credited'), ('confirming', 'recovery'), ('confirming', 'failed'),
  -- A block may come back that had been left.
  ('failed', 'confirming'), ('recovery', 'confirming'),
  ('credited', 'reversed'), ('reversed', 'confirming'),
  ('recovery', 'returned');

CREATE FUNCTION deposits.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF OLD.step <> NEW.step AND NOT EXISTS (SELECT FROM deposits.move WHERE from_step = OLD.step AND to_step = NEW.step) THEN
    RAISE EXCEPTION 'a deposit can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'DP001';
  END IF;
  -- A credited deposit is credited by one journal; another block may have it, nothing else changes.
  IF OLD.step = 'credited' AND NEW.step = 'credited' AND NEW.journal IS DISTINCT FROM OLD.journal THEN
    RAISE EXCEPTION 'a deposit is credited once' USING ERRCODE = 'DP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_move BEFORE UPDATE ON deposits.deposit FOR EACH ROW EXECUTE FUNCTION deposits.check_move();

/*
 * The credit's own row, written in the ledger's transaction. It raises where the deposit is not what was decided on: then nothing is committed.
 */
CREATE FUNCTION deposits.credit(_id uuid, _block_hash text, _journal uuid, _line uuid, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, bank_line = _line, finished_at = _at, reason = NULL, version = version + 1
  WHERE id = _id AND step IN ('confirming', 'in_review', 'awaiting_slip') AND block_hash IS NOT DISTINCT FROM _block_hash;
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be credited', _id USING ERRCODE = 'DP002'; END IF;
END $$;

CREATE FUNCTION deposits.reverse(_id uuid, _journal uuid, _shortfall bigint, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  UPDATE deposits.deposit SET step = 'reversed', reason = 'reorganised', journal = NULL, round = round + 1, shortfall = shortfall + _shortfall,
    block_height = NULL, block_hash = NULL, in_block_at = NULL, finished_at = _at, version = version + 1
  WHERE id = _id AND step = 'credited' AND journal = _journal;
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be reversed', _id USING ERRCODE = 'DP002'; END IF;
END $$;

-- The reversals that there were: money that left a customer or the house again.
CREATE TABLE deposits.reversal (
  deposit_id uuid NOT NULL REFERENCES deposits.deposit,
  round integer NOT NULL,
  credit uuid NOT NULL,
  journal uuid NOT NULL UNIQUE,
  amount bigint NOT NULL CHECK (amount > 0),
  shortfall bigint NOT NULL CHECK (shortfall BETWEEN 0 AND amount),
  block_height bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (deposit_id, round)
);

-- Transfers of our token from and to the house's own wallet, as they were read from the chain.
CREATE TABLE deposits.hot_transfer (
  chain text NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  output integer NOT NULL CHECK (output >= 0),
  direction text NOT NULL CHECK (direction IN ('in', 'out', 'sweep')),
  sender text NOT NULL,
  receiver text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  block_height bigint NOT NULL,
  block_hash text NOT NULL,
  -- Of what came in: the journal that took it over, once it is deep enough.
  journal uuid,
  PRIMARY KEY (chain, hash, output)
);
CREATE INDEX hot_transfer_of_block ON deposits.hot_transfer (chain, block_height);

-- What the wallets held at a block, counted by the chain itself; the checker compares it with what the books say.
CREATE TABLE deposits.observation (
  chain text NOT NULL,
  height bigint NOT NULL,
  block_hash text NOT NULL,
  hot numeric(78, 0) NOT NULL,
  addresses numeric(78, 0) NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (chain, height)
);

CREATE FUNCTION deposits.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'DP003';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['chain.address', 'deposits.move', 'deposits.bank_line', 'deposits.reversal'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change()', name);
  END LOOP;
  EXECUTE 'CREATE TRIGGER no_delete BEFORE DELETE ON deposits.deposit FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change()';
  EXECUTE 'CREATE TRIGGER no_truncate BEFORE TRUNCATE ON deposits.deposit FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change()';
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA deposits FROM PUBLIC;
GRANT USAGE ON SCHEMA chain, deposits TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA chain, deposits TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION deposits.credit, deposits.reverse TO sathorn_app;
GRANT INSERT (chain, customer_id, index, address, xpub_mark) ON chain.address TO sathorn_app;
GRANT INSERT, UPDATE ON deposits.cursor TO sathorn_app;
GRANT INSERT, DELETE ON deposits.checkpoint TO sathorn_app;
GRANT INSERT ON deposits.bank_line, deposits.reversal, deposits.observation TO sathorn_app;
GRANT DELETE ON deposits.observation TO sathorn_app;
-- A row comes in uncredited.
GRANT INSERT (id, order_number, customer_id, channel, kind, step, reason, amount, created_at, finished_at, chain, hash, output, token, sender, address,
    block_height, block_hash, in_block_at, baht, rate, rate_until, reference),
  UPDATE (step, reason, amount, version, finished_at, journal, round, shortfall, block_height, block_hash, in_block_at, orphaned_at, slip, bank_line)
  ON deposits.deposit TO sathorn_app;
GRANT INSERT (chain, hash, output, direction, sender, receiver, amount, block_height, block_hash), UPDATE (journal), DELETE ON deposits.hot_transfer TO sathorn_app;
