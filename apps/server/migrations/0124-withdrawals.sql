-- Money that goes out. Each withdrawal keeps a copy of whom it pays and under which terms; what may follow what is held here, and so is who must have agreed.
CREATE SCHEMA withdrawals;

-- From which amount on one person, or two, must agree: units of 10^-6 USDT. A brand's settings, published with each channel.
CREATE TABLE withdrawals.threshold (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  effective_from timestamptz NOT NULL DEFAULT clock_timestamp(),
  one_person_from bigint NOT NULL CHECK (one_person_from > 0),
  two_people_from bigint NOT NULL,
  CHECK (two_people_from > one_person_from)
);
INSERT INTO withdrawals.threshold (effective_from, one_person_from, two_people_from) VALUES ('-infinity', 1000000000, 10000000000);

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

CREATE TABLE withdrawals.withdrawal (
  -- Also the id of the intent and of the journal that holds its money.
  id uuid PRIMARY KEY,
  order_number text NOT NULL,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  channel text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('crypto', 'bank')),
  step text NOT NULL CHECK (step IN ('delayed', 'first_check', 'second_check', 'approved', 'sending', 'sent_unknown', 'confirming', 'done', 'returned')),
  reason text,
  -- Units of 10^-6 USDT; the fee is inside.
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0 AND fee < amount),
  -- Units of 10^-6 THB for a USDT, and of 10^-2 THB.
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
  -- Of a wallet; in lower case.
  chain text,
  address text CHECK (address ~ '^0x[0-9a-f]{40}$'),
  -- Of a card: sealed, so that a stolen copy of the database names nobody.
  payee_sealed bytea,
  -- The customer whose deposit address it is: paid inside.
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

  -- Where the transaction is, of all that were sent with its nonce.
  hash text CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  block_height bigint,
  block_hash text,
  -- Of a bank's payment: the file that it went out with, and the bank's own number.
  export uuid,
  reference text UNIQUE,

  CONSTRAINT of_chain CHECK ((kind = 'crypto') = (chain IS NOT NULL AND address IS NOT NULL)),
  CONSTRAINT of_bank CHECK ((kind = 'bank') = (payee_sealed IS NOT NULL AND rate IS NOT NULL AND baht IS NOT NULL)),
  CONSTRAINT fee_held CHECK ((fee > 0) = (fee_hold IS NOT NULL)),
  CONSTRAINT inside CHECK (receiver IS NULL OR kind = 'crypto'),
  CONSTRAINT delayed CHECK ((delayed_until IS NULL) = (delay_reason IS NULL)),
  CONSTRAINT whole_block CHECK ((block_height IS NULL) = (block_hash IS NULL)),
  CONSTRAINT finished CHECK ((finished_at IS NOT NULL) = (step IN ('done', 'returned'))),
  CONSTRAINT returned_for CHECK (step <> 'returned' OR reason IS NOT NULL),
  CONSTRAINT done_by CHECK (step <> 'done' OR receiver IS NOT NULL OR (kind = 'bank' AND reference IS NOT NULL) OR (hash IS NOT NULL AND block_height IS NOT NULL))
);
CREATE INDEX withdrawal_of_customer ON withdrawals.withdrawal (customer_id, created_at DESC, id DESC);
CREATE INDEX withdrawal_open ON withdrawals.withdrawal (step, created_at) WHERE step NOT IN ('done', 'returned');
CREATE INDEX withdrawal_finished ON withdrawals.withdrawal (finished_at) WHERE step = 'done';

CREATE TABLE withdrawals.move (
  from_step text NOT NULL,
  to_step text NOT NULL,
  PRIMARY KEY (from_step, to_step)
);
INSERT INTO withdrawals.move VALUES
  ('delayed', 'first_check'), ('delayed', 'returned'),
  ('first_check', 'second_check'), ('first_check', 'approved'), ('first_check', 'returned'),
  ('second_check', 'approved'), ('second_check', 'returned'),
  ('approved', 'sending'), ('approved', 'done'), ('approved', 'returned'),
  ('sending', 'confirming'), ('sending', 'sent_unknown'), ('sending', 'done'), ('sending', 'returned'),
  ('sent_unknown', 'confirming'), ('sent_unknown', 'done'), ('sent_unknown', 'returned'),
  ('confirming', 'sending'), ('confirming', 'sent_unknown'), ('confirming', 'done'), ('confirming', 'returned');

-- Comes in unchecked, with as many people as its amount demands.
CREATE FUNCTION withdrawals.check_request() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  demanded integer := (
    SELECT CASE WHEN NEW.amount >= two_people_from THEN 2 WHEN NEW.amount >= one_person_from THEN 1 ELSE 0 END
    FROM withdrawals.threshold WHERE effective_from <= clock_timestamp() ORDER BY effective_from DESC, id DESC LIMIT 1);
BEGIN
  IF NEW.people < demanded THEN
    RAISE EXCEPTION 'a withdrawal of % needs % people', NEW.amount, demanded USING ERRCODE = 'WD001';
  END IF;
  IF NEW.step <> (CASE WHEN NEW.delayed_until IS NULL THEN 'first_check' ELSE 'delayed' END) THEN
    RAISE EXCEPTION 'a withdrawal begins unchecked' USING ERRCODE = 'WD001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_request BEFORE INSERT ON withdrawals.withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawals.check_request();

