-- Outgoing money. Each withdrawal stores a copy of its payee and terms. The database defines the allowed steps, and who
-- must have agreed.
CREATE SCHEMA withdrawals;
GRANT USAGE ON SCHEMA withdrawals TO sathorn_app, sathorn_signer, sathorn_checker;

-- The amounts from which one person, or two, must agree, in units of 10^-6 USDT. A brand's settings, published with
-- each channel.
CREATE TABLE withdrawals.threshold (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  effective_from timestamptz NOT NULL DEFAULT clock_timestamp(),
  one_person_from bigint NOT NULL CHECK (one_person_from > 0),
  two_people_from bigint NOT NULL,
  approval uuid,
  CHECK (two_people_from > one_person_from)
);
INSERT INTO withdrawals.threshold (effective_from, one_person_from, two_people_from) VALUES
  ('-infinity', 1000000000, 10000000000);
GRANT SELECT ON withdrawals.threshold TO sathorn_app, sathorn_checker;
GRANT INSERT (one_person_from, two_people_from, approval) ON withdrawals.threshold TO sathorn_app;

-- The cost of a withdrawal as promised to the customer until `valid_until`.
CREATE TABLE withdrawals.quote (
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL,
  channel text NOT NULL,
  payee_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  rate bigint,
  baht bigint,
  valid_until timestamptz NOT NULL
);
GRANT SELECT ON withdrawals.quote TO sathorn_app, sathorn_checker;
GRANT INSERT, DELETE ON withdrawals.quote TO sathorn_app;

-- Money on its way out.
CREATE TABLE withdrawals.withdrawal (
  -- Also the id of the intent and of the journal that holds its money.
  id uuid PRIMARY KEY,
  order_number text NOT NULL,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  channel text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('crypto', 'bank')),
  step text NOT NULL CHECK (step IN ('delayed', 'first_check', 'second_check', 'approved', 'sending', 'sent_unknown',
    'confirming', 'done', 'returned')),
  reason text,
  -- Units of 10^-6 USDT, including the fee.
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0 AND fee < amount),
  -- Units of 10^-6 THB per USDT, and of 10^-2 THB.
  rate bigint CHECK (rate > 0),
  baht bigint CHECK (baht > 0),
  -- Sequences of the holds in the ledger.
  hold bigint NOT NULL UNIQUE,
  fee_hold bigint UNIQUE,
  people smallint NOT NULL CHECK (people BETWEEN 0 AND 2),
  approval uuid UNIQUE,
  quote uuid UNIQUE,

  payee_id text NOT NULL,
  payee_name text NOT NULL,
  -- Only for a wallet, in lower case.
  chain text,
  address text CHECK (address ~ '^0x[0-9a-f]{40}$'),
  -- Only for a card: sealed, so that a stolen copy of the database names nobody.
  payee_sealed bytea,
  -- The customer whose deposit address it is; such a withdrawal is paid inside the ledger.
  receiver bigint CHECK (receiver > 0 AND receiver <> customer_id),

  question text,
  asked_at timestamptz,
  answer text,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  promised_at timestamptz NOT NULL,
  delayed_until timestamptz,
  delay_reason text CHECK (delay_reason IN ('new_payee', 'credentials_changed')),
  sent_at timestamptz,
  finished_at timestamptz,

  -- The transaction that a block contains, of all that were sent with its nonce.
  hash text CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  block_height bigint,
  block_hash text,
  -- For a bank payment: the file that contained it, and the bank's own number.
  export uuid,
  reference text UNIQUE,
  -- The journal that ended a withdrawal.
  journal uuid UNIQUE,
  payee_opening bytea CHECK (length(payee_opening) = 32),

  CONSTRAINT of_chain CHECK ((kind = 'crypto') = (chain IS NOT NULL AND address IS NOT NULL)),
  CONSTRAINT of_bank CHECK ((kind = 'bank') = (payee_sealed IS NOT NULL AND rate IS NOT NULL AND baht IS NOT NULL)),
  CONSTRAINT fee_held CHECK ((fee > 0) = (fee_hold IS NOT NULL)),
  CONSTRAINT inside CHECK (receiver IS NULL OR kind = 'crypto'),
  CONSTRAINT delayed CHECK ((delayed_until IS NULL) = (delay_reason IS NULL)),
  CONSTRAINT whole_block CHECK ((block_height IS NULL) = (block_hash IS NULL)),
  CONSTRAINT finished CHECK ((finished_at IS NOT NULL) = (step IN ('done', 'returned'))),
  CONSTRAINT returned_for CHECK (step <> 'returned' OR reason IS NOT NULL),
  CONSTRAINT done_by CHECK (step <> 'done' OR receiver IS NOT NULL OR (kind = 'bank' AND reference IS NOT NULL)
    OR (hash IS NOT NULL AND block_height IS NOT NULL)),
  CONSTRAINT ended_by CHECK ((journal IS NOT NULL) = (step IN ('done', 'returned')))
);
CREATE INDEX withdrawal_of_customer ON withdrawals.withdrawal (customer_id, created_at DESC, id DESC);
CREATE INDEX withdrawal_open ON withdrawals.withdrawal (step, created_at) WHERE step NOT IN ('done', 'returned');
CREATE INDEX withdrawal_finished ON withdrawals.withdrawal (finished_at) WHERE step = 'done';
CREATE INDEX withdrawal_of_block ON withdrawals.withdrawal (chain, block_height) WHERE step = 'done';
GRANT SELECT ON withdrawals.withdrawal TO sathorn_app, sathorn_checker;
GRANT INSERT (id, order_number, customer_id, channel, kind, step, amount, fee, rate, baht, hold, fee_hold, people,
  quote, payee_id, payee_name, chain, address, payee_sealed, receiver, created_at, promised_at, delayed_until,
  delay_reason, payee_opening), UPDATE (step, reason, approval, question, asked_at, answer, version, sent_at,
  finished_at, hash, block_height, block_hash, export, reference, journal) ON withdrawals.withdrawal TO sathorn_app;

-- The allowed steps after each step.
CREATE TABLE withdrawals.move (
  from_step text NOT NULL,
  to_step text NOT NULL,
  PRIMARY KEY (from_step, to_step)
);
INSERT INTO withdrawals.move VALUES
  ('delayed', 'first_check'), ('delayed', 'returned'), ('first_check', 'second_check'), ('first_check', 'approved'),
  ('first_check', 'returned'), ('second_check', 'approved'), ('second_check', 'returned'), ('approved', 'sending'),
  ('approved', 'done'), ('approved', 'returned'), ('sending', 'confirming'), ('sending', 'sent_unknown'),
  ('sending', 'done'), ('sending', 'returned'), ('sent_unknown', 'confirming'), ('sent_unknown', 'done'),
  ('sent_unknown', 'returned'), ('confirming', 'sending'), ('confirming', 'sent_unknown'), ('confirming', 'done'),
  ('confirming', 'returned'), ('delayed', 'done'), ('first_check', 'done'), ('second_check', 'done');
GRANT SELECT ON withdrawals.move TO sathorn_app, sathorn_checker;

-- Requires that a withdrawal begins unchecked, with as many people as its amount needs.
CREATE FUNCTION withdrawals.check_request() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
DECLARE
  fault text;
BEGIN
  -- One after the other for each customer: the sum of the day must see those that are being inserted.
  PERFORM pg_advisory_xact_lock(hashtextextended('withdrawals of ' || NEW.customer_id, 0));
  fault := CASE WHEN chain.is_house(NEW.chain, NEW.address) THEN 'its address is the house’s own' ELSE fault_of(NEW) END;
  IF fault IS NOT NULL THEN RAISE EXCEPTION 'withdrawal % is refused: %', NEW.id, fault USING ERRCODE = 'WD001'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_request BEFORE INSERT ON withdrawals.withdrawal FOR EACH ROW
  EXECUTE FUNCTION withdrawals.check_request();

