-- With only two administrators nobody could approve the new start of one who lost a device. The owner's command line gives it, as it makes the first
-- operators: logged, and only while too few others are left to decide about it. The application's role cannot call this.
CREATE FUNCTION operators.renew_by_owner(_work_name text, _enrolment_hash bytea, _hours integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = operators, pg_temp AS $$
DECLARE
  renewed bigint;
BEGIN
  PERFORM FROM operators.operator WHERE 'admin' = ANY (roles) ORDER BY id FOR UPDATE;
  SELECT id INTO renewed FROM operators.operator WHERE work_name = _work_name AND removed_at IS NULL FOR UPDATE;
  IF renewed IS NULL THEN RAISE EXCEPTION 'there is no operator %', _work_name USING ERRCODE = 'OP003'; END IF;
  IF operators.admins_without(renewed) >= 2 THEN
    RAISE EXCEPTION 'two other administrators can renew the access of % in the console', _work_name USING ERRCODE = 'OP003';
  END IF;
  PERFORM operators.end_access(renewed);
  DELETE FROM operators.credential WHERE operator = renewed;
  UPDATE operators.recovery_code SET used_at = clock_timestamp() WHERE operator = renewed AND used_at IS NULL;
  UPDATE operators.passkey SET removed_at = clock_timestamp() WHERE operator = renewed AND removed_at IS NULL;
  -- A frozen operator stays frozen: two people end that.
  UPDATE operators.operator SET enrolment_hash = _enrolment_hash, enrolment_until = clock_timestamp() + make_interval(hours => _hours) WHERE id = renewed;
  PERFORM operators.append_entry(NULL, NULL, 'operator.access_renewed', 'operator', renewed::text, NULL, NULL, '{"by":"owner"}', NULL, NULL);
  RETURN renewed;
END $$;
REVOKE ALL ON FUNCTION operators.renew_by_owner FROM PUBLIC;
