-- Whoever has a run's signatures can send it, also somebody who copied them out of the signer's transaction. The Safe pays
-- the same lines then, in a transaction that is not the signer's.
ALTER TABLE treasury.run ADD COLUMN foreign_hash text UNIQUE CHECK (foreign_hash ~ '^0x[0-9a-f]{64}$'),
  ADD CHECK (foreign_hash IS NULL OR step = 'done');

-- The newest transaction of somebody else with which the Safe paid all withdrawals of a run; null without one.
CREATE FUNCTION treasury.foreign_hash_of(_run uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
  SELECT h.hash FROM run r JOIN safe s ON s.chain = r.chain JOIN line l ON l.run = r.id AND l.withdrawal_id IS NOT NULL
    JOIN deposits.hot_transfer h ON h.chain = r.chain AND h.direction = 'out' AND h.sender = s.address AND h.receiver = l.receiver AND h.amount = l.units
  WHERE r.id = _run AND NOT EXISTS (SELECT FROM withdrawals.sending_attempt a WHERE a.hash = h.hash)
    AND NOT EXISTS (SELECT FROM run o WHERE o.foreign_hash = h.hash AND o.id <> r.id)
  GROUP BY h.hash
  HAVING count(DISTINCT l.place) = (SELECT count(*) FROM line m WHERE m.run = _run AND m.withdrawal_id IS NOT NULL)
  ORDER BY max(h.block_height) DESC LIMIT 1
$$;
REVOKE ALL ON FUNCTION treasury.foreign_hash_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION treasury.foreign_hash_of TO sathorn_app, sathorn_checker;

CREATE OR REPLACE FUNCTION treasury.check_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- A refused run with the same nonce can still be executed instead of this one, which is refused then.
    IF NEW.nonce IS DISTINCT FROM (SELECT nonce FROM state WHERE chain = NEW.chain) THEN
      RAISE EXCEPTION 'nonce % is not the next of the Safe on %', NEW.nonce, NEW.chain USING ERRCODE = 'TR001';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT (OLD.step, NEW.step) IN (('open', 'signed'), ('open', 'withdrawn'), ('open', 'lapsed'), ('open', 'superseded'),
    ('signed', 'sending'), ('signed', 'superseded'), ('signed', 'refused'), ('signed', 'done'), ('sending', 'done'),
    ('sending', 'refused'), ('refused', 'superseded'), ('refused', 'done')) THEN
    RAISE EXCEPTION 'a run can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'TR002';
  END IF;
  IF NEW.step = 'signed' AND (SELECT count(*) FROM signature WHERE run = NEW.id) < (SELECT threshold FROM state WHERE chain = NEW.chain)
    OR NEW.step = 'lapsed' AND NEW.lapses_at > clock_timestamp()
    OR NEW.step = 'superseded' AND ((SELECT nonce FROM state WHERE chain = NEW.chain) <= NEW.nonce OR foreign_hash_of(NEW.id) IS NOT NULL) THEN
    RAISE EXCEPTION 'run % is not %', NEW.id, NEW.step USING ERRCODE = 'TR002';
  END IF;
  IF NEW.foreign_hash IS DISTINCT FROM OLD.foreign_hash AND (NEW.foreign_hash IS DISTINCT FROM foreign_hash_of(NEW.id)
    OR (SELECT nonce FROM state WHERE chain = NEW.chain) <= NEW.nonce) THEN
    RAISE EXCEPTION 'run % was not executed by %', NEW.id, NEW.foreign_hash USING ERRCODE = 'TR002';
  END IF;
  -- A run whose signatures the chain refuses was never sent. Whoever gets better ones can still send it.
  IF NEW.step IN ('sending', 'done', 'refused') AND NEW.foreign_hash IS NULL AND (OLD.step, NEW.step) <> ('signed', 'refused') AND NOT EXISTS (SELECT FROM withdrawals.sending s
    WHERE s.run = NEW.id AND s.step = CASE NEW.step WHEN 'sending' THEN 'sending' WHEN 'done' THEN 'done' ELSE 'failed' END) THEN
    RAISE EXCEPTION 'run % was not sent', NEW.id USING ERRCODE = 'TR002';
  END IF;
  RETURN NEW;
END $$;

-- The signer asks the chain about each signature, and refuses a run that has too few valid ones.
CREATE FUNCTION withdrawals.refuse_run(_run uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  UPDATE treasury.run SET step = 'refused', ended_at = clock_timestamp() WHERE id = _run AND step = 'signed'
$$;
REVOKE ALL ON FUNCTION withdrawals.refuse_run FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.refuse_run TO sathorn_signer;

-- Runs that somebody else has sent, and that have not ended yet.
CREATE VIEW withdrawals.foreign_run AS
  SELECT r.id, r.chain, treasury.foreign_hash_of(r.id) AS hash FROM treasury.run r JOIN treasury.state s ON s.chain = r.chain AND s.nonce > r.nonce
  WHERE r.step IN ('signed', 'sending', 'refused') AND treasury.foreign_hash_of(r.id) IS NOT NULL;
GRANT SELECT ON withdrawals.foreign_run TO sathorn_app, sathorn_checker;
CREATE FUNCTION withdrawals.end_foreign_run(_run uuid, _hash text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  UPDATE treasury.run SET step = 'done', foreign_hash = _hash, ended_at = clock_timestamp() WHERE id = _run AND step IN ('signed', 'sending', 'refused')
$$;
REVOKE ALL ON FUNCTION withdrawals.end_foreign_run FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.end_foreign_run TO sathorn_app;

-- The withdrawals of a run that somebody else sent go on as if the signer had sent it.
CREATE FUNCTION treasury.end_foreign_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  UPDATE withdrawals.withdrawal w SET step = 'sending', sent_at = clock_timestamp(), version = version + 1
    FROM line l WHERE l.run = NEW.id AND w.id = l.withdrawal_id AND w.step = 'approved';
  RETURN NULL;
END $$;
CREATE TRIGGER end_foreign_run AFTER UPDATE ON treasury.run FOR EACH ROW
  WHEN (NEW.step = 'done' AND NEW.foreign_hash IS NOT NULL AND OLD.foreign_hash IS NULL) EXECUTE FUNCTION treasury.end_foreign_run();

-- The signer's own transaction fails if another one executed the run before it.
CREATE OR REPLACE FUNCTION treasury.end_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  UPDATE run SET step = CASE NEW.step WHEN 'done' THEN 'done' ELSE 'refused' END, ended_at = NEW.finished_at
    WHERE id = NEW.run AND step = 'sending';
  IF FOUND AND NEW.step = 'failed' THEN
    UPDATE withdrawals.withdrawal w SET step = 'approved', hash = NULL, block_height = NULL, block_hash = NULL, version = version + 1
      FROM line l WHERE l.run = NEW.run AND w.id = l.withdrawal_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE VIEW withdrawals.sent AS
  SELECT o.withdrawal_id, p.nonce, o.hash, o.attempt, o.is_empty, o.at, false AS is_run FROM withdrawals.outbox o
    JOIN withdrawals.payout p USING (withdrawal_id)
  UNION ALL
  SELECT l.withdrawal_id, s.nonce, a.hash, a.attempt, false, a.at, true FROM treasury.line l
    JOIN withdrawals.sending s ON s.run = l.run AND s.step <> 'failed'
    JOIN withdrawals.sending_attempt a ON a.sending_id = s.id
  WHERE l.withdrawal_id IS NOT NULL
  UNION ALL
  SELECT l.withdrawal_id, 0, r.foreign_hash, 0, false, r.ended_at, true FROM treasury.line l
    JOIN treasury.run r ON r.id = l.run AND r.foreign_hash IS NOT NULL
  WHERE l.withdrawal_id IS NOT NULL;

CREATE OR REPLACE VIEW treasury.run_shown AS
  SELECT r.id, r.chain, r.nonce, r.hash, r.kind, r.data, r.opened_by, r.opened_at, r.lapses_at, r.step, r.ended_at,
    coalesce(r.foreign_hash, s.hash, (SELECT a.hash FROM withdrawals.sending_attempt a WHERE a.sending_id = s.id
      ORDER BY a.attempt DESC LIMIT 1)) AS transaction
  FROM treasury.run r LEFT JOIN withdrawals.sending s ON s.run = r.id;

-- True if this transfer is a line of a run: of one that its transaction carries, or of one that can still be executed and
-- whose Safe paid exactly this.
CREATE OR REPLACE FUNCTION treasury.is_line(_hash text, _receiver text, _units numeric) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
  SELECT EXISTS (SELECT FROM withdrawals.sending_attempt a JOIN withdrawals.sending s ON s.id = a.sending_id
      JOIN line l ON l.run = s.run WHERE a.hash = _hash AND l.receiver = _receiver AND l.units = _units)
    OR EXISTS (SELECT FROM run r JOIN line l ON l.run = r.id
      WHERE (r.foreign_hash = _hash OR r.step IN ('signed', 'sending', 'refused') AND foreign_hash_of(r.id) = _hash)
        AND l.receiver = _receiver AND l.units = _units)
$$;