-- Allows only the next steps of a withdrawal, only after the required people have agreed to exactly this one, and only
-- after its delay.
CREATE FUNCTION withdrawals.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF OLD.approval IS NOT NULL AND NEW.approval IS DISTINCT FROM OLD.approval THEN
    RAISE EXCEPTION 'an approval is asked for once' USING ERRCODE = 'WD002';
  END IF;
  IF OLD.step = NEW.step THEN
    IF OLD.step IN ('done', 'returned') THEN RAISE EXCEPTION 'a finished withdrawal is not changed' USING ERRCODE = 'WD002'; END IF;
    RETURN NEW;
  END IF;
  -- One that the chain has paid without us ends as paid, by that transaction alone.
  IF NEW.kind = 'crypto' AND NEW.receiver IS NULL AND (NEW.step = 'done' AND OLD.step <> 'confirming'
      OR EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = NEW.id)) AND NOT (NEW.step = 'done'
        AND EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = NEW.id AND f.hash = NEW.hash))
    OR NEW.step = 'done' AND OLD.step IN ('delayed', 'first_check', 'second_check') AND (NEW.kind <> 'crypto' OR NEW.receiver IS NOT NULL) THEN
    RAISE EXCEPTION 'withdrawal % can''t move to % but by the transaction that paid it', NEW.id, NEW.step USING ERRCODE = 'WD002';
  END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.move WHERE from_step = OLD.step AND to_step = NEW.step) THEN
    RAISE EXCEPTION 'a withdrawal can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'WD002';
  END IF;
  IF NEW.step = 'approved' AND NEW.people > 0 AND NOT EXISTS (
    SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'withdrawal' AND a.subject = NEW.id::text AND a.status = 'approved'
      AND a.need >= NEW.people AND (SELECT count(DISTINCT v.operator) FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve') >= NEW.people
  ) THEN
    RAISE EXCEPTION 'nobody, or too few people, approved withdrawal %', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF OLD.step = 'delayed' AND NEW.step <> 'returned' AND OLD.delayed_until > clock_timestamp() AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'withdrawal % is delayed', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF NEW.step = 'returned' AND OLD.step = 'approved' AND NOT withdrawals.is_given_back(NEW.id) THEN
    RAISE EXCEPTION 'nobody decided to give withdrawal % back', NEW.id USING ERRCODE = 'WD003';
  END IF;
  -- A signed transaction can still get into a block until another one with its nonce is final.
  IF NEW.step = 'returned' AND OLD.step IN ('sending', 'sent_unknown') AND NEW.kind = 'crypto' AND NOT EXISTS (SELECT FROM withdrawals.lost l WHERE l.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has shown that withdrawal % is lost', NEW.id USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_move BEFORE UPDATE ON withdrawals.withdrawal FOR EACH ROW
  EXECUTE FUNCTION withdrawals.check_move();

-- The nonce of each payout; a payout has one, and a nonce one payout, for ever. Of all that is sent with it, the chain
-- accepts only one.
CREATE TABLE withdrawals.payout (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.withdrawal,
  chain text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  wallet text NOT NULL CHECK (wallet ~ '^0x[0-9a-f]{40}$'),
  UNIQUE (chain, wallet, nonce)
);
GRANT SELECT ON withdrawals.payout TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT INSERT (withdrawal_id, chain, nonce, wallet) ON withdrawals.payout TO sathorn_signer;

-- Each signed transaction, stored before it is sent. Later attempts pay more for the same nonce.
CREATE TABLE withdrawals.outbox (
  hash text PRIMARY KEY CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  withdrawal_id uuid NOT NULL REFERENCES withdrawals.payout,
  attempt integer NOT NULL CHECK (attempt >= 1),
  raw text NOT NULL CHECK (raw ~ '^0x[0-9a-f]+$'),
  -- The most that it pays per unit of gas.
  max_fee numeric(39, 0) NOT NULL CHECK (max_fee > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- True for an empty transaction to the wallet itself, which uses up the nonce of a payout that will never be in a
  -- block.
  is_empty boolean NOT NULL DEFAULT false,
  UNIQUE (withdrawal_id, attempt)
);
GRANT SELECT ON withdrawals.outbox TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT INSERT (hash, withdrawal_id, attempt, raw, max_fee, is_empty) ON withdrawals.outbox TO sathorn_signer;

-- Transfers of a transaction that this database did not sign: an expense, money that was found, the house's own, or
-- the payout of a withdrawal.
CREATE TABLE withdrawals.foreign_transfer (
  chain text NOT NULL,
  hash text NOT NULL,
  output integer NOT NULL,
  receiver text NOT NULL,
  units bigint NOT NULL CHECK (units > 0),
  purpose text NOT NULL CHECK (purpose IN ('expense', 'found', 'house', 'payout')),
  withdrawal_id uuid UNIQUE,
  approval uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null until it is booked; for a payout, the journal is its withdrawal's.
  journal uuid UNIQUE,
  customer_id bigint CHECK (customer_id > 0),
  payee_id text,
  -- Opens the payee's commitment to its address.
  payee_opening bytea,
  -- The part that the customer's balance lacked, which the house claims.
  shortfall bigint,
  PRIMARY KEY (chain, hash, output),
  CHECK ((purpose = 'payout') = (withdrawal_id IS NOT NULL)),
  CHECK (purpose <> 'payout' OR journal IS NULL),
  CHECK (shortfall BETWEEN 0 AND units),
  CONSTRAINT of_payee CHECK (num_nonnulls(customer_id, payee_id, payee_opening) = CASE purpose WHEN 'found' THEN 3
    ELSE 0 END),
  CONSTRAINT of_found CHECK ((shortfall IS NOT NULL) = (purpose = 'found' AND journal IS NOT NULL))
);
CREATE INDEX foreign_transfer_of_customer ON withdrawals.foreign_transfer (customer_id) WHERE customer_id IS NOT NULL;
GRANT SELECT ON withdrawals.foreign_transfer TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, hash, output, receiver, units, purpose, withdrawal_id, approval, customer_id, payee_id,
  payee_opening), UPDATE (journal, shortfall) ON withdrawals.foreign_transfer TO sathorn_app;

-- Transfers out of the wallet that have no payout and that nobody has accounted for.
CREATE VIEW withdrawals.outflow AS
  SELECT h.chain, h.hash, h.output, h.sender, h.receiver, h.amount, h.block_height FROM deposits.hot_transfer h
  WHERE h.direction = 'out' AND NOT EXISTS (SELECT FROM withdrawals.outbox o WHERE o.hash = h.hash)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.chain = h.chain AND f.hash = h.hash
      AND f.output = h.output);
GRANT SELECT ON withdrawals.outflow TO sathorn_app, sathorn_checker;

-- The payouts that the signer may pay now. It excludes a payout whose receiver got exactly its amount in a transaction
-- that nobody has explained, because it may be paid already.
CREATE VIEW withdrawals.payable AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.created_at
  FROM withdrawals.withdrawal w
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL
    AND EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = w.hold AND t.kind = 'p' AND t.code = 54
      AND t.units = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.outflow o WHERE o.chain = w.chain AND o.receiver = w.address
      AND o.amount = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id);
GRANT SELECT ON withdrawals.payable TO sathorn_app, sathorn_signer, sathorn_checker;

-- The approval by which two people declared a payout lost.
CREATE FUNCTION withdrawals.lost_approval(_id uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT a.id FROM operators.approval a WHERE a.kind = 'withdrawal_lost' AND a.subject = _id::text AND a.status = 'approved' AND a.made_by IS NOT NULL
    AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by) LIMIT 1
$$;

-- Payouts that are sent but not final.
CREATE VIEW withdrawals.in_flight AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.step, p.nonce,
    withdrawals.lost_approval(w.id) IS NOT NULL AS is_lost
  FROM withdrawals.withdrawal w JOIN withdrawals.payout p ON p.withdrawal_id = w.id
  WHERE w.step IN ('sending', 'sent_unknown', 'confirming');
GRANT SELECT ON withdrawals.in_flight TO sathorn_app, sathorn_signer, sathorn_checker;

-- Assigns a nonce of the wallet and takes the payout out of `approved` in one transaction, so that nobody can cancel or
-- return it from here on. It refuses addresses of the house.
CREATE FUNCTION withdrawals.begin_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  last := withdrawals.last_nonce(NEW.chain, NEW.wallet);
  IF NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.payable p WHERE p.id = NEW.withdrawal_id AND p.chain = NEW.chain AND NOT chain.is_house(p.chain, p.address)) THEN
    RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005';
  END IF;
  UPDATE withdrawals.withdrawal SET step = 'sending', sent_at = clock_timestamp(), version = version + 1 WHERE id = NEW.withdrawal_id AND step = 'approved';
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_payout BEFORE INSERT ON withdrawals.payout FOR EACH ROW
  EXECUTE FUNCTION withdrawals.begin_payout();

