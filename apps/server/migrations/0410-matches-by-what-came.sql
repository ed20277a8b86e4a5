-- Bank money is credited by what its line says, and in one way: a match, which uses the line up. Until now a line with another amount than its order
-- matched nothing, so a correction paid the order's amount and left the line free to be matched again.

-- An order that has ended may still get its money; two people match it.
INSERT INTO deposits.move VALUES ('returned', 'credited'), ('failed', 'credited');
CREATE TRIGGER ended_on_chain BEFORE UPDATE ON deposits.deposit FOR EACH ROW
  WHEN (OLD.kind = 'crypto' AND OLD.step IN ('returned', 'failed') AND NEW.step = 'credited') EXECUTE FUNCTION deposits.refuse_change();

CREATE OR REPLACE FUNCTION deposits.check_match() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
DECLARE
  d deposits.deposit;
  l deposits.bank_line;
  b record;
  alone record;
  in_force deposits.match_limit;
BEGIN
  -- Held until the commit, so that two at once count each other.
  PERFORM pg_advisory_xact_lock(hashtextextended('deposits.match', 0));
  SELECT * INTO d FROM deposits.deposit WHERE id = NEW.deposit;
  SELECT * INTO l FROM deposits.bank_line WHERE id = NEW.line;
  SELECT * INTO b FROM deposits.behind_line(NEW.line);
  SELECT * INTO in_force FROM deposits.match_limit ORDER BY n DESC LIMIT 1;
  -- Corrections that paid such an order before there was only this way are counted, too.
  IF (d.kind <> 'crypto' AND d.step IN ('awaiting_slip', 'in_review', 'returned', 'failed') AND l.amount > 0
    AND deposits.used_by_corrections(d.id) = 0) IS NOT TRUE THEN
    RAISE EXCEPTION 'deposit % is not what was to be matched', NEW.deposit USING ERRCODE = 'DP002';
  END IF;
  NEW.customer := d.customer_id;
  NEW.baht := l.amount;
  NEW.had_slip := d.slip IS NOT NULL;
  NEW.at := clock_timestamp();
  IF NEW.matched_by = ANY (b.importers) OR NEW.approved_by = ANY (b.importers) THEN
    RAISE EXCEPTION 'deposit %: matched by whoever imported the line', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  IF deposits.is_concerned(NEW.matched_by, d.customer_id) OR deposits.is_concerned(NEW.approved_by, d.customer_id) THEN
    RAISE EXCEPTION 'deposit %: matched by somebody whom it concerns', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  IF b.is_known AND NOT b.is_proven AND b.matched + l.amount > in_force.unattested_max THEN
    RAISE EXCEPTION 'deposit %: nobody has attested the statement', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  IF NEW.approval IS NULL THEN
    SELECT * INTO alone FROM deposits.matched_alone(NEW.matched_by, d.customer_id);
    IF NOT b.is_known OR greatest(alone.by_matcher, alone.by_customer, alone.by_day) + l.amount >= in_force.two_people_from
      OR d.step IN ('returned', 'failed') OR (l.amount <> d.baht AND l.reference <> d.reference) THEN
      RAISE EXCEPTION 'deposit %: a second person must approve it', NEW.deposit USING ERRCODE = 'DP008';
    END IF;
    IF NOT EXISTS (SELECT FROM operators.challenge c WHERE c.operator = NEW.matched_by AND c.act = 'deposit.match' AND c.subject = d.id::text
      AND c.confirmed_at IS NOT NULL AND c.used_at > clock_timestamp() - interval '1 minute') THEN
      RAISE EXCEPTION 'deposit %: nobody confirmed it', NEW.deposit USING ERRCODE = 'DP008';
    END IF;
  ELSIF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator = NEW.approved_by
      WHERE a.id = NEW.approval AND a.kind = 'deposit_match' AND a.subject = d.id::text AND a.status = 'approved' AND a.made_by = NEW.matched_by
        AND a.content::jsonb ->> 'line' = NEW.line::text AND a.content::jsonb ->> 'baht' = l.amount::text) THEN
    RAISE EXCEPTION 'deposit %: no second person approved exactly this', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;

