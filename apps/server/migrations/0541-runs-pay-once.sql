-- What a payment run has paid. Whoever had the application's login called a run refused before a block had it: the chain
-- executed it, its withdrawals waited for another run, and people who saw nothing odd would have signed them again.
CREATE VIEW treasury.paid AS
  SELECT l.withdrawal_id, l.run, h.hash, h.output, true AS is_own FROM treasury.line l
    JOIN withdrawals.sending s ON s.run = l.run JOIN withdrawals.sending_attempt a ON a.sending_id = s.id
    JOIN deposits.hot_transfer h ON h.chain = s.chain AND h.hash = a.hash AND h.direction = 'out' AND h.receiver = l.receiver
      AND h.amount = l.units
  WHERE l.withdrawal_id IS NOT NULL
  UNION ALL
  -- By somebody else's transaction, also before that is final.
  SELECT l.withdrawal_id, l.run, h.hash, h.output, false FROM treasury.line l
    JOIN treasury.run r ON r.id = l.run AND (r.foreign_hash IS NOT NULL OR r.step IN ('signed', 'sending', 'refused'))
    JOIN deposits.hot_transfer h ON h.chain = r.chain AND h.hash = coalesce(r.foreign_hash, treasury.foreign_hash_of(r.id))
      AND h.direction = 'out' AND h.receiver = l.receiver AND h.amount = l.units
  WHERE l.withdrawal_id IS NOT NULL;
GRANT SELECT ON treasury.paid TO sathorn_checker;

CREATE OR REPLACE VIEW treasury.payable AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.approval, w.customer_id, w.created_at
  FROM withdrawals.withdrawal w
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND treasury.pays(w.chain, w.people, w.receiver)
    AND EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = w.hold AND t.kind = 'p' AND t.code = 54
      AND t.units = w.amount - w.fee)
    AND NOT chain.is_house(w.chain, w.address)
    AND NOT EXISTS (SELECT FROM withdrawals.outflow o WHERE o.chain = w.chain AND o.receiver = w.address
      AND o.amount = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id)
    AND NOT EXISTS (SELECT FROM treasury.paid p WHERE p.withdrawal_id = w.id)
    AND NOT EXISTS (SELECT FROM treasury.line l JOIN treasury.run r ON r.id = l.run WHERE l.withdrawal_id = w.id
      AND r.step IN ('open', 'signed', 'sending', 'done'));

-- A line that was written before the block of another run is looked at again before it is sent.
CREATE OR REPLACE FUNCTION treasury.begin_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  UPDATE run SET step = 'sending' WHERE id = NEW.run AND step = 'signed' AND chain = NEW.chain
    AND NEW.receiver = (SELECT address FROM safe WHERE chain = NEW.chain);
  IF NOT FOUND THEN RAISE EXCEPTION 'run % is not to be sent', NEW.run USING ERRCODE = 'TR005'; END IF;
  UPDATE withdrawals.withdrawal w SET step = 'sending', sent_at = clock_timestamp(), version = version + 1
    FROM line l WHERE l.run = NEW.run AND w.id = l.withdrawal_id AND w.step = 'approved'
      AND NOT EXISTS (SELECT FROM paid p WHERE p.withdrawal_id = w.id);
  IF EXISTS (SELECT FROM line l JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id WHERE l.run = NEW.run AND w.step <> 'sending') THEN
    RAISE EXCEPTION 'a line of run % is not to be paid', NEW.run USING ERRCODE = 'TR005';
  END IF;
  RETURN NULL;
END $$;
