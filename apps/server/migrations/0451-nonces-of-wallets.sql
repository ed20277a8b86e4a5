-- A wallet without nonces in the database was taken for one that has sent nothing, and a copy from before its first payout paid again. It now counts as one
-- whose first nonce is 0: what the chain has beyond must be accounted for. A nonce belongs to a wallet of a chain: another wallet begins with its own.
ALTER TABLE withdrawals.payout DISABLE TRIGGER USER;
ALTER TABLE withdrawals.payout ADD COLUMN wallet text CHECK (wallet ~ '^0x[0-9a-f]{40}$');
-- What is in a block says who sent it. The rest is of today's wallet, because another one's could not be followed any more.
UPDATE withdrawals.payout p SET wallet = coalesce(
  (SELECT h.sender FROM withdrawals.outbox o JOIN deposits.hot_transfer h ON h.chain = p.chain AND h.hash = o.hash AND h.direction = 'out' WHERE o.withdrawal_id = p.withdrawal_id LIMIT 1),
  (SELECT address FROM chain.house_address WHERE chain = p.chain AND role = 'wallet' ORDER BY since DESC LIMIT 1), '0x' || repeat('0', 40));
ALTER TABLE withdrawals.payout ALTER COLUMN wallet SET NOT NULL, DROP CONSTRAINT payout_chain_nonce_key, ADD UNIQUE (chain, wallet, nonce);
ALTER TABLE withdrawals.payout ENABLE TRIGGER USER;

-- The same table now says what each transaction was that this database did not sign: of the wallet or of a deposit address.
ALTER TABLE withdrawals.foreign_transaction DISABLE TRIGGER USER;
ALTER TABLE withdrawals.foreign_transaction ADD COLUMN wallet text CHECK (wallet ~ '^0x[0-9a-f]{40}$'),
  -- It and all that its wallet sent before were sent before this platform had the wallet.
  ADD COLUMN is_first boolean NOT NULL DEFAULT false;
UPDATE withdrawals.foreign_transaction f SET wallet = coalesce(
  (SELECT address FROM chain.house_address WHERE chain = f.chain AND role = 'wallet' ORDER BY since DESC LIMIT 1), '0x' || repeat('0', 40));
ALTER TABLE withdrawals.foreign_transaction ALTER COLUMN wallet SET NOT NULL, DROP CONSTRAINT foreign_transaction_pkey, ADD PRIMARY KEY (chain, wallet, nonce);
ALTER TABLE withdrawals.foreign_transaction ENABLE TRIGGER USER;

DROP VIEW withdrawals.foreign_newest;
DROP FUNCTION withdrawals.last_nonce(text);
-- The last nonce up to which everything is known, and -1 where nothing is: what was sent beyond it without us is accounted for one by one.
CREATE FUNCTION withdrawals.last_nonce(_chain text, _wallet text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  WITH own AS (
    SELECT greatest(-1, (SELECT max(nonce) FROM payout WHERE chain = _chain AND wallet = _wallet), (SELECT max(nonce) FROM sending WHERE chain = _chain AND sender = _wallet),
      (SELECT max(nonce) FROM foreign_transaction WHERE chain = _chain AND wallet = _wallet AND is_first)) AS nonce
  ), beyond AS (
    SELECT f.nonce, row_number() OVER (ORDER BY f.nonce) AS nth FROM foreign_transaction f, own WHERE f.chain = _chain AND f.wallet = _wallet AND f.nonce > own.nonce
  )
  SELECT own.nonce + (SELECT count(*) FROM beyond WHERE beyond.nonce = own.nonce + beyond.nth) FROM own
$$;
CREATE VIEW withdrawals.foreign_newest AS
  SELECT f.chain, f.wallet, f.nonce, f.hash FROM withdrawals.foreign_transaction f
  WHERE f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.payout p WHERE p.chain = f.chain AND p.wallet = f.wallet), -1)
    AND f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.sending s WHERE s.chain = f.chain AND s.sender = f.wallet), -1);

