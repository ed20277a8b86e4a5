-- A payout above the signer's budget, or one from before there were authorisations, is released by two people. As before; whoever released a payout takes no
-- part in a correction of it either.
CREATE OR REPLACE FUNCTION corrections.people_of(_transfer bigint) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  WITH original AS (
    SELECT t.journal, coalesce(t.resolves, t.sequence) AS hold FROM ledger.transfer t WHERE t.sequence = _transfer
  ), subjects AS (
    SELECT c.id::text AS id FROM original o JOIN corrections.correction c ON c.journal = o.journal
    UNION SELECT d.id::text FROM original o JOIN deposits.deposit d ON d.journal = o.journal
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.hold = o.hold
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.fee_hold = o.hold
  ), asked AS (
    SELECT a.id, a.status, a.made_by FROM subjects s JOIN operators.approval a ON a.subject = s.id
      AND a.kind IN ('correction', 'deposit_match', 'deposit_recovery', 'withdrawal', 'withdrawal_paid', 'withdrawal_failed', 'withdrawal_lost', 'payout_release')
  ), people AS (
    SELECT a.made_by AS id FROM asked a WHERE a.status = 'approved'
    UNION SELECT v.operator FROM asked a JOIN operators.vote v ON v.approval = a.id
    UNION SELECT e.operator FROM subjects s JOIN operators.entry e ON e.kind IN ('deposit', 'withdrawal') AND e.subject = s.id
      AND e.what IN ('deposit.matched', 'withdrawal.reconciled')
  )
  SELECT coalesce(array_agg(id) FILTER (WHERE id IS NOT NULL), '{}') FROM people
$$;

-- Payouts that two people must still be asked to release. An authorisation that is there and wrong is nothing that people release.
CREATE VIEW withdrawals.unreleased AS
  SELECT w.id, w.created_at FROM withdrawals.waiting o JOIN withdrawals.withdrawal w ON w.id = o.withdrawal_id AND w.step = 'approved'
  WHERE (o.waits_for = 'budget' OR (o.waits_for = 'authorisation' AND NOT EXISTS (SELECT FROM withdrawals.authorisation a WHERE a.withdrawal_id = w.id)))
    AND NOT EXISTS (SELECT FROM operators.approval p WHERE p.kind = 'payout_release' AND p.subject = w.id::text AND p.status IN ('waiting', 'approved'));
GRANT SELECT ON withdrawals.unreleased TO sathorn_app, sathorn_checker;
