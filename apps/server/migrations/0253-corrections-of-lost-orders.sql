-- A transfer on a chain that left its block may come back and be credited then; what was sent back is not lost either. So only an order of a bank
-- transfer that ended without being credited can be paid by a correction, and an open case of a transfer on another network.
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
      AND CASE WHEN d.network IS NULL THEN d.kind <> 'crypto' AND d.step IN ('returned', 'failed') ELSE d.step = 'recovery' OR d.ending = 'credited' END;
  ELSE
    limit_of := NEW.units;
  END IF;
  IF (corrections.taken_of(NEW.transfer, NEW.deposit) + NEW.units <= limit_of) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: more than there is to correct', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;

-- What was corrected or proposed lately in the same direction, for this customer or by this person: many small corrections count as one large.
CREATE FUNCTION corrections.sum_lately(_customer bigint, _maker bigint, _asset text, _is_debit boolean) RETURNS numeric
LANGUAGE plpgsql SET search_path = corrections, pg_temp AS $$
BEGIN
  -- Held until the proposal is stored, so that two at once count each other.
  PERFORM pg_advisory_xact_lock(hashtextextended('corrections lately', 0));
  RETURN (SELECT coalesce(sum(CASE WHEN step = 'done' THEN moved ELSE units END), 0) FROM corrections.correction
    WHERE asset = _asset AND (kind = 'reverse') = _is_debit AND step IN ('proposed', 'announced', 'done')
      AND (customer_id = _customer AND made_at > clock_timestamp() - interval '30 days' OR made_by = _maker AND made_at > clock_timestamp() - interval '24 hours'));
END $$;
CREATE INDEX correction_of_maker ON corrections.correction (made_by, made_at DESC);

REVOKE ALL ON FUNCTION corrections.sum_lately FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.sum_lately TO sathorn_app;