CREATE OR REPLACE FUNCTION withdrawals.check_foreign() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  last := withdrawals.last_nonce(NEW.chain, NEW.wallet);
  IF NEW.nonce <= last OR (NEW.is_first AND (last <> -1 OR withdrawals.unreconciled_since() IS NOT NULL)) THEN
    RAISE EXCEPTION 'nonce % of % is known', NEW.nonce, NEW.wallet USING ERRCODE = 'WD005';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
    WHERE a.id = NEW.approval AND a.kind = 'payout_foreign' AND a.subject = NEW.hash AND a.status = 'approved'
      AND (a.content::jsonb ->> 'chain', a.content::jsonb ->> 'hash', a.content::jsonb ->> 'nonce') = (NEW.chain, NEW.hash, NEW.nonce::text)
      AND coalesce(a.content::jsonb ->> 'wallet', NEW.wallet) = NEW.wallet AND coalesce((a.content::jsonb ->> 'is_first')::boolean, false) = NEW.is_first) THEN
    RAISE EXCEPTION 'nobody has accounted for %', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;

-- As before, but for the wallet; a sending's is its sender.
CREATE OR REPLACE FUNCTION withdrawals.begin_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  last := withdrawals.last_nonce(NEW.chain, NEW.wallet);
  IF NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.payable p WHERE p.id = NEW.withdrawal_id AND p.chain = NEW.chain AND NOT chain.is_house(p.chain, p.address)) THEN
    RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005';
  END IF;
  UPDATE withdrawals.withdrawal SET step = 'sending', sent_at = clock_timestamp(), version = version + 1 WHERE id = NEW.withdrawal_id AND step = 'approved';
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION withdrawals.begin_sending() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  IF NEW.kind = 'gas' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
    IF NOT EXISTS (SELECT FROM chain.address WHERE chain = NEW.chain AND address = NEW.receiver)
      OR EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND kind = 'gas' AND receiver = NEW.receiver AND step = 'sending') THEN
      RAISE EXCEPTION 'no gas is to be sent to %', NEW.receiver USING ERRCODE = 'WD007';
    END IF;
  ELSE
    PERFORM pg_advisory_xact_lock(hashtextextended('sends:' || NEW.chain || NEW.sender, 0));
    IF EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND sender = NEW.sender AND step = 'sending') THEN
      RAISE EXCEPTION 'something of % is on its way', NEW.sender USING ERRCODE = 'WD007';
    END IF;
    IF NEW.kind = 'sweep' AND NOT EXISTS (SELECT FROM withdrawals.sweepable WHERE chain = NEW.chain AND address = NEW.sender AND token = NEW.token AND units >= NEW.units) THEN
      RAISE EXCEPTION '% of % are not to be swept', NEW.units, NEW.sender USING ERRCODE = 'WD007';
    END IF;
    -- Of a coin, gas comes off what arrives.
    IF NEW.kind = 'return' AND NOT EXISTS (SELECT FROM withdrawals.returnable r WHERE r.deposit = NEW.deposit_id AND r.chain = NEW.chain AND r.address = NEW.sender
      AND r.receiver = NEW.receiver AND r.token IS NOT DISTINCT FROM NEW.token AND (r.amount = NEW.units OR (r.token IS NULL AND r.amount > NEW.units))) THEN
      RAISE EXCEPTION 'deposit % is not to be sent back so', NEW.deposit_id USING ERRCODE = 'WD007';
    END IF;
  END IF;
  last := withdrawals.last_nonce(NEW.chain, NEW.sender);
  IF NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;


REVOKE ALL ON FUNCTION withdrawals.last_nonce FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.last_nonce TO sathorn_app, sathorn_signer;
GRANT SELECT ON withdrawals.foreign_newest TO sathorn_signer, sathorn_checker;
GRANT INSERT (wallet) ON withdrawals.payout TO sathorn_signer;
GRANT INSERT (wallet, is_first) ON withdrawals.foreign_transaction TO sathorn_app;