CREATE FUNCTION withdrawals.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'WD006';
END $$;

-- Moves a withdrawal on in the ledger's transaction. It raises if the withdrawal is not in the step that the decision
-- found.
CREATE FUNCTION withdrawals.advance(_id uuid, _from text[], _to text, _reason text, _journal uuid, _at timestamptz)
  RETURNS void
LANGUAGE plpgsql SET search_path = withdrawals, pg_temp AS $$
BEGIN
  UPDATE withdrawals.withdrawal SET step = _to, reason = coalesce(_reason, reason), version = version + 1,
    finished_at = CASE WHEN _to IN ('done', 'returned') THEN _at END, journal = CASE WHEN _to IN ('done', 'returned') THEN _journal END
  WHERE id = _id AND step = ANY (_from);
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not in %', _id, _from USING ERRCODE = 'WD004'; END IF;
END $$;

-- The signer's transactions besides payouts: gas to a deposit address, the sweep of its tokens to the hot wallet, and
-- returns that two people decided. Also lost payouts: after two people declare one lost, an empty transaction uses up
-- its nonce, and then the money is returned.
CREATE TABLE withdrawals.sending (
  id uuid PRIMARY KEY,
  chain text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('gas', 'sweep', 'return')),
  -- The hot wallet when gas is sent, otherwise a deposit address.
  sender text NOT NULL CHECK (sender ~ '^0x[0-9a-f]{40}$'),
  receiver text NOT NULL CHECK (receiver ~ '^0x[0-9a-f]{40}$'),
  nonce bigint NOT NULL CHECK (nonce >= 0),
  -- Null for the chain's own coin.
  token text CHECK (token ~ '^0x[0-9a-f]{40}$'),
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  deposit_id uuid REFERENCES deposits.deposit,
  step text NOT NULL DEFAULT 'sending' CHECK (step IN ('sending', 'done', 'failed')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  hash text CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  block_height bigint,
  finished_at timestamptz,
  -- An address never uses a nonce twice. The chain accepts only one of the transactions with it.
  UNIQUE (chain, sender, nonce),
  CONSTRAINT gas_is_coins CHECK (kind <> 'gas' OR token IS NULL),
  CONSTRAINT of_deposit CHECK ((kind = 'return') = (deposit_id IS NOT NULL)),
  CONSTRAINT finished CHECK (num_nonnulls(hash, block_height, finished_at) = CASE step WHEN 'sending' THEN 0
    ELSE 3 END)
);
CREATE INDEX sending_unfinished ON withdrawals.sending (chain, sender) WHERE step = 'sending';
CREATE INDEX sending_of_sender ON withdrawals.sending (chain, sender, token);
CREATE UNIQUE INDEX sending_of_deposit ON withdrawals.sending (deposit_id) WHERE step <> 'failed';
CREATE INDEX sending_of_block ON withdrawals.sending (chain, block_height) WHERE step <> 'sending';
CREATE INDEX sending_of_receiver ON withdrawals.sending (chain, receiver) WHERE kind = 'gas';
GRANT SELECT ON withdrawals.sending TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT UPDATE (step, hash, block_height, finished_at) ON withdrawals.sending TO sathorn_app;
GRANT INSERT (id, chain, kind, sender, receiver, nonce, token, units, deposit_id) ON withdrawals.sending
  TO sathorn_signer;

-- Each signed transaction, stored before it is sent.
CREATE TABLE withdrawals.sending_attempt (
  hash text PRIMARY KEY CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  sending_id uuid NOT NULL REFERENCES withdrawals.sending,
  attempt integer NOT NULL CHECK (attempt >= 1),
  raw text NOT NULL CHECK (raw ~ '^0x[0-9a-f]+$'),
  max_fee numeric(39, 0) NOT NULL CHECK (max_fee > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (sending_id, attempt)
);
GRANT SELECT ON withdrawals.sending_attempt TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT INSERT (hash, sending_id, attempt, raw, max_fee) ON withdrawals.sending_attempt TO sathorn_signer;

-- The gas fee of each final transaction that the signer sent, in the smallest units of the chain's coin. The ledger
-- has no account for it.
CREATE TABLE withdrawals.gas_paid (
  hash text PRIMARY KEY CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  chain text NOT NULL,
  sender text NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units >= 0),
  block_height bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX gas_paid_of_sender ON withdrawals.gas_paid (chain, sender);
GRANT SELECT ON withdrawals.gas_paid TO sathorn_app, sathorn_checker;
GRANT INSERT (hash, chain, sender, units, block_height) ON withdrawals.gas_paid TO sathorn_app;

-- Transfers from a deposit address to the wallet that this database's signer did not send.
CREATE VIEW deposits.swept_before AS
  SELECT h.chain, h.sender AS address, sum(h.amount) AS units FROM deposits.hot_transfer h
  WHERE h.direction = 'sweep' AND NOT EXISTS (SELECT FROM withdrawals.sending_attempt a WHERE a.hash = h.hash)
    GROUP BY h.chain, h.sender;
GRANT SELECT ON deposits.swept_before TO sathorn_app, sathorn_checker;

-- Per address: tokens that are credited and not swept, and native coins that belong to a customer and may not be used
-- as gas.
CREATE VIEW withdrawals.sweepable AS
  SELECT d.chain, d.address, a.index, d.token, d.units - coalesce(s.units, 0) - coalesce(b.units, 0) AS units
  FROM (SELECT chain, address, token, sum(amount) AS units FROM deposits.deposit WHERE kind = 'crypto'
    AND step = 'credited' GROUP BY chain, address, token) d
  JOIN chain.address a ON a.chain = d.chain AND a.address = d.address
  LEFT JOIN (SELECT chain, sender, token, sum(units) AS units FROM withdrawals.sending WHERE kind = 'sweep'
    AND step <> 'failed' GROUP BY chain, sender, token) s
    ON s.chain = d.chain AND s.sender = d.address AND s.token = d.token
  LEFT JOIN deposits.swept_before b ON b.chain = d.chain AND b.address = d.address
  WHERE d.units > coalesce(s.units, 0) + coalesce(b.units, 0);
GRANT SELECT ON withdrawals.sweepable TO sathorn_app, sathorn_signer, sathorn_checker;

-- Open transactions, with the index of the sending deposit address.
CREATE VIEW withdrawals.sending_open AS
  SELECT s.id, s.chain, s.kind, s.sender, s.receiver, s.nonce, s.token, s.units, a.index, s.at
  FROM withdrawals.sending s LEFT JOIN chain.address a ON a.chain = s.chain AND a.address = s.sender
    WHERE s.step = 'sending';
GRANT SELECT ON withdrawals.sending_open TO sathorn_app, sathorn_signer, sathorn_checker;

-- Allows at most one open transaction per address, and a sweep of at most what was credited.
CREATE FUNCTION withdrawals.begin_sending() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  IF NEW.kind = 'gas' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
    IF NOT EXISTS (SELECT FROM chain.address WHERE chain = NEW.chain AND address = NEW.receiver)
      OR EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND kind = 'gas' AND receiver = NEW.receiver AND step = 'sending') THEN
      RAISE EXCEPTION 'no gas is to be sent to %', NEW.receiver USING ERRCODE = 'WD007';
    END IF;
  ELSE
    PERFORM pg_advisory_xact_lock(hashtextextended('sends:' || NEW.chain || NEW.sender, 0));
    IF EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND sender = NEW.sender AND step = 'sending') THEN
      RAISE EXCEPTION 'something of % is on its way', NEW.sender USING ERRCODE = 'WD007';
    END IF;
    IF NEW.kind = 'sweep' AND NOT EXISTS (SELECT FROM withdrawals.sweepable WHERE chain = NEW.chain AND address = NEW.sender AND token = NEW.token AND units >= NEW.units) THEN
      RAISE EXCEPTION '% of % are not to be swept', NEW.units, NEW.sender USING ERRCODE = 'WD007';
    END IF;
    -- Of a coin, gas comes off what arrives.
    IF NEW.kind = 'return' AND NOT EXISTS (SELECT FROM withdrawals.returnable r WHERE r.deposit = NEW.deposit_id AND r.chain = NEW.chain AND r.address = NEW.sender
      AND r.receiver = NEW.receiver AND r.token IS NOT DISTINCT FROM NEW.token AND (r.amount = NEW.units OR (r.token IS NULL AND r.amount > NEW.units))) THEN
      RAISE EXCEPTION 'deposit % is not to be sent back so', NEW.deposit_id USING ERRCODE = 'WD007';
    END IF;
  END IF;
  last := withdrawals.last_nonce(NEW.chain, NEW.sender);
  IF NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_sending BEFORE INSERT ON withdrawals.sending FOR EACH ROW
  EXECUTE FUNCTION withdrawals.begin_sending();

