-- What came to a deposit address by mistake: too little, another token, the chain's own coin. Its owner names one of their wallets, two people decide,
-- and it is credited less a published fee, or sent back. A native coin has no event: its token is the zero address and its place is beyond all events.
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (63, '{s}', '{1000}', '{220}', false, 'app', false);

ALTER TABLE deposits.deposit
  ADD COLUMN return_to text CHECK (return_to ~ '^0x[0-9a-f]{40}$'),
  ADD COLUMN return_payee text,
  ADD COLUMN recovery_plan text CHECK (recovery_plan IN ('credit', 'return')),
  ADD COLUMN recovery_fee bigint NOT NULL DEFAULT 0 CHECK (recovery_fee >= 0),
  ADD COLUMN recovery_approval uuid UNIQUE;
ALTER TABLE deposits.deposit DROP CONSTRAINT deposit_step_check;
ALTER TABLE deposits.deposit ADD CONSTRAINT deposit_step_check
  CHECK (step IN ('awaiting_slip', 'in_review', 'confirming', 'credited', 'returned', 'reversed', 'recovery', 'recovering', 'failed'));
ALTER TABLE deposits.deposit ADD CONSTRAINT named CHECK ((return_to IS NULL) = (return_payee IS NULL));
CREATE INDEX deposit_in_recovery ON deposits.deposit (created_at) WHERE step IN ('recovery', 'recovering');

INSERT INTO deposits.move VALUES
  ('recovery', 'recovering'), ('recovering', 'credited'), ('recovering', 'returned');

-- Leaves the queue only when two people have approved exactly this plan.
CREATE FUNCTION deposits.is_recovered(_id uuid, _approval uuid, _plan text, _to text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a WHERE a.id = _approval AND a.kind = 'deposit_recovery' AND a.subject = _id::text AND a.status = 'approved'
    AND a.made_by IS NOT NULL AND a.content::jsonb ->> 'plan' = _plan AND a.content::jsonb ->> 'to' IS NOT DISTINCT FROM _to
    AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by))
$$;

CREATE OR REPLACE FUNCTION deposits.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF OLD.step <> NEW.step AND NOT EXISTS (SELECT FROM deposits.move WHERE from_step = OLD.step AND to_step = NEW.step) THEN
    RAISE EXCEPTION 'a deposit can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'DP001';
  END IF;
  -- A credited deposit has one journal. Only its block may still change.
  IF OLD.step = 'credited' AND NEW.step = 'credited' AND NEW.journal IS DISTINCT FROM OLD.journal THEN
    RAISE EXCEPTION 'a deposit is credited once' USING ERRCODE = 'DP001';
  END IF;
  IF (OLD.step = 'recovery' AND NEW.step = 'recovering' OR OLD.step = 'recovering' AND NEW.step = 'credited')
    AND NOT deposits.is_recovered(NEW.id, NEW.recovery_approval, NEW.recovery_plan, NEW.return_to) THEN
    RAISE EXCEPTION 'nobody decided what becomes of deposit %', NEW.id USING ERRCODE = 'DP004';
  END IF;
  -- The address is fixed as soon as somebody decides.
  IF NEW.return_to IS DISTINCT FROM OLD.return_to AND (OLD.step <> 'recovery'
    OR EXISTS (SELECT FROM operators.approval WHERE kind = 'deposit_recovery' AND subject = OLD.id::text AND status = 'waiting')) THEN
    RAISE EXCEPTION 'where deposit % goes is decided', NEW.id USING ERRCODE = 'DP004';
  END IF;
  IF OLD.step = 'recovering' AND NEW.step = 'returned' AND NOT EXISTS (SELECT FROM withdrawals.sending WHERE deposit_id = NEW.id AND step = 'done') THEN
    RAISE EXCEPTION 'deposit % was not sent back', NEW.id USING ERRCODE = 'DP004';
  END IF;
  RETURN NEW;
END $$;

-- Credited as decided: the whole amount, from which the fee is then charged.
CREATE FUNCTION deposits.credit_recovered(_id uuid, _fee bigint, _journal uuid, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, recovery_fee = _fee, finished_at = _at, version = version + 1
  WHERE id = _id AND step = 'recovering' AND recovery_plan = 'credit' AND reason = 'below_minimum' AND block_height IS NOT NULL AND amount > _fee;
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be credited', _id USING ERRCODE = 'DP002'; END IF;
END $$;

-- Returns that the signer still has to send: decided, with the deposit in a block.
CREATE VIEW withdrawals.returnable AS
  SELECT d.id AS deposit, d.chain, d.address, a.index, d.return_to AS receiver, d.amount, CASE d.reason WHEN 'other_token' THEN d.token END AS token, d.reason
  FROM deposits.deposit d JOIN chain.address a ON a.chain = d.chain AND a.address = d.address
  WHERE d.step = 'recovering' AND d.recovery_plan = 'return' AND d.reason IN ('other_token', 'native_coin') AND d.block_height IS NOT NULL AND d.return_to IS NOT NULL
    AND deposits.is_recovered(d.id, d.recovery_approval, 'return', d.return_to)
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step <> 'failed')
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step = 'failed' AND s.finished_at > clock_timestamp() - interval '6 hours');
-- The transaction that returned each one; until one is in a block, the newest attempt.
CREATE VIEW deposits.sent_back AS
  SELECT s.deposit_id, coalesce(s.hash, (SELECT a.hash FROM withdrawals.sending_attempt a WHERE a.sending_id = s.id ORDER BY a.attempt DESC LIMIT 1)) AS hash
  FROM withdrawals.sending s WHERE s.deposit_id IS NOT NULL AND s.step <> 'failed';
-- Native coins at an address that belong to a customer and may not be used as gas.
CREATE VIEW withdrawals.kept_coins AS
  SELECT d.chain, d.address, sum(d.amount) AS units FROM deposits.deposit d
  WHERE d.kind = 'crypto' AND d.reason = 'native_coin' AND d.step IN ('recovery', 'recovering') AND d.block_height IS NOT NULL
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step = 'done')
  GROUP BY d.chain, d.address;

CREATE OR REPLACE FUNCTION withdrawals.begin_sending() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
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
    -- Of a coin, gas comes off what arrives.
    IF NEW.kind = 'return' AND NOT EXISTS (SELECT FROM withdrawals.returnable r WHERE r.deposit = NEW.deposit_id AND r.chain = NEW.chain AND r.address = NEW.sender
      AND r.receiver = NEW.receiver AND r.token IS NOT DISTINCT FROM NEW.token AND (r.amount = NEW.units OR (r.token IS NULL AND r.amount > NEW.units))) THEN
      RAISE EXCEPTION 'deposit % is not to be sent back so', NEW.deposit_id USING ERRCODE = 'WD007';
    END IF;
  END IF;
  IF last IS NOT NULL AND NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;

REVOKE ALL ON FUNCTION deposits.is_recovered, deposits.credit_recovered FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.is_recovered TO sathorn_app, sathorn_checker, sathorn_signer;
GRANT EXECUTE ON FUNCTION deposits.credit_recovered TO sathorn_app;
GRANT UPDATE (return_to, return_payee, recovery_plan, recovery_fee, recovery_approval) ON deposits.deposit TO sathorn_app;
GRANT SELECT ON deposits.sent_back TO sathorn_app, sathorn_checker;
GRANT SELECT ON withdrawals.returnable, withdrawals.kept_coins TO sathorn_signer, sathorn_app, sathorn_checker;
