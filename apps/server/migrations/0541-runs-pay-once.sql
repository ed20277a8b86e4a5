-- What a payment run has paid. Whoever had the application's login called a run refused before a block had it: the chain
-- executed it, its withdrawals waited for another run, and people who saw nothing odd would have signed them again.
CREATE VIEW treasury.paid AS
  SELECT l.withdrawal_id, l.run, h.hash, h.output FROM treasury.line l
    JOIN withdrawals.sending s ON s.run = l.run JOIN withdrawals.sending_attempt a ON a.sending_id = s.id
    JOIN deposits.hot_transfer h ON h.chain = s.chain AND h.hash = a.hash AND h.direction = 'out' AND h.receiver = l.receiver
      AND h.amount = l.units
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

-- A signed run that was not sent in its time, because its signatures are none, or because nothing was paid meanwhile, ends
-- as one that the chain has refused: it can still be executed, so its withdrawals are not given back, and another run may
-- have them with the same number. Otherwise it would stand in the way of every other run.
CREATE OR REPLACE FUNCTION treasury.check_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- A refused run with the same nonce can still be executed instead of this one, which is refused then.
    IF NEW.nonce IS DISTINCT FROM (SELECT nonce FROM state WHERE chain = NEW.chain) THEN
      RAISE EXCEPTION 'nonce % is not the next of the Safe on %', NEW.nonce, NEW.chain USING ERRCODE = 'TR001';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT (OLD.step, NEW.step) IN (('open', 'signed'), ('open', 'withdrawn'), ('open', 'lapsed'), ('open', 'superseded'), ('signed', 'refused'),
    ('signed', 'sending'), ('signed', 'superseded'), ('sending', 'done'), ('sending', 'refused'), ('refused', 'superseded')) THEN
    RAISE EXCEPTION 'a run can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'TR002';
  END IF;
  IF NEW.step = 'signed' AND (SELECT count(*) FROM signature WHERE run = NEW.id) < (SELECT threshold FROM state WHERE chain = NEW.chain)
    OR (NEW.step = 'lapsed' OR OLD.step = 'signed' AND NEW.step = 'refused') AND NEW.lapses_at > clock_timestamp()
    OR NEW.step = 'superseded' AND (SELECT nonce FROM state WHERE chain = NEW.chain) <= NEW.nonce THEN
    RAISE EXCEPTION 'run % is not %', NEW.id, NEW.step USING ERRCODE = 'TR002';
  END IF;
  IF NEW.step IN ('sending', 'done', 'refused') AND OLD.step || NEW.step <> 'signedrefused' AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.run = NEW.id
    AND s.step = CASE NEW.step WHEN 'sending' THEN 'sending' WHEN 'done' THEN 'done' ELSE 'failed' END) THEN
    RAISE EXCEPTION 'run % was not sent', NEW.id USING ERRCODE = 'TR002';
  END IF;
  RETURN NEW;
END $$;
