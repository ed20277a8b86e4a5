-- Transfers on networks that the platform does not read. An operator opens the case from what the customer and a public explorer say; it ends as
-- returned, as credited by a correction, or as not recoverable. Nothing of it is counted as custody. It is a deposit kept for people, like a wrong token.
ALTER TABLE deposits.deposit
  ADD COLUMN network text CHECK (network ~ '^[a-z]{2,20}$'),
  ADD COLUMN network_hash text CHECK (network_hash ~ '^[A-Za-z0-9+/=_-]{40,128}$'),
  ADD COLUMN network_token text CHECK (network_token ~ '^[A-Z0-9.]{2,12}$'),
  -- As stated, because nobody reads that network. It has no effect on any balance.
  ADD COLUMN network_amount text CHECK (network_amount ~ '^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$'),
  ADD COLUMN opened_by bigint,
  ADD COLUMN opened_note text CHECK (length(opened_note) BETWEEN 1 AND 500),
  ADD COLUMN ending text CHECK (ending IN ('returned', 'credited', 'unrecoverable')),
  -- The transaction on that network that returned it.
  ADD COLUMN ending_hash text CHECK (ending_hash ~ '^[A-Za-z0-9+/=_-]{40,128}$'),
  -- Units of USDT that corrections have paid for it.
  ADD COLUMN corrected bigint NOT NULL DEFAULT 0 CHECK (corrected >= 0);
ALTER TABLE deposits.deposit
  DROP CONSTRAINT deposit_step_check,
  DROP CONSTRAINT of_chain,
  DROP CONSTRAINT finished,
  ADD CONSTRAINT deposit_step_check
    CHECK (step IN ('awaiting_slip', 'in_review', 'confirming', 'credited', 'returned', 'reversed', 'recovery', 'recovering', 'failed', 'closed')),
  ADD CONSTRAINT of_chain CHECK ((kind = 'crypto' AND network IS NULL) = (num_nonnulls(chain, hash, output, token, sender, address) = 6)),
  ADD CONSTRAINT of_network CHECK (num_nonnulls(network, network_hash, network_token, network_amount, opened_by, opened_note) IN (0, 6)
    AND (network IS NULL OR (kind = 'crypto' AND step IN ('recovery', 'closed') AND reason = 'other_network'
      AND num_nonnulls(chain, hash, output, token, sender, address, journal, return_to, recovery_plan) = 0)) IS TRUE
    AND (network IS NOT NULL OR (step <> 'closed' AND reason IS DISTINCT FROM 'other_network' AND num_nonnulls(ending, ending_hash) = 0 AND corrected = 0))),
  ADD CONSTRAINT ended CHECK ((step = 'closed') = (ending IS NOT NULL) AND coalesce(ending = 'returned', false) = (ending_hash IS NOT NULL)
    AND coalesce(ending = 'credited', false) = (corrected > 0) AND corrected <= amount OR network IS NULL),
  ADD CONSTRAINT finished CHECK ((finished_at IS NOT NULL) = (step IN ('credited', 'returned', 'reversed', 'recovery', 'failed', 'closed')));
CREATE UNIQUE INDEX deposit_of_network ON deposits.deposit (network, network_hash, customer_id) WHERE network IS NOT NULL;

INSERT INTO deposits.move VALUES ('recovery', 'closed');

-- What corrections use of a case, decided or proposed, and what they have paid.
CREATE FUNCTION deposits.used_by_corrections(_id uuid) RETURNS numeric
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$ SELECT corrections.taken_of(NULL, _id) $$;
CREATE FUNCTION deposits.paid_by_corrections(_id uuid) RETURNS numeric
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT coalesce(sum(moved), 0) FROM corrections.correction WHERE deposit = _id AND kind = 'refund' AND step = 'done'
$$;

CREATE FUNCTION deposits.check_network() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.step <> 'recovery' OR NEW.ending IS NOT NULL OR NEW.corrected <> 0 THEN
      RAISE EXCEPTION 'case % begins open', NEW.id USING ERRCODE = 'DP005';
    END IF;
    RETURN NEW;
  END IF;
  IF (OLD.network, OLD.network_hash, OLD.network_token, OLD.network_amount, OLD.amount, OLD.opened_by, OLD.opened_note, OLD.customer_id)
    IS DISTINCT FROM (NEW.network, NEW.network_hash, NEW.network_token, NEW.network_amount, NEW.amount, NEW.opened_by, NEW.opened_note, NEW.customer_id) THEN
    RAISE EXCEPTION 'what was stated of case % is kept', NEW.id USING ERRCODE = 'DP005';
  END IF;
  IF NEW.corrected <> OLD.corrected AND NEW.corrected <> deposits.paid_by_corrections(NEW.id) THEN
    RAISE EXCEPTION 'case % was not paid so', NEW.id USING ERRCODE = 'DP005';
  END IF;
  IF OLD.step = 'closed' AND (OLD.ending, OLD.ending_hash, OLD.finished_at) IS DISTINCT FROM (NEW.ending, NEW.ending_hash, NEW.finished_at) THEN
    RAISE EXCEPTION 'case % has ended', NEW.id USING ERRCODE = 'DP005';
  END IF;
  -- Either two people closed it with exactly this ending and no correction uses it, or a correction paid it.
  IF OLD.step = 'recovery' AND NEW.step = 'closed' AND NEW.ending <> 'credited'
    AND (deposits.is_recovered(NEW.id, NEW.recovery_approval, CASE NEW.ending WHEN 'returned' THEN 'return' ELSE NEW.ending END, NEW.ending_hash) IS NOT TRUE
      OR deposits.used_by_corrections(NEW.id) <> 0) THEN
    RAISE EXCEPTION 'nobody decided how case % ends', NEW.id USING ERRCODE = 'DP005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_network_new BEFORE INSERT ON deposits.deposit FOR EACH ROW WHEN (NEW.network IS NOT NULL) EXECUTE FUNCTION deposits.check_network();
