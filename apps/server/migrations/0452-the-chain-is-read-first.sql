-- After a restoration the chain knows more than the database. What left the house's addresses without a row is explained before anything else leaves: as
-- the payout of an open withdrawal, as a withdrawal of the payee's owner, as gas or a sweep of ours, or as a foreign transaction.

-- Transactions of the wallet and of deposit addresses that this database has not signed, once they are confirmed.
CREATE TABLE deposits.unsigned_transaction (
  chain text NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  sender text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  -- Null where it creates a contract.
  receiver text,
  -- Of the chain's own coin, in its smallest units.
  value numeric(78, 0) NOT NULL CHECK (value >= 0),
  block_height bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (chain, hash)
);
-- The signer keeps each transaction before it is sent, so one that it has signed is known here.
CREATE FUNCTION deposits.pass_over_signed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM withdrawals.outbox o WHERE o.hash = NEW.hash) OR EXISTS (SELECT FROM withdrawals.sending_attempt a WHERE a.hash = NEW.hash) THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER pass_over_signed BEFORE INSERT ON deposits.unsigned_transaction FOR EACH ROW EXECUTE FUNCTION deposits.pass_over_signed();
CREATE INDEX hot_transfer_to ON deposits.hot_transfer (chain, receiver, amount) WHERE direction = 'out';
CREATE INDEX hot_transfer_swept ON deposits.hot_transfer (chain, sender) WHERE direction = 'sweep';

-- What arrived at an address of ours that no customer of this database has.
CREATE TABLE deposits.forgotten (
  chain text NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  output integer NOT NULL CHECK (output >= 0),
  address text NOT NULL,
  index integer NOT NULL,
  sender text NOT NULL,
  -- Of our token.
  amount numeric(78, 0) NOT NULL CHECK (amount > 0),
  block_height bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (chain, hash, output)
);

-- Gas for our own addresses and sweeps are accounted for without people.
ALTER TABLE withdrawals.foreign_transaction DISABLE TRIGGER USER;
ALTER TABLE withdrawals.foreign_transaction
  ADD COLUMN what text NOT NULL DEFAULT 'foreign' CHECK (what IN ('foreign', 'gas', 'sweep')),
  ALTER COLUMN approval DROP NOT NULL,
  ADD CONSTRAINT by_people CHECK ((approval IS NULL) = (what <> 'foreign'));
ALTER TABLE withdrawals.foreign_transaction ENABLE TRIGGER USER;

-- A payout of the lost time to a saved wallet: a withdrawal of its owner, taken from the balance. What the balance lacks is a claim of the house.
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (66, '{s}', '{1000}', '{110}', false, 'app', false), (66, '{s}', '{200}', '{110}', true, 'app', false);
ALTER TABLE withdrawals.foreign_transfer
  DROP CONSTRAINT foreign_transfer_purpose_check,
  ADD CONSTRAINT foreign_transfer_purpose_check CHECK (purpose IN ('expense', 'found', 'house', 'payout')),
  ADD COLUMN customer_id bigint CHECK (customer_id > 0),
  ADD COLUMN payee_id text,
  -- Opens the payee's commitment to its address.
  ADD COLUMN payee_opening bytea,
  ADD COLUMN shortfall bigint CHECK (shortfall BETWEEN 0 AND units),
  ADD CONSTRAINT of_payee CHECK (num_nonnulls(customer_id, payee_id, payee_opening) = CASE purpose WHEN 'found' THEN 3 ELSE 0 END),
  ADD CONSTRAINT of_found CHECK ((shortfall IS NOT NULL) = (purpose = 'found' AND journal IS NOT NULL));
CREATE INDEX foreign_transfer_of_customer ON withdrawals.foreign_transfer (customer_id) WHERE customer_id IS NOT NULL;