-- What may follow what; and that those people agreed who had to, to exactly this one, and not before the delay was over.
CREATE FUNCTION withdrawals.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF OLD.approval IS NOT NULL AND NEW.approval IS DISTINCT FROM OLD.approval THEN
    RAISE EXCEPTION 'an approval is asked for once' USING ERRCODE = 'WD002';
  END IF;
  IF OLD.step = NEW.step THEN
    IF OLD.step IN ('done', 'returned') THEN RAISE EXCEPTION 'a finished withdrawal is not changed' USING ERRCODE = 'WD002'; END IF;
    RETURN NEW;
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
  RETURN NEW;
END $$;
CREATE TRIGGER check_move BEFORE UPDATE ON withdrawals.withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawals.check_move();

-- Moves one on in the ledger's transaction, and raises where it is not where the decision found it.
CREATE FUNCTION withdrawals.advance(_id uuid, _from text[], _to text, _reason text, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = withdrawals, pg_temp AS $$
BEGIN
  UPDATE withdrawals.withdrawal SET step = _to, reason = coalesce(_reason, reason), version = version + 1,
    finished_at = CASE WHEN _to IN ('done', 'returned') THEN _at END
  WHERE id = _id AND step = ANY (_from);
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not in %', _id, _from USING ERRCODE = 'WD004'; END IF;
END $$;

-- A payout has one nonce, and a nonce one payout, for ever: whatever is sent with it, the chain takes one of.
CREATE TABLE withdrawals.payout (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.withdrawal,
  chain text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (chain, nonce)
);
-- Each signed transaction, kept before it is sent. Later attempts pay more for the same nonce.
CREATE TABLE withdrawals.outbox (
  hash text PRIMARY KEY CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  withdrawal_id uuid NOT NULL REFERENCES withdrawals.payout,
  attempt integer NOT NULL CHECK (attempt >= 1),
  raw text NOT NULL CHECK (raw ~ '^0x[0-9a-f]+$'),
  -- The most that it pays for a unit of gas.
  max_fee numeric(39, 0) NOT NULL CHECK (max_fee > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (withdrawal_id, attempt)
);

-- What the signer may pay: approved, to a wallet outside, and the ledger has taken the money for exactly that.
CREATE VIEW withdrawals.payable AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.created_at
  FROM withdrawals.withdrawal w
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL
    AND EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = w.hold AND t.kind = 'p' AND t.code = 54 AND t.units = w.amount - w.fee);
-- And what it is at: sent, not final.
CREATE VIEW withdrawals.in_flight AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.step, p.nonce
  FROM withdrawals.withdrawal w JOIN withdrawals.payout p ON p.withdrawal_id = w.id
  WHERE w.step IN ('sending', 'sent_unknown', 'confirming');

-- From here on nobody can cancel or return it: the same transaction that gives it a nonce takes it out of `approved`.
CREATE FUNCTION withdrawals.begin_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  SELECT max(nonce) INTO last FROM withdrawals.payout WHERE chain = NEW.chain;
  IF last IS NOT NULL AND NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.payable WHERE id = NEW.withdrawal_id AND chain = NEW.chain) THEN
    RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005';
  END IF;
  UPDATE withdrawals.withdrawal SET step = 'sending', sent_at = clock_timestamp(), version = version + 1 WHERE id = NEW.withdrawal_id AND step = 'approved';
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_payout BEFORE INSERT ON withdrawals.payout FOR EACH ROW EXECUTE FUNCTION withdrawals.begin_payout();

CREATE FUNCTION withdrawals.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'WD006';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['threshold', 'move', 'payout', 'outbox'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON withdrawals.%I FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.%I FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
  EXECUTE 'CREATE TRIGGER no_delete BEFORE DELETE ON withdrawals.withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()';
  EXECUTE 'CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.withdrawal FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()';
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA withdrawals FROM PUBLIC;
GRANT USAGE ON SCHEMA withdrawals TO sathorn_app, sathorn_checker, sathorn_signer;
GRANT SELECT ON ALL TABLES IN SCHEMA withdrawals TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION withdrawals.advance TO sathorn_app;
GRANT INSERT, DELETE ON withdrawals.quote TO sathorn_app;
GRANT INSERT (id, order_number, customer_id, channel, kind, step, amount, fee, rate, baht, hold, fee_hold, people, quote, payee_id, payee_name, chain, address,
    payee_sealed, receiver, created_at, promised_at, delayed_until, delay_reason),
  UPDATE (step, reason, approval, question, asked_at, answer, version, sent_at, finished_at, hash, block_height, block_hash, export, reference)
  ON withdrawals.withdrawal TO sathorn_app;
-- The signer alone gives nonces and keeps what it signed; it reads what is to be paid, and nothing else.
GRANT SELECT ON withdrawals.payable, withdrawals.in_flight, withdrawals.payout, withdrawals.outbox TO sathorn_signer;
GRANT INSERT (withdrawal_id, chain, nonce) ON withdrawals.payout TO sathorn_signer;
GRANT INSERT (hash, withdrawal_id, attempt, raw, max_fee) ON withdrawals.outbox TO sathorn_signer;