CREATE TRIGGER check_network BEFORE UPDATE ON deposits.deposit FOR EACH ROW WHEN (OLD.network IS NOT NULL OR NEW.network IS NOT NULL)
  EXECUTE FUNCTION deposits.check_network();

-- A correction may pay an open case, at most what was stated. Its opener neither proposes nor approves that: otherwise two people could invent a
-- transfer and pay it.
ALTER TABLE corrections.correction
  DROP CONSTRAINT correction_case_kind_check,
  ADD CONSTRAINT correction_case_kind_check CHECK (case_kind IN ('dispute', 'journal', 'incident', 'deposit'));
CREATE FUNCTION corrections.check_network_case() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
DECLARE
  d deposits.deposit;
BEGIN
  -- Waits for a decision that is closing the case.
  SELECT * INTO d FROM deposits.deposit WHERE id = NEW.deposit FOR SHARE;
  IF d.network IS NULL THEN RETURN NEW; END IF;
  IF NEW.kind <> 'refund' OR NEW.asset <> 'USDT' OR NOT (d.step = 'recovery' OR d.ending = 'credited') THEN
    RAISE EXCEPTION 'correction %: case % is not open', NEW.id, d.id USING ERRCODE = 'CR001';
  END IF;
  IF NEW.made_by = d.opened_by
    OR NEW.step = 'done' AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = NEW.approval AND v.operator = d.opened_by) THEN
    RAISE EXCEPTION 'correction %: by the opener of its case', NEW.id USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_network_case BEFORE INSERT OR UPDATE ON corrections.correction FOR EACH ROW WHEN (NEW.deposit IS NOT NULL AND NEW.step IN ('proposed', 'done'))
  EXECUTE FUNCTION corrections.check_network_case();

CREATE OR REPLACE FUNCTION corrections.check_made() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
DECLARE
  a operators.approval;
  limit_of numeric;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || coalesce(NEW.transfer::text, NEW.deposit::text, NEW.id::text), 0));
  SELECT * INTO a FROM operators.approval WHERE id = NEW.approval;
  IF (NEW.step = 'proposed' AND a.kind = 'correction' AND a.subject = NEW.id::text AND a.status = 'waiting' AND a.made_by = NEW.made_by
    AND NEW.customer_id = ANY (a.about) AND corrections.is_same(NEW, a.content::jsonb)) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: no such proposal', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.made_by AND o.customer = ANY (a.about)) THEN
    RAISE EXCEPTION 'correction %: by somebody whom it concerns', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF NEW.transfer IS NOT NULL THEN
    SELECT t.units INTO limit_of FROM ledger.transfer t
    JOIN ledger.account mine ON mine.id = CASE NEW.kind WHEN 'refund' THEN t.debit ELSE t.credit END
    WHERE t.sequence = NEW.transfer AND t.kind IN ('s', 'p') AND t.asset = NEW.asset AND mine.owner = NEW.customer_id AND mine.code = 1000;
  ELSIF NEW.deposit IS NOT NULL THEN
    SELECT d.amount INTO limit_of FROM deposits.deposit d
    WHERE d.id = NEW.deposit AND d.customer_id = NEW.customer_id AND NEW.asset = 'USDT'
      AND (d.step IN ('returned', 'failed', 'reversed') OR d.network IS NOT NULL AND (d.step = 'recovery' OR d.ending = 'credited'));
  ELSE
    limit_of := NEW.units;
  END IF;
  IF (corrections.taken_of(NEW.transfer, NEW.deposit) + NEW.units <= limit_of) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: more than there is to correct', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;

REVOKE ALL ON FUNCTION deposits.used_by_corrections, deposits.paid_by_corrections, deposits.check_network, corrections.check_network_case FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.used_by_corrections, deposits.paid_by_corrections TO sathorn_app;
GRANT INSERT (network, network_hash, network_token, network_amount, opened_by, opened_note), UPDATE (ending, ending_hash, corrected) ON deposits.deposit TO sathorn_app;