-- Open withdrawals that a transfer with this receiver and amount may have paid: one that the signer has begun only with the signer's nonce.
CREATE FUNCTION withdrawals.open_withdrawals(_chain text, _hash text, _receiver text, _units numeric) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT ARRAY(SELECT w.id FROM withdrawal w WHERE w.kind = 'crypto' AND w.chain = _chain AND w.receiver IS NULL
    AND w.step NOT IN ('done', 'returned') AND w.address = _receiver AND w.amount - w.fee = _units
    AND NOT EXISTS (SELECT FROM foreign_transfer f WHERE f.withdrawal_id = w.id)
    AND NOT EXISTS (SELECT FROM payout p WHERE p.withdrawal_id = w.id
      AND NOT EXISTS (SELECT FROM deposits.unsigned_transaction u WHERE (u.chain, u.hash, u.sender, u.nonce) = (_chain, _hash, p.wallet, p.nonce)))
    ORDER BY w.created_at, w.id)
$$;
DROP FUNCTION withdrawals.left_by_hand;
CREATE FUNCTION withdrawals.left_by_hand(_chain text, _hash text) RETURNS TABLE (output integer, receiver text, units bigint, is_house boolean, withdrawals uuid[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT h.output, h.receiver, h.amount, h.receiver <> h.sender AND chain.is_kept(h.receiver), open_withdrawals(h.chain, h.hash, h.receiver, h.amount)
  FROM deposits.hot_transfer h
  WHERE h.chain = _chain AND h.hash = _hash AND h.direction = 'out'
    AND NOT EXISTS (SELECT FROM foreign_transfer f WHERE f.chain = h.chain AND f.hash = h.hash AND f.output = h.output)
    AND NOT EXISTS (SELECT FROM outbox o JOIN withdrawal w ON w.id = o.withdrawal_id
      WHERE o.hash = h.hash AND w.address = h.receiver AND w.amount - w.fee = h.amount)
  ORDER BY h.output
$$;

CREATE OR REPLACE FUNCTION withdrawals.check_foreign_transfer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  seen record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  PERFORM FROM withdrawal w WHERE w.id = NEW.withdrawal_id FOR UPDATE;
  SELECT * INTO seen FROM left_by_hand(NEW.chain, NEW.hash) l WHERE (l.output, l.receiver, l.units) = (NEW.output, NEW.receiver, NEW.units);
  IF NOT FOUND OR NEW.journal IS NOT NULL OR seen.is_house IS DISTINCT FROM (NEW.purpose = 'house') THEN
    RAISE EXCEPTION 'output % of % did not leave the wallet like that', NEW.output, NEW.hash USING ERRCODE = 'WD003';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
    WHERE a.id = NEW.approval AND a.kind = 'payout_foreign' AND a.subject = NEW.hash AND a.status = 'approved' AND a.content::jsonb ->> 'chain' = NEW.chain
      AND a.content::jsonb -> 'transfers' @> jsonb_build_array(jsonb_build_object('output', NEW.output::text, 'to', NEW.receiver, 'units', NEW.units::text,
        'purpose', NEW.purpose, 'withdrawal', NEW.withdrawal_id, 'customer', NEW.customer_id::text, 'payee', NEW.payee_id))) THEN
    RAISE EXCEPTION 'nobody has accounted for %', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  IF NEW.purpose = 'payout' AND NOT NEW.withdrawal_id = ANY (seen.withdrawals) THEN
    RAISE EXCEPTION '% did not pay withdrawal %', NEW.hash, NEW.withdrawal_id USING ERRCODE = 'WD009';
  END IF;
  -- Otherwise the signer would pay the same receiver the same amount a second time.
  IF NEW.purpose IN ('expense', 'found') AND seen.withdrawals <> '{}' THEN
    RAISE EXCEPTION '% paid an open withdrawal', NEW.hash USING ERRCODE = 'WD009';
  END IF;
  IF NEW.purpose = 'found' AND NOT EXISTS (SELECT FROM payees.payee p WHERE p.id = NEW.payee_id AND p.owner = NEW.customer_id
      AND p.commitment = payees.commitment_of(NEW.payee_opening, NEW.chain, NEW.receiver)) THEN
    RAISE EXCEPTION '% is not a payout to a wallet of customer %', NEW.hash, NEW.customer_id USING ERRCODE = 'WD009';
  END IF;
  RETURN NEW;
END $$;
-- A withdrawal that a transaction paid without the signer may wait in any step.
CREATE OR REPLACE VIEW withdrawals.paid_by_hand AS
  SELECT w.id, h.hash, h.block_height, h.block_hash FROM withdrawals.foreign_transfer f JOIN withdrawals.withdrawal w ON w.id = f.withdrawal_id
  JOIN deposits.hot_transfer h ON h.chain = f.chain AND h.hash = f.hash AND h.output = f.output AND h.direction = 'out' WHERE w.step NOT IN ('done', 'returned');
DROP TRIGGER check_paid_by_hand ON withdrawals.withdrawal;
DROP FUNCTION withdrawals.check_paid_by_hand;

-- A customer's debt to the house: for reversed deposits, and for what was paid to them and is not in a restored balance.
CREATE OR REPLACE VIEW deposits.shortfall AS
  SELECT borne.customer_id, borne.units - coalesce((SELECT sum(p.units) FROM deposits.repayment p WHERE p.customer_id = borne.customer_id), 0) AS units
  FROM (SELECT customer_id, sum(shortfall) AS units FROM (
      SELECT d.customer_id, r.shortfall FROM deposits.reversal r JOIN deposits.deposit d ON d.id = r.deposit_id WHERE r.shortfall > 0
      UNION ALL SELECT customer_id, shortfall FROM withdrawals.foreign_transfer WHERE shortfall > 0) each_one GROUP BY customer_id) borne;

-- What left the wallet and has no payout, and is not accounted for.
CREATE VIEW withdrawals.outflow AS
  SELECT h.chain, h.hash, h.output, h.sender, h.receiver, h.amount, h.block_height FROM deposits.hot_transfer h
  WHERE h.direction = 'out' AND NOT EXISTS (SELECT FROM withdrawals.outbox o WHERE o.hash = h.hash)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.chain = h.chain AND f.hash = h.hash AND f.output = h.output);