-- Allows a sending to end once, by one of its own transactions.
CREATE FUNCTION withdrawals.end_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.step <> 'sending' OR NEW.step = 'sending' OR NOT EXISTS (SELECT FROM withdrawals.sending_attempt WHERE hash = NEW.hash AND sending_id = NEW.id) THEN
    RAISE EXCEPTION 'what was sent ends once, by one of its own transactions' USING ERRCODE = 'WD007';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER end_sending BEFORE UPDATE ON withdrawals.sending FOR EACH ROW
  EXECUTE FUNCTION withdrawals.end_sending();

-- Refuses other transactions for a nonce after its first empty one.
CREATE FUNCTION withdrawals.check_attempt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF NEW.is_empty <> (withdrawals.lost_approval(NEW.withdrawal_id) IS NOT NULL) THEN
    RAISE EXCEPTION 'payout % is % lost', NEW.withdrawal_id, CASE WHEN NEW.is_empty THEN 'not' ELSE 'said to be' END USING ERRCODE = 'WD008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_attempt BEFORE INSERT ON withdrawals.outbox FOR EACH ROW
  EXECUTE FUNCTION withdrawals.check_attempt();

-- The evidence of all nodes that another transaction used the nonce: the empty one, or an unknown one (then without a
-- hash).
CREATE TABLE withdrawals.lost (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.payout,
  approval uuid NOT NULL,
  hash text REFERENCES withdrawals.outbox,
  -- The block at which it had the required confirmations.
  height bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON withdrawals.lost TO sathorn_app, sathorn_checker;
GRANT INSERT (withdrawal_id, approval, hash, height) ON withdrawals.lost TO sathorn_app;

-- Requires that another transaction used the nonce of a lost payout.
CREATE FUNCTION withdrawals.check_lost() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF NEW.approval IS DISTINCT FROM withdrawals.lost_approval(NEW.withdrawal_id)
    OR (NEW.hash IS NOT NULL AND NOT EXISTS (SELECT FROM withdrawals.outbox WHERE hash = NEW.hash AND withdrawal_id = NEW.withdrawal_id AND is_empty)) THEN
    RAISE EXCEPTION 'payout % is not lost', NEW.withdrawal_id USING ERRCODE = 'WD008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_lost BEFORE INSERT ON withdrawals.lost FOR EACH ROW EXECUTE FUNCTION withdrawals.check_lost();

-- What the signer may send back now; nothing to an address of the house.
CREATE VIEW withdrawals.returnable AS
  SELECT d.id AS deposit, d.chain, d.address, a.index, d.return_to AS receiver, d.amount, CASE d.reason
    WHEN 'other_token' THEN d.token END AS token, d.reason
  FROM deposits.deposit d JOIN chain.address a ON a.chain = d.chain AND a.address = d.address
  WHERE d.step = 'recovering' AND d.recovery_plan = 'return' AND d.reason IN ('other_token', 'native_coin')
    AND d.block_height IS NOT NULL AND d.return_to IS NOT NULL
    AND deposits.is_recovered(d.id, d.recovery_approval, 'return', d.return_to)
    AND deposits.is_as_decided(d.id, d.recovery_approval, d.customer_id, d.amount, d.token, d.recovery_fee)
    AND NOT customers.is_held(d.customer_id) AND NOT chain.is_house(d.chain, d.return_to)
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step <> 'failed')
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step = 'failed'
      AND s.finished_at > clock_timestamp() - interval '6 hours');
GRANT SELECT ON withdrawals.returnable TO sathorn_app, sathorn_signer, sathorn_checker;

-- Native coins at an address that belong to a customer and may not be used as gas.
CREATE VIEW withdrawals.kept_coins AS
  SELECT kept.chain, kept.address, sum(kept.amount) AS units FROM (
    SELECT d.chain, d.address, d.amount FROM deposits.deposit d
    WHERE d.kind = 'crypto' AND d.reason = 'native_coin' AND d.step IN ('recovery', 'recovering')
      AND d.block_height IS NOT NULL
      AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step = 'done')
    UNION ALL SELECT s.chain, s.address, s.coins FROM deposits.stray s WHERE s.coins > 0) kept
  GROUP BY kept.chain, kept.address;
GRANT SELECT ON withdrawals.kept_coins TO sathorn_app, sathorn_signer, sathorn_checker;

-- Allows the application to write only a threshold that two people approved exactly.
CREATE FUNCTION withdrawals.check_approved_threshold() RETURNS trigger LANGUAGE plpgsql SET search_path = withdrawals,
  pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'withdrawals'), 'MEMBER') THEN RETURN NEW; END IF;
  NEW.effective_from := clock_timestamp();
  IF NOT EXISTS (
    SELECT FROM offer.version v
    WHERE v.approval = NEW.approval AND v.kind = 'threshold' AND v.stopped_at IS NULL AND v.applied_at IS NULL AND v.effective_from <= NEW.effective_from
      AND (v.fields::jsonb ->> 'one_person_from')::numeric * 1000000 = NEW.one_person_from
      AND (v.fields::jsonb ->> 'two_people_from')::numeric * 1000000 = NEW.two_people_from) THEN
    RAISE EXCEPTION 'nobody approved these thresholds' USING ERRCODE = 'WD009';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_approved BEFORE INSERT ON withdrawals.threshold FOR EACH ROW
  EXECUTE FUNCTION withdrawals.check_approved_threshold();

-- Final transactions that are checked again. A reorganisation deeper than the confirmations can remove a booked payout
-- or sweep. Its signed transaction is still valid, so the signer sends it again; the books stay as they are until a
-- block contains it once more.
CREATE VIEW withdrawals.final AS
  SELECT s.chain, s.hash, a.raw, s.block_height, s.nonce FROM withdrawals.sending s JOIN withdrawals.sending_attempt a
    ON a.hash = s.hash WHERE s.step <> 'sending'
  UNION ALL
  SELECT w.chain, w.hash, o.raw, w.block_height, p.nonce FROM withdrawals.withdrawal w
  JOIN withdrawals.payout p ON p.withdrawal_id = w.id JOIN withdrawals.outbox o ON o.hash = w.hash
    WHERE w.step = 'done' AND w.block_height IS NOT NULL;
GRANT SELECT ON withdrawals.final TO sathorn_signer, sathorn_checker;

