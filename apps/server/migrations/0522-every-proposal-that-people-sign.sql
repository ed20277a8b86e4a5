-- The last proposals whose makers signed nothing: an answer to a dispute, the end of a pause or an outage, a ready answer
-- and a final refusal of a certification. Their makers now count only with a confirmation too. Starting a pause or a
-- freeze stays quick: it is no proposal.
CREATE OR REPLACE FUNCTION operators.votes_needed(_a operators.approval) RETURNS integer LANGUAGE sql IMMUTABLE
  SET search_path = operators, pg_temp AS $$
  SELECT CASE WHEN _a.kind IN ('correction', 'deposit_recovery', 'payout_foreign', 'payout_return', 'restoration_end',
      'withdrawal_failed', 'withdrawal_lost', 'withdrawal_paid', 'content', 'freeze_extend', 'freeze_lift', 'offer',
      'operator_device', 'operator_invite', 'operator_role', 'operator_unfreeze', 'certification_refusal',
      'dispute_answer', 'incident_close', 'money_dispute_answer', 'pause_end', 'ready_answer')
    AND _a.step_up IS NULL AND NOT _a.is_from_before THEN 2 ELSE _a.need END
$$;

-- What was decided by now stays decided; what waits needs one more person.
ALTER TABLE operators.approval DISABLE TRIGGER keep_approval;
UPDATE operators.approval SET is_from_before = true
WHERE status <> 'waiting' AND step_up IS NULL AND NOT is_from_before
  AND kind IN ('certification_refusal', 'dispute_answer', 'incident_close', 'money_dispute_answer', 'pause_end',
    'ready_answer');
ALTER TABLE operators.approval ENABLE TRIGGER keep_approval;
