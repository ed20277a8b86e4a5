-- The database itself holds who proposes a correction, who may approve it, and that a large one needs compliance. Until now only the application
-- did, so its role could have stored a proposal that anybody may approve.

-- The units up to which a correction counts as small. The price of the baht is the application's, so the database does not believe it: 4,000 USDT are
-- 100,000 baht at 25 baht, and the application's own limit is lower whenever the baht costs less. A thousandth of what the house holds is counted here.
CREATE FUNCTION corrections.small_max(_asset text) RETURNS numeric LANGUAGE sql STABLE SET search_path = corrections, pg_temp AS $$
  SELECT CASE WHEN _asset <> 'USDT' THEN 0 ELSE least(4000000000, CASE WHEN held > 0 THEN div(held, 1000) END) END
  FROM (SELECT sum(debits_posted - credits_posted) AS held FROM ledger.account WHERE owner = 0 AND code IN (110, 111, 112, 120) AND asset = _asset) outside
$$;

CREATE FUNCTION corrections.check_roles() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
DECLARE
  may_approve text[];
BEGIN
  SELECT a.roles INTO may_approve FROM operators.approval a WHERE a.id = NEW.approval;
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.made_by AND 'finance' = ANY (o.roles) AND o.removed_at IS NULL AND o.frozen_at IS NULL) THEN
      RAISE EXCEPTION 'correction %: finance proposes it', NEW.id USING ERRCODE = 'CR001';
    END IF;
    IF (may_approve <@ ARRAY['finance', 'compliance', 'admin']) IS NOT TRUE THEN
      RAISE EXCEPTION 'correction %: its approval is open to other roles', NEW.id USING ERRCODE = 'CR001';
    END IF;
    IF may_approve <> ARRAY['compliance']
      AND NEW.units + corrections.sum_lately(NEW.customer_id, NEW.made_by, NEW.asset, NEW.kind = 'reverse') > corrections.small_max(NEW.asset) THEN
      RAISE EXCEPTION 'correction %: compliance approves one of this size', NEW.id USING ERRCODE = 'CR001';
    END IF;
  -- The vote's role is the one that the person had when voting.
  ELSIF NOT EXISTS (SELECT FROM operators.vote v WHERE v.approval = NEW.approval AND v.decision = 'approve' AND v.operator <> NEW.made_by
      AND v.role = ANY (may_approve)) THEN
    RAISE EXCEPTION 'correction %: approved by another role', NEW.id USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_roles_new BEFORE INSERT ON corrections.correction FOR EACH ROW EXECUTE FUNCTION corrections.check_roles();
CREATE TRIGGER check_roles BEFORE UPDATE ON corrections.correction FOR EACH ROW WHEN (NEW.step IN ('announced', 'done'))
  EXECUTE FUNCTION corrections.check_roles();

REVOKE ALL ON FUNCTION corrections.small_max, corrections.check_roles FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.small_max TO sathorn_app;