-- The time zone that decides to which day a withdrawal belongs; the owner adds a row when it changes. An attacker with
-- only the application's login must not be able to pay a stranger. So the database checks every rule of a withdrawal
-- when it is inserted, by its own clock and rows; the application only proposes.
CREATE TABLE withdrawals.calendar (
  effective_from timestamptz PRIMARY KEY,
  time_zone text NOT NULL,
  -- In the first row, the time from which every withdrawal has an authorisation.
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO withdrawals.calendar (effective_from, time_zone) VALUES
  ('-infinity', 'Asia/Bangkok');
GRANT SELECT ON withdrawals.calendar TO sathorn_app, sathorn_checker;

-- The largest sum that a customer may withdraw per day, by certification and the terms in force. The VIP level follows
-- from deposits and isn't stored, so the highest one counts here; the application and the checker apply the exact one.
CREATE FUNCTION withdrawals.daily_max(_customer bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  limits CONSTANT jsonb := (SELECT fields::jsonb FROM offer.version WHERE kind = 'withdrawal' AND subject = 'all' AND applied_at IS NOT NULL ORDER BY version DESC LIMIT 1);
  levels CONSTANT jsonb := (SELECT fields::jsonb FROM offer.version WHERE kind = 'level' AND subject = 'vip' AND applied_at IS NOT NULL ORDER BY version DESC LIMIT 1);
  certified CONSTANT text := (SELECT min(level) FROM certifications.application WHERE customer = _customer AND state = 'verified');
  whole numeric;
BEGIN
  -- 'advanced' comes before 'primary'. The first version's terms count until others are stored.
  whole := CASE
    WHEN certified IS NULL THEN coalesce((limits ->> 'daily_none')::numeric, 1000)
    WHEN certified = 'primary' THEN coalesce((limits ->> 'daily_primary')::numeric, 10000)
    ELSE greatest(coalesce((limits ->> 'daily_advanced')::numeric, 50000),
      coalesce((SELECT max((level ->> 'daily_max')::numeric) FROM jsonb_array_elements(levels -> 'levels') AS level), 500000)) END;
  RETURN (whole * 1000000)::bigint;
END $$;

-- How many people a day's sum needs. It equals `peopleFor` in packages/settlement; a test compares both.
CREATE FUNCTION withdrawals.people_for(_units bigint, _one_person_from bigint, _two_people_from bigint)
  RETURNS integer
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE WHEN _units >= _two_people_from THEN 2 WHEN _units >= _one_person_from THEN 1 ELSE 0 END
$$;

-- Why a withdrawal may not be inserted; null if it may. Times have a tolerance, because the application decided by its
-- own clock a moment ago.
CREATE FUNCTION withdrawals.fault_of(_row withdrawals.withdrawal) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  is_virtual CONSTANT boolean := (SELECT virtual_clock FROM market.guard);
  now_at CONSTANT timestamptz := CASE WHEN is_virtual THEN _row.created_at ELSE clock_timestamp() END;
  zone CONSTANT text := (SELECT time_zone FROM calendar WHERE effective_from <= _row.created_at ORDER BY effective_from DESC LIMIT 1);
  threshold withdrawals.threshold;
  payee payees.payee;
  quote withdrawals.quote;
  day_sum bigint;
  free_from timestamptz;
BEGIN
  IF abs(extract(epoch FROM _row.created_at - now_at)) > 120 THEN RETURN 'it is of another time'; END IF;
  IF _row.step <> (CASE WHEN _row.delayed_until IS NULL THEN 'first_check' ELSE 'delayed' END) THEN RETURN 'it does not begin unchecked'; END IF;

  SELECT * INTO payee FROM payees.payee p WHERE p.id = _row.payee_id AND p.owner = _row.customer_id AND p.removed_at IS NULL;
  IF payee.id IS NULL OR (payee.kind = 'wallet') <> (_row.kind = 'crypto') THEN RETURN 'its payee is not saved'; END IF;
  IF _row.kind = 'crypto' AND (payee.commitment = payees.commitment_of(_row.payee_opening, _row.chain, _row.address)) IS NOT TRUE THEN
    RETURN 'its address is not the one that was saved';
  END IF;
  IF _row.kind = 'crypto' AND _row.receiver IS DISTINCT FROM (SELECT a.customer_id FROM chain.address a WHERE a.chain = _row.chain AND a.address = _row.address) THEN
    RETURN 'its address is another customer’s, or is not';
  END IF;

  free_from := greatest(payee.stored_at, customers.credentials_changed_at(_row.customer_id)) + interval '24 hours';
  IF free_from > now_at + interval '1 minute' AND (_row.delayed_until >= free_from - interval '1 minute') IS NOT TRUE THEN
    RETURN 'it must wait until ' || free_from;
  END IF;
  IF customers.is_frozen(_row.customer_id, 'withdrawals') OR customers.is_frozen(_row.customer_id, 'trading') THEN RETURN 'the customer is frozen'; END IF;

  IF _row.quote IS NOT NULL THEN
    SELECT * INTO quote FROM withdrawals.quote q WHERE q.id = _row.quote;
    IF (quote.customer_id, quote.channel, quote.payee_id, quote.amount, quote.fee, quote.rate, quote.baht)
      IS DISTINCT FROM (_row.customer_id, _row.channel, _row.payee_id, _row.amount, _row.fee, _row.rate, _row.baht) THEN
      RETURN 'its quote is of something else';
    END IF;
    IF quote.valid_until < now_at - interval '1 minute' THEN RETURN 'its quote has expired'; END IF;
  END IF;

  IF NOT EXISTS (SELECT FROM ledger.transfer t JOIN ledger.account a ON a.id = t.debit
    WHERE t.sequence = _row.hold AND t.kind = 'h' AND t.code = 54 AND t.units = _row.amount - _row.fee AND t.journal = _row.id AND a.owner = _row.customer_id) THEN
    RETURN 'its hold is not of this customer and amount';
  END IF;

  SELECT * INTO threshold FROM withdrawals.threshold WHERE effective_from <= clock_timestamp() ORDER BY effective_from DESC, id DESC LIMIT 1;
  SELECT _row.amount + coalesce(sum(w.amount), 0) INTO day_sum FROM withdrawals.withdrawal w
  WHERE w.customer_id = _row.customer_id AND w.step <> 'returned' AND w.created_at >= date_trunc('day', _row.created_at AT TIME ZONE zone) AT TIME ZONE zone;
  IF _row.people < people_for(day_sum, threshold.one_person_from, threshold.two_people_from) THEN
    RETURN format('a day’s sum of %s needs more people than %s', day_sum, _row.people);
  END IF;
  IF day_sum > daily_max(_row.customer_id) THEN RETURN format('a day’s sum of %s is above the limit', day_sum); END IF;
  RETURN NULL;
END $$;

-- The authorisation that the edge signed right after it verified the payment password and the second factor, with a key
-- that the database's logins don't have.
CREATE TABLE withdrawals.authorisation (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.withdrawal,
  body text NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64),
  key text NOT NULL CHECK (key ~ '^[0-9a-f]{16}$'),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON withdrawals.authorisation TO sathorn_app, sathorn_checker;
GRANT INSERT (withdrawal_id, body, signature, key) ON withdrawals.authorisation TO sathorn_app;

-- Withdrawals that were promised to customers and that nobody has paid, by hand or otherwise.
CREATE VIEW withdrawals.promised AS
  SELECT w.id, w.customer_id, w.channel, w.chain, w.address, w.payee_id, w.amount, w.fee, w.quote, w.people,
    w.created_at, t.sequence AS taken,
    a.body, encode(a.signature, 'hex') AS signature, a.key, chain.is_house(w.chain, w.address) AS is_house
  FROM withdrawals.withdrawal w
  JOIN ledger.transfer t ON t.resolves = w.hold AND t.kind = 'p'
  LEFT JOIN withdrawals.authorisation a ON a.withdrawal_id = w.id
  WHERE w.kind = 'crypto' AND w.receiver IS NULL AND w.step IN ('approved', 'sending', 'sent_unknown', 'confirming')
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id);
GRANT SELECT ON withdrawals.promised TO sathorn_signer, sathorn_checker;

-- The people who agreed to a payout or to a return. The proposer of a return is one of its two people.
CREATE VIEW withdrawals.agreed AS
  SELECT a.subject, a.kind, a.content, v.operator FROM operators.approval a JOIN operators.vote v ON v.approval = a.id
  WHERE a.kind IN ('withdrawal', 'payout_release', 'payout_foreign', 'deposit_recovery') AND a.status = 'approved'
    AND v.decision = 'approve'
  UNION
  SELECT a.subject, a.kind, a.content, a.made_by FROM operators.approval a
  WHERE a.kind IN ('deposit_recovery', 'payout_foreign') AND a.status = 'approved' AND a.made_by IS NOT NULL;
GRANT SELECT ON withdrawals.agreed TO sathorn_signer, sathorn_checker;

-- The reason for which the signer waits before a payout, to show to people. It decides nothing.
CREATE TABLE withdrawals.waiting (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.withdrawal,
  waits_for text NOT NULL CHECK (waits_for IN ('restoration', 'checker', 'finding', 'budget', 'votes',
    'authorisation', 'house_address', 'foreign_transaction', 'gas', 'wallet_short', 'token_refuses')),
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON withdrawals.waiting TO sathorn_app, sathorn_checker;
GRANT INSERT (withdrawal_id, waits_for), UPDATE (waits_for, since), DELETE ON withdrawals.waiting TO sathorn_app;

-- Payouts that two people must still be asked to release. People cannot release one with an invalid authorisation.
CREATE VIEW withdrawals.unreleased AS
  SELECT w.id, w.created_at FROM withdrawals.waiting o JOIN withdrawals.withdrawal w ON w.id = o.withdrawal_id
    AND w.step = 'approved'
  WHERE (o.waits_for = 'budget' OR (o.waits_for = 'authorisation'
    AND NOT EXISTS (SELECT FROM withdrawals.authorisation a WHERE a.withdrawal_id = w.id)))
    AND NOT EXISTS (SELECT FROM operators.approval p WHERE p.kind = 'payout_release' AND p.subject = w.id::text
      AND p.status IN ('waiting', 'approved'));
GRANT SELECT ON withdrawals.unreleased TO sathorn_app, sathorn_checker;

-- True if two people returned an unsigned payout, or one of them refused to release it.
CREATE FUNCTION withdrawals.is_given_back(_id uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id WHERE a.subject = _id::text AND CASE a.kind
    WHEN 'payout_return' THEN a.status = 'approved' AND a.made_by IS NOT NULL AND v.decision = 'approve' AND v.operator <> a.made_by
    WHEN 'payout_release' THEN a.status = 'rejected' AND v.decision = 'reject' ELSE false END)
$$;

-- Transactions by hand with the house's key. After one, payouts wait until two people have accounted for it by its
-- hash. The signer reads the decision and verifies the votes and the transaction itself.
CREATE TABLE withdrawals.foreign_transaction (
  chain text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  hash text NOT NULL UNIQUE CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  approval uuid UNIQUE,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  wallet text NOT NULL CHECK (wallet ~ '^0x[0-9a-f]{40}$'),
  -- True if this and all earlier transactions of the wallet were sent before this platform had the wallet.
  is_first boolean NOT NULL DEFAULT false,
  what text NOT NULL DEFAULT 'foreign' CHECK (what IN ('foreign', 'gas', 'sweep')),
  PRIMARY KEY (chain, wallet, nonce),
  CONSTRAINT by_people CHECK ((approval IS NULL) = (what <> 'foreign'))
);
GRANT SELECT ON withdrawals.foreign_transaction TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, nonce, hash, approval, wallet, is_first, what) ON withdrawals.foreign_transaction TO sathorn_app;

-- The reason for which all payouts of a chain wait, according to the signer. It is shown to people and decides nothing.
CREATE TABLE withdrawals.standstill (
  chain text PRIMARY KEY,
  reason text NOT NULL CHECK (reason IN ('restoration', 'foreign_transaction', 'gas')),
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON withdrawals.standstill TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, reason), UPDATE (reason, since), DELETE ON withdrawals.standstill TO sathorn_app;

-- Accepts an account of a nonce only after its block was read, and only from people or for the house's own addresses.
CREATE FUNCTION withdrawals.check_foreign() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  last := withdrawals.last_nonce(NEW.chain, NEW.wallet);
  -- One whose nonce is known takes the place of one that we signed, or is of before: that explains it and frees nothing.
  IF (NEW.is_first AND (last <> -1 OR withdrawals.unreconciled_since() IS NOT NULL))
    OR EXISTS (SELECT FROM outbox o WHERE o.hash = NEW.hash) OR EXISTS (SELECT FROM sending_attempt a WHERE a.hash = NEW.hash) THEN
    RAISE EXCEPTION 'nonce % of % needs no account', NEW.nonce, NEW.wallet USING ERRCODE = 'WD005';
  END IF;
  -- What it paid is known only once its block was read.
  IF withdrawals.unreconciled_since() IS NOT NULL AND NOT EXISTS (SELECT FROM deposits.unsigned_transaction u WHERE (u.chain, u.hash, u.sender, u.nonce) = (NEW.chain, NEW.hash, NEW.wallet, NEW.nonce)) THEN
    RAISE EXCEPTION '% was not read yet', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  -- One that moved nothing away from the house's addresses needs nobody.
  IF NEW.what IN ('gas', 'sweep') THEN
    IF NOT EXISTS (SELECT FROM deposits.unsigned_transaction u WHERE (u.chain, u.hash, u.sender, u.nonce) = (NEW.chain, NEW.hash, NEW.wallet, NEW.nonce)
        AND CASE NEW.what WHEN 'gas' THEN u.value > 0 AND (EXISTS (SELECT FROM chain.address a WHERE a.chain = u.chain AND a.address = u.receiver)
              OR EXISTS (SELECT FROM deposits.forgotten o WHERE o.chain = u.chain AND o.address = u.receiver))
            AND NOT EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash)
          -- A sweep is adopted once the credit before it let it be booked.
          ELSE EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash AND h.direction = 'sweep' AND h.sender = u.sender AND h.journal IS NOT NULL) END) THEN
      RAISE EXCEPTION '% stayed not within the house’s addresses', NEW.hash USING ERRCODE = 'WD003';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
      CROSS JOIN LATERAL (SELECT a.content::jsonb AS said) c
    WHERE a.id = NEW.approval AND a.kind = 'payout_foreign' AND a.subject = NEW.hash AND a.status = 'approved'
      AND (said ->> 'chain', said ->> 'hash', said ->> 'nonce') = (NEW.chain, NEW.hash, NEW.nonce::text)
      AND coalesce(said ->> 'wallet', NEW.wallet) = NEW.wallet AND coalesce((said ->> 'is_first')::boolean, false) = NEW.is_first) THEN
    RAISE EXCEPTION 'nobody has accounted for %', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_foreign BEFORE INSERT ON withdrawals.foreign_transaction FOR EACH ROW
  EXECUTE FUNCTION withdrawals.check_foreign();

