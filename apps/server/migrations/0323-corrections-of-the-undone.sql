-- A credit that a reorganisation has taken back is undone already: a correction that takes it back, too, would take it twice. Looked at under the lock
-- of the transfer, when it is proposed and when the second person agrees. What other corrections took is counted again at each step.
CREATE FUNCTION corrections.is_undone(_transfer bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger.transfer t JOIN deposits.reversal r ON r.credit = t.journal WHERE t.sequence = _transfer)
$$;
CREATE FUNCTION corrections.check_left() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
DECLARE
  limit_of numeric;
BEGIN
  IF NEW.transfer IS NULL THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || NEW.transfer::text, 0));
  SELECT t.units INTO limit_of FROM ledger.transfer t WHERE t.sequence = NEW.transfer;
  IF NEW.kind = 'reverse' AND corrections.is_undone(NEW.transfer)
    OR TG_OP = 'UPDATE' AND corrections.taken_of(NEW.transfer, NEW.deposit) > limit_of THEN
    RAISE EXCEPTION 'correction %: more than there is to correct', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_left BEFORE INSERT ON corrections.correction FOR EACH ROW EXECUTE FUNCTION corrections.check_left();
CREATE TRIGGER check_left_again BEFORE UPDATE ON corrections.correction FOR EACH ROW
  WHEN (OLD.step = 'proposed' AND NEW.step IN ('announced', 'done')) EXECUTE FUNCTION corrections.check_left();
REVOKE ALL ON FUNCTION corrections.is_undone, corrections.check_left FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.is_undone TO sathorn_app, sathorn_checker;
