-- The signer's transactions besides payouts: gas to a deposit address, the sweep of its tokens to the hot wallet, and returns that two people
-- decided. Also lost payouts: after two people declare one lost, an empty transaction uses up its nonce, and then the money is returned.
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
  -- A nonce of an address is never reused. The chain takes only one of the transactions that carry it.
  UNIQUE (chain, sender, nonce),
  CONSTRAINT gas_is_coins CHECK (kind <> 'gas' OR token IS NULL),
  CONSTRAINT of_deposit CHECK ((kind = 'return') = (deposit_id IS NOT NULL)),
  CONSTRAINT finished CHECK (num_nonnulls(hash, block_height, finished_at) = CASE step WHEN 'sending' THEN 0 ELSE 3 END)
);
CREATE INDEX sending_unfinished ON withdrawals.sending (chain, sender) WHERE step = 'sending';
CREATE INDEX sending_of_sender ON withdrawals.sending (chain, sender, token);
CREATE UNIQUE INDEX sending_of_deposit ON withdrawals.sending (deposit_id) WHERE step <> 'failed';
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
-- The gas fee of each final transaction that the signer sent, in the smallest units of the chain's coin. The ledger has no account for it.
CREATE TABLE withdrawals.gas_paid (
  hash text PRIMARY KEY CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  chain text NOT NULL,
  sender text NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units >= 0),
  block_height bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Per address: tokens that are credited and not swept, and native coins that belong to a customer and may not be used as gas.
CREATE VIEW withdrawals.sweepable AS
  SELECT d.chain, d.address, a.index, d.token, d.units - coalesce(s.units, 0) AS units
  FROM (SELECT chain, address, token, sum(amount) AS units FROM deposits.deposit WHERE kind = 'crypto' AND step = 'credited' GROUP BY chain, address, token) d
  JOIN chain.address a ON a.chain = d.chain AND a.address = d.address
  LEFT JOIN (SELECT chain, sender, token, sum(units) AS units FROM withdrawals.sending WHERE kind = 'sweep' AND step <> 'failed' GROUP BY chain, sender, token) s
    ON s.chain = d.chain AND s.sender = d.address AND s.token = d.token
  WHERE d.units > coalesce(s.units, 0);

-- Open transactions, with the index of the sending deposit address.
CREATE VIEW withdrawals.sending_open AS
  SELECT s.id, s.chain, s.kind, s.sender, s.receiver, s.nonce, s.token, s.units, a.index, s.at
  FROM withdrawals.sending s LEFT JOIN chain.address a ON a.chain = s.chain AND a.address = s.sender WHERE s.step = 'sending';

-- Amounts that have left a deposit address or are being sent from it, so that the watcher does not report them as missing.
CREATE VIEW deposits.leaving AS
  SELECT chain, sender AS address, token, sum(units) AS units FROM withdrawals.sending WHERE kind <> 'gas' AND step <> 'failed' GROUP BY chain, sender, token;

CREATE FUNCTION withdrawals.last_nonce(_chain text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT greatest((SELECT max(nonce) FROM withdrawals.payout WHERE chain = _chain), (SELECT max(nonce) FROM withdrawals.sending WHERE chain = _chain AND kind = 'gas'))
$$;

CREATE OR REPLACE FUNCTION withdrawals.begin_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  last := withdrawals.last_nonce(NEW.chain);
  IF last IS NOT NULL AND NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.payable WHERE id = NEW.withdrawal_id AND chain = NEW.chain) THEN
    RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005';
  END IF;
  UPDATE withdrawals.withdrawal SET step = 'sending', sent_at = clock_timestamp(), version = version + 1 WHERE id = NEW.withdrawal_id AND step = 'approved';
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;

-- At most one transaction per address is open. A sweep never takes more than was credited.
CREATE FUNCTION withdrawals.begin_sending() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  IF NEW.kind = 'gas' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
    last := withdrawals.last_nonce(NEW.chain);
    IF NOT EXISTS (SELECT FROM chain.address WHERE chain = NEW.chain AND address = NEW.receiver)
      OR EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND kind = 'gas' AND receiver = NEW.receiver AND step = 'sending') THEN
      RAISE EXCEPTION 'no gas is to be sent to %', NEW.receiver USING ERRCODE = 'WD007';
    END IF;
  ELSE
    PERFORM pg_advisory_xact_lock(hashtextextended('sends:' || NEW.chain || NEW.sender, 0));
    SELECT max(nonce) INTO last FROM withdrawals.sending WHERE chain = NEW.chain AND sender = NEW.sender;
    IF EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND sender = NEW.sender AND step = 'sending') THEN
      RAISE EXCEPTION 'something of % is on its way', NEW.sender USING ERRCODE = 'WD007';
    END IF;
    IF NEW.kind = 'sweep' AND NOT EXISTS (SELECT FROM withdrawals.sweepable WHERE chain = NEW.chain AND address = NEW.sender AND token = NEW.token AND units >= NEW.units) THEN
      RAISE EXCEPTION '% of % are not to be swept', NEW.units, NEW.sender USING ERRCODE = 'WD007';
    END IF;
  END IF;
  IF last IS NOT NULL AND NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_sending BEFORE INSERT ON withdrawals.sending FOR EACH ROW EXECUTE FUNCTION withdrawals.begin_sending();
