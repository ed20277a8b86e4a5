-- USDT that somebody sent out with the house's key halted money until the owner acknowledged it, although two people had accounted for its transaction.
-- Their decision now says what each transfer was. The books follow it, the checker counts it, and a halt because of it ends.
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (64, '{s}', '{200}', '{110}', true, 'app', false),
  (65, '{s}', '{111}', '{110}', true, 'app', false),
  (65, '{s}', '{110}', '{111}', true, 'app', false);

-- An address where the house keeps money. The token's contract is the house's in no such way: what is sent there is lost.
CREATE FUNCTION chain.is_kept(_address text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT EXISTS (SELECT FROM chain.house_address WHERE address = _address AND role IN ('wallet', 'named'))
$$;

CREATE TABLE withdrawals.foreign_transfer (
  chain text NOT NULL,
  hash text NOT NULL,
  output integer NOT NULL,
  receiver text NOT NULL,
  units bigint NOT NULL CHECK (units > 0),
  purpose text NOT NULL CHECK (purpose IN ('expense', 'house', 'payout')),
  withdrawal_id uuid UNIQUE,
  approval uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null until it is booked; the journal of a payout is its withdrawal's.
  journal uuid UNIQUE,
  PRIMARY KEY (chain, hash, output),
  CHECK ((purpose = 'payout') = (withdrawal_id IS NOT NULL)),
  CHECK (purpose <> 'payout' OR journal IS NULL)
);

-- USDT that left the wallet in this transaction and that no payout of the signer explains.
CREATE FUNCTION withdrawals.left_by_hand(_chain text, _hash text) RETURNS TABLE (output integer, receiver text, units bigint, is_house boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT h.output, h.receiver, h.amount, h.receiver <> h.sender AND chain.is_kept(h.receiver) FROM deposits.hot_transfer h
  WHERE h.chain = _chain AND h.hash = _hash AND h.direction = 'out'
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.chain = h.chain AND f.hash = h.hash AND f.output = h.output)
    AND NOT EXISTS (SELECT FROM withdrawals.outbox o JOIN withdrawals.withdrawal w ON w.id = o.withdrawal_id
      WHERE o.hash = h.hash AND w.address = h.receiver AND w.amount - w.fee = h.amount)
  ORDER BY h.output
$$;
CREATE FUNCTION withdrawals.has_read(_chain text, _height bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT EXISTS (SELECT FROM deposits.cursor WHERE chain = _chain AND scanned >= _height)
$$;

CREATE FUNCTION withdrawals.check_foreign_transfer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  IF NEW.journal IS NOT NULL OR NOT EXISTS (SELECT FROM withdrawals.left_by_hand(NEW.chain, NEW.hash) l WHERE (l.output, l.receiver, l.units) = (NEW.output, NEW.receiver, NEW.units)
      AND (l.is_house AND NEW.purpose = 'house' OR NOT l.is_house AND NEW.purpose IN ('expense', 'payout'))) THEN
    RAISE EXCEPTION 'output % of % did not leave the wallet like that', NEW.output, NEW.hash USING ERRCODE = 'WD003';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
    WHERE a.id = NEW.approval AND a.kind = 'payout_foreign' AND a.subject = NEW.hash AND a.status = 'approved' AND a.content::jsonb ->> 'chain' = NEW.chain
      AND a.content::jsonb -> 'transfers' @> jsonb_build_array(jsonb_build_object('output', NEW.output::text, 'to', NEW.receiver, 'units', NEW.units::text, 'purpose', NEW.purpose))
      AND NEW.withdrawal_id::text IS NOT DISTINCT FROM CASE NEW.purpose WHEN 'payout' THEN a.content::jsonb ->> 'withdrawal' END) THEN
    RAISE EXCEPTION 'nobody has accounted for %', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  IF NEW.purpose = 'payout' THEN
    PERFORM FROM withdrawals.withdrawal w WHERE w.id = NEW.withdrawal_id AND w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL
      AND (w.chain, w.address, w.amount - w.fee) = (NEW.chain, NEW.receiver, NEW.units) FOR UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'it is not what withdrawal % waits for', NEW.withdrawal_id USING ERRCODE = 'WD003'; END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_foreign_transfer BEFORE INSERT ON withdrawals.foreign_transfer FOR EACH ROW EXECUTE FUNCTION withdrawals.check_foreign_transfer();
CREATE TRIGGER booked_once BEFORE UPDATE ON withdrawals.foreign_transfer FOR EACH ROW WHEN (OLD.journal IS NOT NULL) EXECUTE FUNCTION withdrawals.refuse_change();
CREATE TRIGGER no_delete BEFORE DELETE ON withdrawals.foreign_transfer FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.foreign_transfer FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change();

-- What was paid by hand is done with exactly that transaction, and is neither signed nor given back.
CREATE FUNCTION withdrawals.check_paid_by_hand() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF (NEW.step = 'done') IS DISTINCT FROM EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = NEW.id AND (NEW.step <> 'done' OR f.hash = NEW.hash)) THEN
    RAISE EXCEPTION 'withdrawal % can''t become %: it is done only when it was paid by hand', NEW.id, NEW.step USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_paid_by_hand BEFORE UPDATE OF step ON withdrawals.withdrawal FOR EACH ROW
  WHEN (OLD.step = 'approved' AND NEW.step <> 'approved' AND NEW.kind = 'crypto' AND NEW.receiver IS NULL) EXECUTE FUNCTION withdrawals.check_paid_by_hand();

