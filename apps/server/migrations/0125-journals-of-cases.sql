-- The checker finds a deposit, the house's income and a withdrawal by the journal that moved its money.
CREATE UNIQUE INDEX deposit_of_journal ON deposits.deposit (journal) WHERE journal IS NOT NULL;
CREATE UNIQUE INDEX reversal_of_credit ON deposits.reversal (credit);
CREATE UNIQUE INDEX hot_transfer_of_journal ON deposits.hot_transfer (journal) WHERE journal IS NOT NULL;

-- The journal that ended a withdrawal.
ALTER TABLE withdrawals.withdrawal ADD COLUMN journal uuid UNIQUE;
ALTER TABLE withdrawals.withdrawal ADD CONSTRAINT ended_by CHECK ((journal IS NOT NULL) = (step IN ('done', 'returned')));
GRANT UPDATE (journal) ON withdrawals.withdrawal TO sathorn_app;

DROP FUNCTION withdrawals.advance(uuid, text[], text, text, timestamptz);
-- Moves one on in the ledger's transaction, and raises where it is not where the decision found it.
CREATE FUNCTION withdrawals.advance(_id uuid, _from text[], _to text, _reason text, _journal uuid, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = withdrawals, pg_temp AS $$
BEGIN
  UPDATE withdrawals.withdrawal SET step = _to, reason = coalesce(_reason, reason), version = version + 1,
    finished_at = CASE WHEN _to IN ('done', 'returned') THEN _at END, journal = CASE WHEN _to IN ('done', 'returned') THEN _journal END
  WHERE id = _id AND step = ANY (_from);
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not in %', _id, _from USING ERRCODE = 'WD004'; END IF;
END $$;
REVOKE ALL ON FUNCTION withdrawals.advance FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.advance TO sathorn_app;