-- Everything that nobody has explained, and what was explained and is not booked.
CREATE VIEW withdrawals.unexplained AS
  SELECT chain, hash, 'out' AS kind, sender, receiver, amount::numeric AS amount, block_height FROM withdrawals.outflow
  UNION ALL
  SELECT h.chain, h.hash, 'sweep', h.sender, h.receiver, h.amount::numeric, h.block_height FROM deposits.hot_transfer h
  WHERE h.direction = 'sweep' AND h.journal IS NULL AND NOT EXISTS (SELECT FROM withdrawals.sending_attempt a WHERE a.hash = h.hash)
  UNION ALL
  SELECT u.chain, u.hash, 'transaction', u.sender, u.receiver, u.value, u.block_height FROM deposits.unsigned_transaction u
  WHERE NOT EXISTS (SELECT FROM withdrawals.foreign_transaction f WHERE f.hash = u.hash)
    AND NOT EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash AND (h.direction = 'out' OR h.direction = 'sweep' AND h.journal IS NULL))
  UNION ALL
  SELECT f.chain, f.hash, 'booking', h.sender, f.receiver, f.units::numeric, h.block_height FROM withdrawals.foreign_transfer f
  LEFT JOIN deposits.hot_transfer h ON h.chain = f.chain AND h.hash = f.hash AND h.output = f.output AND h.direction = 'out'
  WHERE CASE f.purpose WHEN 'payout' THEN NOT EXISTS (SELECT FROM withdrawals.withdrawal w WHERE w.id = f.withdrawal_id AND w.step = 'done') ELSE f.journal IS NULL END;

-- As before, and never one whose receiver got exactly its amount in a transaction that nobody has explained: it may be paid already.
CREATE OR REPLACE VIEW withdrawals.payable AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.created_at
  FROM withdrawals.withdrawal w
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL
    AND EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = w.hold AND t.kind = 'p' AND t.code = 54 AND t.units = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.outflow o WHERE o.chain = w.chain AND o.receiver = w.address AND o.amount = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id);

-- What left a deposit address for the wallet and was not sent by this database's signer.
CREATE VIEW deposits.swept_before AS
  SELECT h.chain, h.sender AS address, sum(h.amount) AS units FROM deposits.hot_transfer h
  WHERE h.direction = 'sweep' AND NOT EXISTS (SELECT FROM withdrawals.sending_attempt a WHERE a.hash = h.hash) GROUP BY h.chain, h.sender;
