-- Only the last approval was refused a second time, so whoever had the application's login could apply an older extension
-- again, whose end may be over. Two people saw the freeze's end, and extensions only move it on: an approval applies
-- while the freeze still ends then.
CREATE OR REPLACE FUNCTION customers.change_freeze(_freeze uuid, _approval uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _approval AND subject = _freeze::text AND status = 'approved' AND kind IN ('freeze_lift', 'freeze_extend');
  IF a.id IS NULL THEN RAISE EXCEPTION 'nobody approved this change of a freeze' USING ERRCODE = 'CU002'; END IF;
  UPDATE customers.freeze SET approval = _approval,
    lifted_at = CASE a.kind WHEN 'freeze_lift' THEN clock_timestamp() END,
    until = CASE a.kind WHEN 'freeze_extend' THEN (a.content::jsonb ->> 'until')::timestamptz ELSE until END
  WHERE id = _freeze AND lifted_at IS NULL AND until > clock_timestamp() AND date_trunc('milliseconds', until) = (a.content::jsonb ->> 'until_now')::timestamptz
    AND (a.kind = 'freeze_lift' OR (a.content::jsonb ->> 'until')::timestamptz > until);
  IF NOT FOUND THEN RAISE EXCEPTION 'the freeze is over, or ends otherwise than two people saw' USING ERRCODE = 'CU003'; END IF;
END $$;