-- Payouts that the signer should sign, and since when.
CREATE VIEW withdrawals.unsigned AS
  SELECT w.id, t.at AS since FROM withdrawals.withdrawal w JOIN ledger.transfer t ON t.resolves = w.hold
    AND t.kind = 'p'
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL;
GRANT SELECT ON withdrawals.unsigned TO sathorn_app, sathorn_checker;

CREATE TRIGGER booked_once BEFORE UPDATE ON withdrawals.foreign_transfer FOR EACH ROW WHEN (OLD.journal IS NOT NULL)
  EXECUTE FUNCTION withdrawals.refuse_change();

-- True if the watcher has read a chain up to a height.
CREATE FUNCTION withdrawals.has_read(_chain text, _height bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT EXISTS (SELECT FROM deposits.cursor WHERE chain = _chain AND scanned >= _height)
$$;

-- Requires that people's account of a transfer equals what was read from the chain.
CREATE FUNCTION withdrawals.check_foreign_transfer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
DECLARE
  seen record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  PERFORM FROM withdrawal w WHERE w.id = NEW.withdrawal_id FOR UPDATE;
  SELECT * INTO seen FROM left_by_hand(NEW.chain, NEW.hash) l WHERE (l.output, l.receiver, l.units) = (NEW.output, NEW.receiver, NEW.units);
  IF NOT FOUND OR NEW.journal IS NOT NULL OR seen.is_house IS DISTINCT FROM (NEW.purpose = 'house') THEN
    RAISE EXCEPTION 'output % of % did not leave the wallet like that', NEW.output, NEW.hash USING ERRCODE = 'WD003';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
    WHERE a.id = NEW.approval AND a.kind = 'payout_foreign' AND a.subject = NEW.hash AND a.status = 'approved' AND a.content::jsonb ->> 'chain' = NEW.chain
      AND a.content::jsonb -> 'transfers' @> jsonb_build_array(jsonb_build_object('output', NEW.output::text, 'to', NEW.receiver, 'units', NEW.units::text,
        'purpose', NEW.purpose, 'withdrawal', NEW.withdrawal_id, 'customer', NEW.customer_id::text, 'payee', NEW.payee_id))) THEN
    RAISE EXCEPTION 'nobody has accounted for %', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  IF NEW.purpose = 'payout' AND NOT NEW.withdrawal_id = ANY (seen.withdrawals) THEN
    RAISE EXCEPTION '% did not pay withdrawal %', NEW.hash, NEW.withdrawal_id USING ERRCODE = 'WD009';
  END IF;
  -- Otherwise the signer would pay the same receiver the same amount a second time.
  IF NEW.purpose IN ('expense', 'found') AND seen.withdrawals <> '{}' THEN
    RAISE EXCEPTION '% paid an open withdrawal', NEW.hash USING ERRCODE = 'WD009';
  END IF;
  IF NEW.purpose = 'found' AND NOT EXISTS (SELECT FROM payees.payee p WHERE p.id = NEW.payee_id AND p.owner = NEW.customer_id
      AND p.commitment = payees.commitment_of(NEW.payee_opening, NEW.chain, NEW.receiver)) THEN
    RAISE EXCEPTION '% is not a payout to a wallet of customer %', NEW.hash, NEW.customer_id USING ERRCODE = 'WD009';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_foreign_transfer BEFORE INSERT ON withdrawals.foreign_transfer FOR EACH ROW
  EXECUTE FUNCTION withdrawals.check_foreign_transfer();