-- What reached the wallet and may be booked. A sweep that this database has not sent comes after the credit that it belongs to, or clearing would be overdrawn.
CREATE VIEW deposits.hot_income AS
  SELECT h.* FROM deposits.hot_transfer h WHERE h.direction IN ('in', 'sweep') AND h.journal IS NULL
    AND (h.direction = 'in' OR EXISTS (SELECT FROM withdrawals.sending_attempt a WHERE a.hash = h.hash) OR h.amount <=
      (SELECT coalesce(sum(d.amount), 0) FROM chain.address a JOIN deposits.deposit d ON d.customer_id = a.customer_id AND d.chain = a.chain AND d.address = a.address
        WHERE a.chain = h.chain AND a.address = h.sender AND d.kind = 'crypto' AND d.step = 'credited')
      - (SELECT coalesce(sum(b.amount), 0) FROM deposits.hot_transfer b WHERE b.chain = h.chain AND b.sender = h.sender AND b.direction = 'sweep' AND b.journal IS NOT NULL));
CREATE OR REPLACE VIEW withdrawals.sweepable AS
  SELECT d.chain, d.address, a.index, d.token, d.units - coalesce(s.units, 0) - coalesce(b.units, 0) AS units
  FROM (SELECT chain, address, token, sum(amount) AS units FROM deposits.deposit WHERE kind = 'crypto' AND step = 'credited' GROUP BY chain, address, token) d
  JOIN chain.address a ON a.chain = d.chain AND a.address = d.address
  LEFT JOIN (SELECT chain, sender, token, sum(units) AS units FROM withdrawals.sending WHERE kind = 'sweep' AND step <> 'failed' GROUP BY chain, sender, token) s
    ON s.chain = d.chain AND s.sender = d.address AND s.token = d.token
  LEFT JOIN deposits.swept_before b ON b.chain = d.chain AND b.address = d.address
  WHERE d.units > coalesce(s.units, 0) + coalesce(b.units, 0);

CREATE OR REPLACE FUNCTION withdrawals.check_foreign() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  last := withdrawals.last_nonce(NEW.chain, NEW.wallet);
  -- One whose nonce is known takes the place of one that we signed, or is of before: that explains it and frees nothing.
  IF (NEW.is_first AND (last <> -1 OR withdrawals.unreconciled_since() IS NOT NULL))
    OR EXISTS (SELECT FROM outbox o WHERE o.hash = NEW.hash) OR EXISTS (SELECT FROM sending_attempt a WHERE a.hash = NEW.hash) THEN
    RAISE EXCEPTION 'nonce % of % needs no account', NEW.nonce, NEW.wallet USING ERRCODE = 'WD005';
  END IF;
  -- What it paid is known only once its block was read.
  IF withdrawals.unreconciled_since() IS NOT NULL AND NOT EXISTS (SELECT FROM deposits.unsigned_transaction u WHERE (u.chain, u.hash, u.sender, u.nonce) = (NEW.chain, NEW.hash, NEW.wallet, NEW.nonce)) THEN
    RAISE EXCEPTION '% was not read yet', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  -- One that moved nothing away from the house's addresses needs nobody.
  IF NEW.what IN ('gas', 'sweep') THEN
    IF NOT EXISTS (SELECT FROM deposits.unsigned_transaction u WHERE (u.chain, u.hash, u.sender, u.nonce) = (NEW.chain, NEW.hash, NEW.wallet, NEW.nonce)
        AND CASE NEW.what WHEN 'gas' THEN u.value > 0 AND (EXISTS (SELECT FROM chain.address a WHERE a.chain = u.chain AND a.address = u.receiver)
              OR EXISTS (SELECT FROM deposits.forgotten o WHERE o.chain = u.chain AND o.address = u.receiver))
            AND NOT EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash)
          -- A sweep is adopted once the credit before it let it be booked.
          ELSE EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash AND h.direction = 'sweep' AND h.sender = u.sender AND h.journal IS NOT NULL) END) THEN
      RAISE EXCEPTION '% stayed not within the house’s addresses', NEW.hash USING ERRCODE = 'WD003';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
      CROSS JOIN LATERAL (SELECT a.content::jsonb AS said) c
    WHERE a.id = NEW.approval AND a.kind = 'payout_foreign' AND a.subject = NEW.hash AND a.status = 'approved'
      AND (said ->> 'chain', said ->> 'hash', said ->> 'nonce') = (NEW.chain, NEW.hash, NEW.nonce::text)
      AND coalesce(said ->> 'wallet', NEW.wallet) = NEW.wallet AND coalesce((said ->> 'is_first')::boolean, false) = NEW.is_first) THEN
    RAISE EXCEPTION 'nobody has accounted for %', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;

