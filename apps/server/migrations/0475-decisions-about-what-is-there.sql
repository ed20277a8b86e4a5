-- Two people decide about a kept transfer as the chain shows it. A deep reorganisation can take its block away or change what it pays, and until now the
-- decision stood: the case stayed decided for ever, or was credited though the money was gone. Now it opens again, and each decision is used once.
INSERT INTO deposits.move VALUES ('recovery', 'failed');
ALTER TABLE deposits.deposit ADD COLUMN used_approvals uuid[] NOT NULL DEFAULT '{}';
UPDATE deposits.deposit d SET used_approvals = used.approvals
FROM (SELECT subject, array_agg(id) AS approvals FROM operators.approval WHERE kind = 'deposit_recovery' AND status = 'approved' GROUP BY subject) used
WHERE used.subject = d.id::text;

-- A case whose transfer is in no block any more is closed, also one that was only counted.
ALTER TABLE deposits.deposit
  DROP CONSTRAINT of_count,
  ADD CONSTRAINT of_count CHECK ((reason IS DISTINCT FROM 'counted' OR counted_since IS NOT NULL) AND (counted_since IS NULL
    OR kind = 'crypto' AND network IS NULL AND num_nonnulls(chain, token, address) = 3 AND num_nonnulls(hash, output, sender) = 0 AND amount > 0
      AND (reason IN ('native_coin', 'counted') AND step IN ('recovery', 'recovering', 'credited', 'returned') OR reason = 'reorganised' AND step = 'failed')
      AND (block_height > counted_since) IS NOT FALSE));

-- How many units people decided on; null if the approval is no decision about a deposit.
CREATE FUNCTION deposits.decided_units(_approval uuid) RETURNS numeric
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT (content::jsonb ->> 'units')::numeric FROM operators.approval WHERE id = _approval AND kind = 'deposit_recovery'
$$;
-- Whether the journal credited this customer with this much and charged this fee.
CREATE FUNCTION deposits.is_posted(_journal uuid, _customer bigint, _units numeric, _fee bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT coalesce(sum(t.units) FILTER (WHERE t.code = 50 AND to_whom.owner = _customer AND to_whom.code = 1000), 0) = _units
    AND coalesce(sum(t.units) FILTER (WHERE t.code = 63), 0) = _fee
  FROM ledger.journal j JOIN ledger.transfer t ON t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers
  JOIN ledger.account to_whom ON to_whom.id = t.credit WHERE j.id = _journal
$$;

-- As before. A decision is used once, what is credited is what the ledger posts, and a decided credit is taken back only when the chain shows something else.
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
    AND (deposits.is_recovered(NEW.id, NEW.recovery_approval, NEW.recovery_plan, NEW.return_to)
      AND deposits.is_as_decided(NEW.id, NEW.recovery_approval, NEW.customer_id, NEW.amount, NEW.token, NEW.recovery_fee)) IS NOT TRUE THEN
    RAISE EXCEPTION 'nobody decided what becomes of deposit %', NEW.id USING ERRCODE = 'DP004';
  END IF;
  IF OLD.step = 'recovery' AND NEW.step = 'recovering' THEN
    IF NEW.recovery_approval = ANY (OLD.used_approvals) THEN
      RAISE EXCEPTION 'what was decided about deposit % was another time', NEW.id USING ERRCODE = 'DP004';
    END IF;
    NEW.used_approvals := OLD.used_approvals || NEW.recovery_approval;
  END IF;
  IF OLD.step = 'recovering' AND NEW.step = 'credited' AND NOT deposits.is_posted(NEW.journal, NEW.customer_id, NEW.amount, NEW.recovery_fee) THEN
    RAISE EXCEPTION 'deposit % was not posted as decided', NEW.id USING ERRCODE = 'DP004';
  END IF;
  -- The address is fixed as soon as somebody decides.
  IF NEW.return_to IS DISTINCT FROM OLD.return_to AND (OLD.step <> 'recovery'
    OR EXISTS (SELECT FROM operators.approval WHERE kind = 'deposit_recovery' AND subject = OLD.id::text AND status = 'waiting')) THEN
    RAISE EXCEPTION 'where deposit % goes is decided', NEW.id USING ERRCODE = 'DP004';
  END IF;
  IF OLD.step = 'recovering' AND NEW.step = 'recovery' THEN
    -- The lock of `withdrawals.begin_sending`: either the signer has begun, or it finds nothing to send.
    PERFORM pg_advisory_xact_lock(hashtextextended('sends:' || OLD.chain || OLD.address, 0));
    IF EXISTS (SELECT FROM withdrawals.sending WHERE deposit_id = NEW.id AND step <> 'failed') THEN
      RAISE EXCEPTION 'deposit % is being sent back', NEW.id USING ERRCODE = 'DP004';
    END IF;
    IF OLD.recovery_plan <> 'return' AND NEW.block_height IS NOT NULL AND deposits.decided_units(OLD.recovery_approval) = NEW.amount THEN
      RAISE EXCEPTION 'deposit % is as it was decided', NEW.id USING ERRCODE = 'DP004';
    END IF;
  END IF;
  -- Closed without an ending of its own only when nothing is there.
  IF OLD.step = 'recovery' AND NEW.step = 'failed' AND (OLD.block_height IS NOT NULL OR OLD.network IS NOT NULL) THEN
    RAISE EXCEPTION 'deposit % is still on its chain', NEW.id USING ERRCODE = 'DP004';
  END IF;
  IF OLD.step = 'recovering' AND NEW.step = 'returned' AND NOT EXISTS (SELECT FROM withdrawals.sending WHERE deposit_id = NEW.id AND step = 'done') THEN
    RAISE EXCEPTION 'deposit % was not sent back', NEW.id USING ERRCODE = 'DP004';
  END IF;
  RETURN NEW;
END $$;

REVOKE ALL ON FUNCTION deposits.decided_units, deposits.is_posted FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.decided_units TO sathorn_app;