-- As before, without what was paid by hand.
CREATE OR REPLACE VIEW withdrawals.promised AS
  SELECT w.id, w.customer_id, w.channel, w.chain, w.address, w.payee_id, w.amount, w.fee, w.quote, w.people, w.created_at, t.sequence AS taken,
    a.body, encode(a.signature, 'hex') AS signature, a.key, chain.is_house(w.chain, w.address) AS is_house
  FROM withdrawals.withdrawal w
  JOIN ledger.transfer t ON t.resolves = w.hold AND t.kind = 'p'
  LEFT JOIN withdrawals.authorisation a ON a.withdrawal_id = w.id
  WHERE w.kind = 'crypto' AND w.receiver IS NULL AND w.step IN ('approved', 'sending', 'sent_unknown', 'confirming')
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id);

CREATE VIEW withdrawals.paid_by_hand AS
  SELECT w.id, h.hash, h.block_height, h.block_hash FROM withdrawals.foreign_transfer f JOIN withdrawals.withdrawal w ON w.id = f.withdrawal_id
  JOIN deposits.hot_transfer h ON h.chain = f.chain AND h.hash = f.hash AND h.output = f.output AND h.direction = 'out' WHERE w.step = 'approved';

-- Acknowledges what the checker found about transfers that two people have accounted for, and opens money again if it was halted for such a transfer and
-- everything that was found is acknowledged. Anybody may call it: it decides by what two people decided.
CREATE FUNCTION withdrawals.end_foreign_halt() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ledger.head WHERE halted LIKE 'CU3: %') THEN RETURN false; END IF;
  INSERT INTO ledger.acknowledgement (violation, by_name, why)
    SELECT v.id, 'two people in the console', 'they accounted for the transaction, approval ' || f.approval
    FROM ledger.violation v CROSS JOIN LATERAL (SELECT approval FROM withdrawals.foreign_transfer WHERE hash = v.subject LIMIT 1) f
    WHERE v.invariant = 'CU3' AND NOT EXISTS (SELECT FROM ledger.acknowledgement a WHERE a.violation = v.id)
      AND NOT EXISTS (SELECT FROM deposits.hot_transfer h CROSS JOIN LATERAL withdrawals.left_by_hand(h.chain, h.hash) WHERE h.hash = v.subject);
  IF EXISTS (SELECT FROM ledger.violation v WHERE NOT EXISTS (SELECT FROM ledger.acknowledgement a WHERE a.violation = v.id)) THEN RETURN false; END IF;
  RETURN ledger.resume_money('two people in the console', 'they accounted for what had left the wallet by hand');
END $$;

REVOKE ALL ON FUNCTION chain.is_kept, withdrawals.left_by_hand, withdrawals.has_read, withdrawals.check_foreign_transfer, withdrawals.check_paid_by_hand, withdrawals.end_foreign_halt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain.is_kept, withdrawals.left_by_hand, withdrawals.has_read, withdrawals.end_foreign_halt TO sathorn_app;
GRANT SELECT ON withdrawals.foreign_transfer, withdrawals.paid_by_hand TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, hash, output, receiver, units, purpose, withdrawal_id, approval), UPDATE (journal) ON withdrawals.foreign_transfer TO sathorn_app;