-- What is credited is the line's amount at the rate that the row names, whoever computed it.
CREATE OR REPLACE FUNCTION deposits.check_bank_credit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM deposits.bank_match m WHERE m.deposit = NEW.id AND m.line = NEW.bank_line AND m.journal = NEW.journal
    AND NEW.amount = div(m.baht::numeric * 10000000000, NEW.rate)) THEN
    RAISE EXCEPTION 'deposit %: nobody matched it', NEW.id USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION deposits.match(_id uuid, _version integer, _line uuid, _amount bigint, _rate bigint, _journal uuid, _at timestamptz, _by bigint, _approval uuid, _approved_by bigint)
RETURNS void LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  INSERT INTO deposits.bank_match (deposit, line, customer, baht, matched_by, approval, approved_by, journal, had_slip)
  SELECT d.id, l.id, d.customer_id, l.amount, _by, _approval, _approved_by, _journal, d.slip IS NOT NULL
  FROM deposits.deposit d JOIN deposits.bank_line l ON l.id = _line WHERE d.id = _id;
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, bank_line = _line, amount = _amount, rate = _rate, finished_at = _at, reason = NULL, version = version + 1
  WHERE id = _id AND version = _version AND kind <> 'crypto' AND step IN ('awaiting_slip', 'in_review', 'returned', 'failed')
    AND NOT deposits.is_line_of_another(_line, _id);
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be matched', _id USING ERRCODE = 'DP002'; END IF;
END $$;

-- A correction pays no bank order any more, and a transaction on another network once: until now two customers could each have a case of the same
-- transaction, and each be paid.
CREATE FUNCTION corrections.taken_by_others(_deposit uuid) RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT coalesce(sum(corrections.taken_of(NULL, o.id)), 0) FROM deposits.deposit d
  JOIN deposits.deposit o ON o.network = d.network AND o.network_hash = d.network_hash AND o.id <> d.id WHERE d.id = _deposit
$$;
CREATE OR REPLACE FUNCTION corrections.check_network_case() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
DECLARE
  d deposits.deposit;
BEGIN
  -- Waits for a decision that is closing the case.
  SELECT * INTO d FROM deposits.deposit WHERE id = NEW.deposit FOR SHARE;
  IF (d.network IS NOT NULL AND NEW.kind = 'refund' AND NEW.asset = 'USDT' AND (d.step = 'recovery' OR d.ending = 'credited')) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: deposit % is no open case', NEW.id, NEW.deposit USING ERRCODE = 'CR001';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || d.network || d.network_hash, 0));
  IF corrections.taken_by_others(d.id) > 0 THEN
    RAISE EXCEPTION 'correction %: another case of its transaction is paid', NEW.id USING ERRCODE = 'CR002';
  END IF;
  IF NEW.made_by = d.opened_by
    OR NEW.step = 'done' AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = NEW.approval AND v.operator = d.opened_by) THEN
    RAISE EXCEPTION 'correction %: by the opener of its case', NEW.id USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;

-- A withdrawal gives itself back when it is returned, and may be returned until it is done. A refund of the same transfer would pay it twice.
CREATE FUNCTION corrections.is_of_open_payout(_transfer bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger.transfer t JOIN withdrawals.withdrawal w ON coalesce(t.resolves, t.sequence) IN (w.hold, w.fee_hold)
    WHERE t.sequence = _transfer AND w.step <> 'done')
$$;
CREATE OR REPLACE FUNCTION corrections.check_left() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
DECLARE
  limit_of numeric;
BEGIN
  IF NEW.transfer IS NULL THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || NEW.transfer::text, 0));
  SELECT t.units INTO limit_of FROM ledger.transfer t WHERE t.sequence = NEW.transfer;
  IF NEW.kind = 'reverse' AND corrections.is_undone(NEW.transfer) OR NEW.kind = 'refund' AND corrections.is_of_open_payout(NEW.transfer)
    OR TG_OP = 'UPDATE' AND corrections.taken_of(NEW.transfer, NEW.deposit) > limit_of THEN
    RAISE EXCEPTION 'correction %: more than there is to correct', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION corrections.taken_by_others, corrections.is_of_open_payout FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.taken_by_others, corrections.is_of_open_payout TO sathorn_app, sathorn_checker;