-- What needs nobody: gas for our own addresses, and sweeps that are booked.
CREATE VIEW withdrawals.adoptable AS
  SELECT u.chain, u.hash, u.sender AS wallet, u.nonce, CASE WHEN EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash) THEN 'sweep' ELSE 'gas' END AS what
  FROM deposits.unsigned_transaction u WHERE NOT EXISTS (SELECT FROM withdrawals.foreign_transaction f WHERE f.hash = u.hash)
    AND (EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash AND h.direction = 'sweep' AND h.sender = u.sender AND h.journal IS NOT NULL)
      OR u.value > 0 AND NOT EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = u.chain AND h.hash = u.hash)
        AND (EXISTS (SELECT FROM chain.address a WHERE a.chain = u.chain AND a.address = u.receiver) OR EXISTS (SELECT FROM deposits.forgotten o WHERE o.chain = u.chain AND o.address = u.receiver)));
-- For the page of the console: what people look at, and where.
CREATE VIEW withdrawals.explanation AS
  SELECT e.*, u.at, CASE e.kind WHEN 'out' THEN withdrawals.open_withdrawals(e.chain, e.hash, e.receiver, e.amount) ELSE '{}' END AS withdrawals
  FROM withdrawals.unexplained e LEFT JOIN deposits.unsigned_transaction u ON u.chain = e.chain AND u.hash = e.hash;
CREATE VIEW withdrawals.forgotten AS SELECT * FROM deposits.forgotten;