CREATE FUNCTION withdrawals.end_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.step <> 'sending' OR NEW.step = 'sending' OR NOT EXISTS (SELECT FROM withdrawals.sending_attempt WHERE hash = NEW.hash AND sending_id = NEW.id) THEN
    RAISE EXCEPTION 'what was sent ends once, by one of its own transactions' USING ERRCODE = 'WD007';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER end_sending BEFORE UPDATE ON withdrawals.sending FOR EACH ROW EXECUTE FUNCTION withdrawals.end_sending();

-- A payout that will never be in a block. `is_empty`: a transaction without value to the wallet itself, which uses up the nonce.
ALTER TABLE withdrawals.outbox ADD COLUMN is_empty boolean NOT NULL DEFAULT false;
-- Requested by one person and approved by another.
CREATE FUNCTION withdrawals.lost_approval(_id uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT a.id FROM operators.approval a WHERE a.kind = 'withdrawal_lost' AND a.subject = _id::text AND a.status = 'approved' AND a.made_by IS NOT NULL
    AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by) LIMIT 1
$$;
-- After the first empty transaction nothing else is signed for this nonce.
CREATE FUNCTION withdrawals.check_attempt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF NEW.is_empty <> (withdrawals.lost_approval(NEW.withdrawal_id) IS NOT NULL) THEN
    RAISE EXCEPTION 'payout % is % lost', NEW.withdrawal_id, CASE WHEN NEW.is_empty THEN 'not' ELSE 'said to be' END USING ERRCODE = 'WD008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_attempt BEFORE INSERT ON withdrawals.outbox FOR EACH ROW EXECUTE FUNCTION withdrawals.check_attempt();
CREATE OR REPLACE VIEW withdrawals.in_flight AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.step, p.nonce, withdrawals.lost_approval(w.id) IS NOT NULL AS is_lost
  FROM withdrawals.withdrawal w JOIN withdrawals.payout p ON p.withdrawal_id = w.id
  WHERE w.step IN ('sending', 'sent_unknown', 'confirming');
-- The evidence of all nodes that another transaction used the nonce: the empty one, or an unknown one (then without a hash).
CREATE TABLE withdrawals.lost (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.payout,
  approval uuid NOT NULL,
  hash text REFERENCES withdrawals.outbox,
  -- The block at which it had the required confirmations.
  height bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE FUNCTION withdrawals.check_lost() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF NEW.approval IS DISTINCT FROM withdrawals.lost_approval(NEW.withdrawal_id)
    OR (NEW.hash IS NOT NULL AND NOT EXISTS (SELECT FROM withdrawals.outbox WHERE hash = NEW.hash AND withdrawal_id = NEW.withdrawal_id AND is_empty)) THEN
    RAISE EXCEPTION 'payout % is not lost', NEW.withdrawal_id USING ERRCODE = 'WD008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_lost BEFORE INSERT ON withdrawals.lost FOR EACH ROW EXECUTE FUNCTION withdrawals.check_lost();

CREATE OR REPLACE FUNCTION withdrawals.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
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
  -- A signed transaction can still get into a block until another one with its nonce is final.
  IF NEW.step = 'returned' AND OLD.step IN ('sending', 'sent_unknown') AND NEW.kind = 'crypto' AND NOT EXISTS (SELECT FROM withdrawals.lost l WHERE l.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has shown that withdrawal % is lost', NEW.id USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sending_attempt', 'gas_paid', 'lost'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON withdrawals.%I FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.%I FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
  EXECUTE 'CREATE TRIGGER no_delete BEFORE DELETE ON withdrawals.sending FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()';
  EXECUTE 'CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.sending FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()';
END $$;

REVOKE ALL ON FUNCTION withdrawals.last_nonce, withdrawals.begin_sending, withdrawals.end_sending, withdrawals.lost_approval, withdrawals.check_attempt, withdrawals.check_lost FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.last_nonce, withdrawals.lost_approval TO sathorn_signer;
GRANT EXECUTE ON FUNCTION withdrawals.lost_approval TO sathorn_app, sathorn_checker;
GRANT SELECT ON withdrawals.sending, withdrawals.sending_attempt TO sathorn_app, sathorn_checker, sathorn_signer;
GRANT SELECT ON withdrawals.gas_paid, withdrawals.lost TO sathorn_app, sathorn_checker;
GRANT SELECT ON withdrawals.sweepable, withdrawals.sending_open TO sathorn_signer, sathorn_checker, sathorn_app;
GRANT SELECT ON deposits.leaving TO sathorn_app, sathorn_checker;
GRANT INSERT (id, chain, kind, sender, receiver, nonce, token, units, deposit_id) ON withdrawals.sending TO sathorn_signer;
GRANT INSERT (hash, sending_id, attempt, raw, max_fee) ON withdrawals.sending_attempt TO sathorn_signer;
GRANT INSERT (is_empty) ON withdrawals.outbox TO sathorn_signer;
GRANT UPDATE (step, hash, block_height, finished_at) ON withdrawals.sending TO sathorn_app;
GRANT INSERT (hash, chain, sender, units, block_height) ON withdrawals.gas_paid TO sathorn_app;
GRANT INSERT (withdrawal_id, approval, hash, height) ON withdrawals.lost TO sathorn_app;
