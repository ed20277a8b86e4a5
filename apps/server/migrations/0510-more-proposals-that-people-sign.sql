-- A proposal of terms, of a text for customers, of a freeze's end or of an operator's access names one honest person as
-- its maker, who signed nothing: with the application's login one bribed person was enough. Such a maker counts only
-- if they named a confirmation; server and checker verify its signature, as for proposals of money.
CREATE OR REPLACE FUNCTION operators.votes_needed(_a operators.approval) RETURNS integer LANGUAGE sql IMMUTABLE
  SET search_path = operators, pg_temp AS $$
  SELECT CASE WHEN _a.kind IN ('correction', 'deposit_recovery', 'payout_foreign', 'payout_return', 'restoration_end',
      'withdrawal_failed', 'withdrawal_lost', 'withdrawal_paid', 'content', 'freeze_extend', 'freeze_lift', 'offer',
      'operator_device', 'operator_invite', 'operator_role', 'operator_unfreeze')
    AND _a.step_up IS NULL AND NOT _a.is_from_before THEN 2 ELSE _a.need END
$$;

-- What was decided by now stays decided; what waits needs one more person.
ALTER TABLE operators.approval DISABLE TRIGGER keep_approval;
UPDATE operators.approval SET is_from_before = true
WHERE status <> 'waiting' AND step_up IS NULL AND NOT is_from_before
  AND kind IN ('content', 'freeze_extend', 'freeze_lift', 'offer', 'operator_device', 'operator_invite',
    'operator_role', 'operator_unfreeze');
ALTER TABLE operators.approval ENABLE TRIGGER keep_approval;