INSERT INTO withdrawals.move VALUES ('delayed', 'done'), ('first_check', 'done'), ('second_check', 'done');
CREATE OR REPLACE FUNCTION withdrawals.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF OLD.approval IS NOT NULL AND NEW.approval IS DISTINCT FROM OLD.approval THEN
    RAISE EXCEPTION 'an approval is asked for once' USING ERRCODE = 'WD002';
  END IF;
  IF OLD.step = NEW.step THEN
    IF OLD.step IN ('done', 'returned') THEN RAISE EXCEPTION 'a finished withdrawal is not changed' USING ERRCODE = 'WD002'; END IF;
    RETURN NEW;
  END IF;
  -- One that the chain has paid without us ends as paid, by that transaction alone.
  IF NEW.kind = 'crypto' AND NEW.receiver IS NULL AND (NEW.step = 'done' AND OLD.step <> 'confirming'
      OR EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = NEW.id)) AND NOT (NEW.step = 'done'
        AND EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = NEW.id AND f.hash = NEW.hash))
    OR NEW.step = 'done' AND OLD.step IN ('delayed', 'first_check', 'second_check') AND (NEW.kind <> 'crypto' OR NEW.receiver IS NOT NULL) THEN
    RAISE EXCEPTION 'withdrawal % can''t move to % but by the transaction that paid it', NEW.id, NEW.step USING ERRCODE = 'WD002';
  END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.move WHERE from_step = OLD.step AND to_step = NEW.step) THEN
    RAISE EXCEPTION 'a withdrawal can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'WD002';
  END IF;
  IF NEW.step = 'approved' AND NEW.people > 0 AND NOT EXISTS (
    SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'withdrawal' AND a.subject = NEW.id::text AND a.status = 'approved'
      AND a.need >= NEW.people AND (SELECT count(DISTINCT v.operator) FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve') >= NEW.people
  ) THEN
    RAISE EXCEPTION 'nobody, or too few people, approved withdrawal %', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF OLD.step = 'delayed' AND NEW.step <> 'returned' AND OLD.delayed_until > clock_timestamp() AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'withdrawal % is delayed', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF NEW.step = 'returned' AND OLD.step = 'approved' AND NOT withdrawals.is_given_back(NEW.id) THEN
    RAISE EXCEPTION 'nobody decided to give withdrawal % back', NEW.id USING ERRCODE = 'WD003';
  END IF;
  -- A signed transaction can still get into a block until another one with its nonce is final.
  IF NEW.step = 'returned' AND OLD.step IN ('sending', 'sent_unknown') AND NEW.kind = 'crypto' AND NOT EXISTS (SELECT FROM withdrawals.lost l WHERE l.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has shown that withdrawal % is lost', NEW.id USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;


-- As before, and only when everything is explained and booked, on a chain that was read to its end since.
CREATE OR REPLACE FUNCTION proofs.check_reconciled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = proofs, pg_temp AS $$
BEGIN
  IF pg_trigger_depth() > 1 AND NEW.closed_at IS NULL THEN RETURN NEW; END IF;
  IF OLD.closed_at IS NOT NULL OR (NEW.restoration, NEW.since) IS DISTINCT FROM (OLD.restoration, OLD.since)
    OR NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
      WHERE a.id = NEW.approval AND a.kind = 'restoration_end' AND a.subject = NEW.restoration::text AND a.status = 'approved'
        AND (a.content::jsonb ->> 'since')::timestamptz = date_trunc('milliseconds', NEW.since)) THEN
    RAISE EXCEPTION 'nobody has reconciled restoration %', NEW.restoration USING ERRCODE = 'RS002';
  END IF;
  IF EXISTS (SELECT FROM withdrawals.unexplained) OR withdrawals.unread_chains() <> '{}' THEN
    RAISE EXCEPTION 'the chain says more than the books: restoration % is not reconciled', NEW.restoration USING ERRCODE = 'RS003';
  END IF;
  RETURN NEW;
END $$;
-- Chains whose end was not read since the restoration. One that was not read for a day before the copy ended is no longer in use.
CREATE FUNCTION withdrawals.unread_chains() RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT coalesce(array_agg(chain ORDER BY chain), '{}') FROM deposits.cursor
  WHERE (updated_at < withdrawals.unreconciled_since() OR scanned < head OR head - combed > 256)
    AND updated_at > (SELECT ends_at - interval '1 day' FROM withdrawals.reconciliation)
$$;

DROP VIEW withdrawals.foreign_newest;
CREATE VIEW withdrawals.foreign_newest AS
  SELECT f.chain, f.wallet, f.nonce, f.hash, f.what FROM withdrawals.foreign_transaction f
  WHERE f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.payout p WHERE p.chain = f.chain AND p.wallet = f.wallet), -1)
    AND f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.sending s WHERE s.chain = f.chain AND s.sender = f.wallet), -1);

REVOKE ALL ON FUNCTION deposits.pass_over_signed, withdrawals.open_withdrawals, withdrawals.left_by_hand, withdrawals.unread_chains FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.left_by_hand, withdrawals.unread_chains TO sathorn_app;
GRANT EXECUTE ON FUNCTION withdrawals.open_withdrawals TO sathorn_app;
GRANT SELECT ON deposits.forgotten, deposits.unsigned_transaction, deposits.swept_before, deposits.hot_income, withdrawals.adoptable, withdrawals.explanation, withdrawals.forgotten, withdrawals.outflow, withdrawals.unexplained TO sathorn_app, sathorn_checker;
GRANT SELECT ON withdrawals.foreign_newest TO sathorn_signer, sathorn_checker;
GRANT INSERT, DELETE ON deposits.forgotten, deposits.unsigned_transaction TO sathorn_app;
GRANT INSERT (what) ON withdrawals.foreign_transaction TO sathorn_app;
GRANT INSERT (customer_id, payee_id, payee_opening), UPDATE (shortfall) ON withdrawals.foreign_transfer TO sathorn_app;