-- Open withdrawals, in any step, that a transaction without the signer paid.
CREATE VIEW withdrawals.paid_by_hand AS
  SELECT w.id, h.hash, h.block_height, h.block_hash FROM withdrawals.foreign_transfer f JOIN withdrawals.withdrawal w
    ON w.id = f.withdrawal_id
  JOIN deposits.hot_transfer h ON h.chain = f.chain AND h.hash = f.hash AND h.output = f.output
    AND h.direction = 'out' WHERE w.step NOT IN ('done', 'returned');
GRANT SELECT ON withdrawals.paid_by_hand TO sathorn_app, sathorn_checker;

-- Acknowledges the checker's findings about transfers that two people have accounted for. Resumes money if it was
-- halted for such a transfer and all findings are acknowledged. Anybody may call it, because it depends only on what
-- two people decided.
CREATE FUNCTION withdrawals.end_foreign_halt() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ledger.head WHERE halted LIKE 'CU3: %') THEN RETURN false; END IF;
  INSERT INTO ledger.acknowledgement (violation, by_name, why)
    SELECT v.id, 'two people in the console', 'they accounted for the transaction, approval ' || f.approval
    FROM ledger.violation v CROSS JOIN LATERAL (SELECT approval FROM withdrawals.foreign_transfer WHERE hash = v.subject LIMIT 1) f
    WHERE v.invariant = 'CU3' AND NOT EXISTS (SELECT FROM ledger.acknowledgement a WHERE a.violation = v.id)
      AND NOT EXISTS (SELECT FROM deposits.hot_transfer h CROSS JOIN LATERAL withdrawals.left_by_hand(h.chain, h.hash) WHERE h.hash = v.subject);
  IF EXISTS (SELECT FROM ledger.violation v WHERE NOT EXISTS (SELECT FROM ledger.acknowledgement a WHERE a.violation = v.id)) THEN RETURN false; END IF;
  RETURN ledger.resume_money('two people in the console', 'they accounted for what had left the wallet by hand');
END $$;

-- Since when a restoration waits for its reconciliation; null if none does.
CREATE FUNCTION withdrawals.unreconciled_since() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT since FROM proofs.reconciliation WHERE closed_at IS NULL
$$;

-- Refuses payments, new addresses and decisions that move money until a restoration is reconciled.
CREATE FUNCTION withdrawals.refuse_unreconciled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF withdrawals.unreconciled_since() IS NOT NULL THEN
    RAISE EXCEPTION 'restored and not yet reconciled: % on %.% waits', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'RS001';
  END IF;
  RETURN NEW;
END $$;
-- These names sort first, so these triggers run before the others.
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.payout FOR EACH ROW
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.outbox FOR EACH ROW
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.sending FOR EACH ROW
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.sending_attempt FOR EACH ROW
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON chain.address FOR EACH ROW
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();
-- People may approve withdrawals of the lost time a second time. So nobody can release any, and none is paid inside or
-- handed to the bank.
CREATE TRIGGER after_restoration BEFORE UPDATE ON withdrawals.withdrawal FOR EACH ROW
  WHEN (NEW.step <> OLD.step AND (NEW.step = 'approved' OR (NEW.step = 'done' AND NEW.receiver IS NOT NULL)
  OR (NEW.step = 'sending' AND OLD.step = 'approved'))) EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE UPDATE ON operators.approval FOR EACH ROW
  WHEN (NEW.status = 'approved' AND OLD.status <> 'approved' AND NEW.kind IN ('withdrawal', 'payout_release'))
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();

-- The restoration that must be reconciled.
CREATE VIEW withdrawals.reconciliation AS
  SELECT r.restoration, r.since, s.ends_at, s.known_at FROM proofs.reconciliation r JOIN proofs.restoration s
    ON s.id = r.restoration WHERE r.closed_at IS NULL;
GRANT SELECT ON withdrawals.reconciliation TO sathorn_app, sathorn_checker;

-- Closes the reconciliation with its approval.
CREATE FUNCTION withdrawals.end_restoration(_restoration bigint, _approval uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  UPDATE proofs.reconciliation SET closed_at = clock_timestamp(), approval = _approval WHERE restoration = _restoration
$$;

-- The last nonce up to which everything is known; -1 if nothing is. Later transactions that we did not send must be
-- accounted for one by one.
CREATE FUNCTION withdrawals.last_nonce(_chain text, _wallet text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  WITH own AS (
    SELECT greatest(-1, (SELECT max(nonce) FROM payout WHERE chain = _chain AND wallet = _wallet), (SELECT max(nonce) FROM sending WHERE chain = _chain AND sender = _wallet),
      (SELECT max(nonce) FROM foreign_transaction WHERE chain = _chain AND wallet = _wallet AND is_first)) AS nonce
  ), beyond AS (
    SELECT f.nonce, row_number() OVER (ORDER BY f.nonce) AS nth FROM foreign_transaction f, own WHERE f.chain = _chain AND f.wallet = _wallet AND f.nonce > own.nonce
  )
  SELECT own.nonce + (SELECT count(*) FROM beyond WHERE beyond.nonce = own.nonce + beyond.nth) FROM own
$$;

-- Open withdrawals that a transfer with this receiver and amount may have paid. One that the signer has begun matches
-- only with the signer's nonce.
CREATE FUNCTION withdrawals.open_withdrawals(_chain text, _hash text, _receiver text, _units numeric) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT ARRAY(SELECT w.id FROM withdrawal w WHERE w.kind = 'crypto' AND w.chain = _chain AND w.receiver IS NULL
    AND w.step NOT IN ('done', 'returned') AND w.address = _receiver AND w.amount - w.fee = _units
    AND NOT EXISTS (SELECT FROM foreign_transfer f WHERE f.withdrawal_id = w.id)
    AND NOT EXISTS (SELECT FROM payout p WHERE p.withdrawal_id = w.id
      AND NOT EXISTS (SELECT FROM deposits.unsigned_transaction u WHERE (u.chain, u.hash, u.sender, u.nonce) = (_chain, _hash, p.wallet, p.nonce)))
    ORDER BY w.created_at, w.id)
$$;

-- Transfers out of the wallet by a transaction that nobody has accounted for.
CREATE FUNCTION withdrawals.left_by_hand(_chain text, _hash text) RETURNS TABLE (output integer, receiver text,
  units bigint, is_house boolean, withdrawals uuid[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT h.output, h.receiver, h.amount, h.receiver <> h.sender AND chain.is_kept(h.receiver), open_withdrawals(h.chain, h.hash, h.receiver, h.amount)
  FROM deposits.hot_transfer h
  WHERE h.chain = _chain AND h.hash = _hash AND h.direction = 'out'
    AND NOT EXISTS (SELECT FROM foreign_transfer f WHERE f.chain = h.chain AND f.hash = h.hash AND f.output = h.output)
    AND NOT EXISTS (SELECT FROM outbox o JOIN withdrawal w ON w.id = o.withdrawal_id
      WHERE o.hash = h.hash AND w.address = h.receiver AND w.amount - w.fee = h.amount)
  ORDER BY h.output
$$;

-- Everything that nobody has explained, and what is explained but not booked.
CREATE VIEW withdrawals.unexplained AS
  SELECT chain, hash, 'out' AS kind, sender, receiver, amount::numeric AS amount, block_height
    FROM withdrawals.outflow
  UNION ALL
  SELECT h.chain, h.hash, 'sweep', h.sender, h.receiver, h.amount::numeric, h.block_height
    FROM deposits.hot_transfer h
  WHERE h.direction = 'sweep' AND h.journal IS NULL AND NOT EXISTS (SELECT FROM withdrawals.sending_attempt a
    WHERE a.hash = h.hash)
  UNION ALL
  SELECT u.chain, u.hash, 'transaction', u.sender, u.receiver, u.value, u.block_height
    FROM deposits.unsigned_transaction u
  WHERE NOT EXISTS (SELECT FROM withdrawals.foreign_transaction f WHERE f.hash = u.hash)
    AND NOT EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash
      AND (h.direction = 'out' OR h.direction = 'sweep' AND h.journal IS NULL))
  UNION ALL
  SELECT f.chain, f.hash, 'booking', h.sender, f.receiver, f.units::numeric, h.block_height
    FROM withdrawals.foreign_transfer f
  LEFT JOIN deposits.hot_transfer h ON h.chain = f.chain AND h.hash = f.hash AND h.output = f.output
    AND h.direction = 'out'
  WHERE CASE f.purpose WHEN 'payout' THEN NOT EXISTS (SELECT FROM withdrawals.withdrawal w
    WHERE w.id = f.withdrawal_id AND w.step = 'done') ELSE f.journal IS NULL END;
GRANT SELECT ON withdrawals.unexplained TO sathorn_app, sathorn_checker;

-- Transactions that need no people: gas for our own addresses, and sweeps that are booked.
CREATE VIEW withdrawals.adoptable AS
  SELECT u.chain, u.hash, u.sender AS wallet, u.nonce, CASE WHEN EXISTS (SELECT FROM deposits.hot_transfer h
    WHERE h.chain = u.chain AND h.hash = u.hash) THEN 'sweep' ELSE 'gas' END AS what
  FROM deposits.unsigned_transaction u WHERE NOT EXISTS (SELECT FROM withdrawals.foreign_transaction f
    WHERE f.hash = u.hash)
    AND (EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash
      AND h.direction = 'sweep' AND h.sender = u.sender AND h.journal IS NOT NULL)
      OR u.value > 0 AND NOT EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash)
        AND (EXISTS (SELECT FROM chain.address a WHERE a.chain = u.chain AND a.address = u.receiver)
          OR EXISTS (SELECT FROM deposits.forgotten o WHERE o.chain = u.chain AND o.address = u.receiver)));
GRANT SELECT ON withdrawals.adoptable TO sathorn_app, sathorn_checker;

-- Explanations for the console's page: what people check, and where.
CREATE VIEW withdrawals.explanation AS
  SELECT e.*, u.at, CASE e.kind WHEN 'out' THEN withdrawals.open_withdrawals(e.chain, e.hash, e.receiver, e.amount)
    ELSE '{}' END AS withdrawals
  FROM withdrawals.unexplained e LEFT JOIN deposits.unsigned_transaction u ON u.chain = e.chain AND u.hash = e.hash;
GRANT SELECT ON withdrawals.explanation TO sathorn_app, sathorn_checker;

-- The part of deposits.forgotten that the signer may see.
CREATE VIEW withdrawals.forgotten AS SELECT * FROM deposits.forgotten;
GRANT SELECT ON withdrawals.forgotten TO sathorn_app, sathorn_checker;

-- Chains whose end was not read since the restoration. A chain that was not read for a day before the copy ended is no
-- longer in use.
CREATE FUNCTION withdrawals.unread_chains() RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT coalesce(array_agg(chain ORDER BY chain), '{}') FROM deposits.cursor
  WHERE (updated_at < withdrawals.unreconciled_since() OR scanned < head OR head - combed > 256)
    AND updated_at > (SELECT ends_at - interval '1 day' FROM withdrawals.reconciliation)
$$;

-- Foreign nonces that are newer than all of ours.
CREATE VIEW withdrawals.foreign_newest AS
  SELECT f.chain, f.wallet, f.nonce, f.hash, f.what FROM withdrawals.foreign_transaction f
  WHERE f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.payout p WHERE p.chain = f.chain
    AND p.wallet = f.wallet), -1)
    AND f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.sending s WHERE s.chain = f.chain
      AND s.sender = f.wallet), -1);
GRANT SELECT ON withdrawals.foreign_newest TO sathorn_signer, sathorn_checker;

-- Amounts that have left a deposit address or are being sent from it, so that the watcher does not report them as
-- missing.
CREATE VIEW deposits.leaving AS
  SELECT chain, sender AS address, token, sum(units) AS units FROM withdrawals.sending WHERE kind <> 'gas'
    AND step <> 'failed' GROUP BY chain, sender, token;
GRANT SELECT ON deposits.leaving TO sathorn_app, sathorn_checker;

-- The transaction that returned each deposit; until a block contains one, the newest attempt.
CREATE VIEW deposits.sent_back AS
  SELECT s.deposit_id, coalesce(s.hash, (SELECT a.hash FROM withdrawals.sending_attempt a
    WHERE a.sending_id = s.id ORDER BY a.attempt DESC LIMIT 1)) AS hash
  FROM withdrawals.sending s WHERE s.deposit_id IS NOT NULL AND s.step <> 'failed';
GRANT SELECT ON deposits.sent_back TO sathorn_app, sathorn_checker;

-- A customer's debt to the house: for reversed deposits, and for payouts that a restored balance lacks.
CREATE VIEW deposits.shortfall AS
  SELECT borne.customer_id, borne.units - coalesce((SELECT sum(p.units) FROM deposits.repayment p
    WHERE p.customer_id = borne.customer_id), 0) AS units
  FROM (SELECT customer_id, sum(shortfall) AS units FROM (
      SELECT d.customer_id, r.shortfall FROM deposits.reversal r JOIN deposits.deposit d ON d.id = r.deposit_id
        WHERE r.shortfall > 0
      UNION ALL SELECT customer_id, shortfall FROM withdrawals.foreign_transfer WHERE shortfall > 0) each_one
        GROUP BY customer_id) borne;
GRANT SELECT ON deposits.shortfall TO sathorn_app, sathorn_checker;

-- Transfers to the wallet that may be booked. A sweep that this database has not sent must follow its credit, or
-- clearing would be overdrawn.
CREATE VIEW deposits.hot_income AS
  SELECT h.* FROM deposits.hot_transfer h WHERE h.direction IN ('in', 'sweep') AND h.journal IS NULL
    AND (h.direction = 'in' OR EXISTS (SELECT FROM withdrawals.sending_attempt a WHERE a.hash = h.hash) OR h.amount <=
      (SELECT coalesce(sum(d.amount), 0) FROM chain.address a JOIN deposits.deposit d ON d.customer_id = a.customer_id
        AND d.chain = a.chain AND d.address = a.address
        WHERE a.chain = h.chain AND a.address = h.sender AND d.kind = 'crypto' AND d.step = 'credited')
      - (SELECT coalesce(sum(b.amount), 0) FROM deposits.hot_transfer b WHERE b.chain = h.chain
        AND b.sender = h.sender AND b.direction = 'sweep' AND b.journal IS NOT NULL));
GRANT SELECT ON deposits.hot_income TO sathorn_app, sathorn_checker;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['withdrawals.threshold', 'withdrawals.move', 'withdrawals.payout', 'withdrawals.outbox',
    'withdrawals.sending_attempt', 'withdrawals.gas_paid', 'withdrawals.lost', 'withdrawals.calendar',
    'withdrawals.authorisation', 'withdrawals.foreign_transaction'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['withdrawals.withdrawal', 'withdrawals.sending', 'withdrawals.foreign_transfer'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA withdrawals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.advance, withdrawals.end_restoration, withdrawals.has_read,
  withdrawals.end_foreign_halt, withdrawals.left_by_hand, withdrawals.unread_chains, withdrawals.open_withdrawals
  TO sathorn_app;
GRANT EXECUTE ON FUNCTION withdrawals.is_given_back TO sathorn_checker;
GRANT EXECUTE ON FUNCTION withdrawals.lost_approval, withdrawals.unreconciled_since TO sathorn_app, sathorn_signer,
  sathorn_checker;
GRANT EXECUTE ON FUNCTION withdrawals.people_for TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION withdrawals.last_nonce TO sathorn_app, sathorn_signer;
