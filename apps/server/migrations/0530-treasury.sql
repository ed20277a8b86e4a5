-- Most of the money lies in a Safe, a contract that counts the signatures of its owners. A payment of the Safe is a run:
-- lines that people examined, one hash over them, and the signatures of owners. The chain refuses everything else, so
-- these rows decide nothing about the Safe; they say what was shown, who signed, and what became of it.
CREATE SCHEMA treasury;
GRANT USAGE ON SCHEMA treasury TO sathorn_app, sathorn_signer, sathorn_checker;

-- The Safe of a chain. The database's owner writes it.
CREATE TABLE treasury.safe (
  chain text PRIMARY KEY,
  chain_id bigint NOT NULL,
  address text NOT NULL UNIQUE CHECK (address ~ '^0x[0-9a-f]{40}$'),
  multi_send text NOT NULL CHECK (multi_send ~ '^0x[0-9a-f]{40}$'),
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON treasury.safe TO sathorn_app, sathorn_signer, sathorn_checker;

-- Whose key an owner's address is. Without an operator it is a cold owner, an address whose key lies in a vault.
CREATE TABLE treasury.owner (
  chain text NOT NULL REFERENCES treasury.safe,
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  operator bigint REFERENCES operators.operator,
  kind text NOT NULL CHECK (kind IN ('demo', 'passkey', 'cold')),
  -- The passkey's id, in base64url.
  credential text,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (chain, address),
  CHECK ((kind = 'cold') = (operator IS NULL)),
  CHECK ((kind = 'passkey') = (credential IS NOT NULL))
);
CREATE INDEX owner_of_operator ON treasury.owner (operator);
-- The rows only name keys. Which of them count, the chain alone says.
GRANT INSERT (chain, address, operator, kind, credential) ON treasury.owner TO sathorn_app;
GRANT SELECT ON treasury.owner TO sathorn_app, sathorn_signer, sathorn_checker;

-- What the chain says of the Safe and of the other places of money, at one block. The watcher writes it.
CREATE TABLE treasury.state (
  chain text PRIMARY KEY REFERENCES treasury.safe,
  height bigint NOT NULL,
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  at timestamptz NOT NULL,
  -- Units of 10^-6 USDT.
  safe numeric(78, 0) NOT NULL CHECK (safe >= 0),
  hot numeric(78, 0) NOT NULL CHECK (hot >= 0),
  addresses numeric(78, 0) NOT NULL CHECK (addresses >= 0),
  version text NOT NULL,
  owners text[] NOT NULL,
  threshold integer NOT NULL,
  nonce bigint NOT NULL,
  modules text[] NOT NULL,
  -- Null without one.
  guard text
);
GRANT SELECT ON treasury.state TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT INSERT (chain, height, block_hash, at, safe, hot, addresses, version, owners, threshold, nonce, modules, guard),
  UPDATE (height, block_hash, at, safe, hot, addresses, version, owners, threshold, nonce, modules, guard)
  ON treasury.state TO sathorn_app;

-- A transaction of the Safe that people sign. Once enough have signed, it stays valid on the chain until its nonce is
-- used, so it can't be withdrawn any more.
CREATE TABLE treasury.run (
  id uuid PRIMARY KEY,
  chain text NOT NULL REFERENCES treasury.safe,
  -- The Safe's nonce.
  nonce bigint NOT NULL CHECK (nonce >= 0),
  -- The hash that the owners sign (EIP-712).
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  -- A payment calls `MultiSendCallOnly`, and a change of owners the Safe itself.
  kind text NOT NULL CHECK (kind IN ('payment', 'owners')),
  -- The data of the call.
  data text NOT NULL CHECK (data ~ '^0x([0-9a-f]{2})+$'),
  opened_by bigint NOT NULL REFERENCES operators.operator,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lapses_at timestamptz NOT NULL,
  -- `refused`: the chain refused it, and it may still succeed. `superseded`: another transaction used its nonce.
  step text NOT NULL DEFAULT 'open'
    CHECK (step IN ('open', 'signed', 'sending', 'done', 'withdrawn', 'lapsed', 'refused', 'superseded')),
  ended_at timestamptz,
  CHECK (lapses_at > opened_at AND lapses_at <= opened_at + interval '72 hours'),
  CHECK ((ended_at IS NULL) = (step IN ('open', 'signed', 'sending')))
);
-- One at a time, because the Safe's nonce is used by one.
CREATE UNIQUE INDEX run_at_work ON treasury.run (chain) WHERE step IN ('open', 'signed', 'sending');
CREATE INDEX run_newest ON treasury.run (opened_at DESC);
GRANT SELECT ON treasury.run TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT INSERT (id, chain, nonce, hash, kind, data, opened_by, lapses_at), UPDATE (step, ended_at) ON treasury.run TO sathorn_app;

-- A payment of a run: a customer's withdrawal, or a top-up of the hot wallet.
CREATE TABLE treasury.line (
  run uuid NOT NULL REFERENCES treasury.run,
  place smallint NOT NULL CHECK (place BETWEEN 0 AND 99),
  withdrawal_id uuid REFERENCES withdrawals.withdrawal,
  receiver text NOT NULL CHECK (receiver ~ '^0x[0-9a-f]{40}$'),
  units bigint NOT NULL CHECK (units > 0),
  PRIMARY KEY (run, place),
  UNIQUE (run, withdrawal_id),
  -- Two equal payments of one transaction could not be told apart.
  UNIQUE (run, receiver, units)
);
CREATE INDEX line_of_withdrawal ON treasury.line (withdrawal_id) WHERE withdrawal_id IS NOT NULL;
GRANT SELECT ON treasury.line TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT INSERT (run, place, withdrawal_id, receiver, units) ON treasury.line TO sathorn_app;

-- An owner's signature under a run: what the passkey answered. The challenge is the run's hash.
CREATE TABLE treasury.signature (
  run uuid NOT NULL REFERENCES treasury.run,
  owner text NOT NULL,
  operator bigint NOT NULL REFERENCES operators.operator,
  -- As the owner's contract reads it.
  signature text NOT NULL CHECK (signature ~ '^0x([0-9a-f]{2})+$'),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run, owner),
  UNIQUE (run, operator)
);
GRANT SELECT ON treasury.signature TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT INSERT (run, owner, operator, signature) ON treasury.signature TO sathorn_app;

-- True if the treasury pays this withdrawal: people must agree to it, its chain has a Safe, and it is not paid inside
-- the ledger.
CREATE FUNCTION treasury.pays(_chain text, _people integer, _receiver bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
  SELECT _people > 0 AND _receiver IS NULL AND EXISTS (SELECT FROM safe WHERE chain = _chain)
$$;

-- How many people must approve a withdrawal before it is paid. One examines what the treasury pays; the owners' signatures
-- stand for the others.
CREATE FUNCTION treasury.examiners_of(_chain text, _people integer, _receiver bigint) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
  SELECT CASE WHEN treasury.pays(_chain, _people, _receiver) THEN 1 ELSE _people END
$$;

-- True while a run that can still be executed contains this withdrawal.
CREATE FUNCTION withdrawals.is_in_run(_withdrawal uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT EXISTS (SELECT FROM treasury.line l JOIN treasury.run r ON r.id = l.run
    WHERE l.withdrawal_id = _withdrawal AND r.step IN ('open', 'signed', 'sending', 'refused'))
$$;

-- Withdrawals that may be lines of a new run.
CREATE VIEW treasury.payable AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.approval, w.customer_id, w.created_at
  FROM withdrawals.withdrawal w
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND treasury.pays(w.chain, w.people, w.receiver)
    AND EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = w.hold AND t.kind = 'p' AND t.code = 54
      AND t.units = w.amount - w.fee)
    AND NOT chain.is_house(w.chain, w.address)
    AND NOT EXISTS (SELECT FROM withdrawals.outflow o WHERE o.chain = w.chain AND o.receiver = w.address
      AND o.amount = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id)
    AND NOT EXISTS (SELECT FROM treasury.line l JOIN treasury.run r ON r.id = l.run WHERE l.withdrawal_id = w.id
      AND r.step IN ('open', 'signed', 'sending', 'done'));
GRANT SELECT ON treasury.payable TO sathorn_app, sathorn_signer, sathorn_checker;

-- A run begins open; the chain decides about everything else.
CREATE FUNCTION treasury.check_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- A refused run with the same nonce can still be executed instead of this one, which is refused then.
    IF NEW.nonce IS DISTINCT FROM (SELECT nonce FROM state WHERE chain = NEW.chain) THEN
      RAISE EXCEPTION 'nonce % is not the next of the Safe on %', NEW.nonce, NEW.chain USING ERRCODE = 'TR001';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT (OLD.step, NEW.step) IN (('open', 'signed'), ('open', 'withdrawn'), ('open', 'lapsed'), ('open', 'superseded'),
    ('signed', 'sending'), ('signed', 'superseded'), ('sending', 'done'), ('sending', 'refused'), ('refused', 'superseded')) THEN
    RAISE EXCEPTION 'a run can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'TR002';
  END IF;
  IF NEW.step = 'signed' AND (SELECT count(*) FROM signature WHERE run = NEW.id) < (SELECT threshold FROM state WHERE chain = NEW.chain)
    OR NEW.step = 'lapsed' AND NEW.lapses_at > clock_timestamp()
    OR NEW.step = 'superseded' AND (SELECT nonce FROM state WHERE chain = NEW.chain) <= NEW.nonce THEN
    RAISE EXCEPTION 'run % is not %', NEW.id, NEW.step USING ERRCODE = 'TR002';
  END IF;
  IF NEW.step IN ('sending', 'done', 'refused') AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.run = NEW.id
    AND s.step = CASE NEW.step WHEN 'sending' THEN 'sending' WHEN 'done' THEN 'done' ELSE 'failed' END) THEN
    RAISE EXCEPTION 'run % was not sent', NEW.id USING ERRCODE = 'TR002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_run BEFORE INSERT OR UPDATE ON treasury.run FOR EACH ROW EXECUTE FUNCTION treasury.check_run();

-- A line is exactly what its withdrawal says, or goes to the hot wallet.
CREATE FUNCTION treasury.check_line() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
DECLARE
  of_chain CONSTANT text := (SELECT chain FROM run WHERE id = NEW.run AND step = 'open' AND kind = 'payment');
BEGIN
  IF of_chain IS NULL OR EXISTS (SELECT FROM signature WHERE run = NEW.run) THEN
    RAISE EXCEPTION 'run % takes no more lines', NEW.run USING ERRCODE = 'TR003';
  END IF;
  IF NEW.withdrawal_id IS NULL THEN
    IF NEW.receiver = (SELECT address FROM safe WHERE chain = of_chain)
      OR NOT EXISTS (SELECT FROM chain.house_address WHERE chain = of_chain AND address = NEW.receiver AND role = 'wallet') THEN
      RAISE EXCEPTION '% is not the hot wallet', NEW.receiver USING ERRCODE = 'TR003';
    END IF;
  ELSE
    PERFORM FROM withdrawals.withdrawal WHERE id = NEW.withdrawal_id FOR UPDATE;
    IF NOT EXISTS (SELECT FROM payable WHERE id = NEW.withdrawal_id AND chain = of_chain AND address = NEW.receiver AND units = NEW.units) THEN
      RAISE EXCEPTION 'withdrawal % is not to be paid so', NEW.withdrawal_id USING ERRCODE = 'TR003';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_line BEFORE INSERT ON treasury.line FOR EACH ROW EXECUTE FUNCTION treasury.check_line();

-- An owner signs once, and nobody signs a line that he examined.
CREATE FUNCTION treasury.check_signature() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
DECLARE
  signed run;
BEGIN
  SELECT * INTO signed FROM run WHERE id = NEW.run FOR UPDATE;
  IF signed.step IS DISTINCT FROM 'open' OR signed.lapses_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'run % takes no signature', NEW.run USING ERRCODE = 'TR004';
  END IF;
  IF NOT EXISTS (SELECT FROM owner o JOIN operators.operator p ON p.id = o.operator AND p.removed_at IS NULL
    WHERE o.chain = signed.chain AND o.address = NEW.owner AND o.operator = NEW.operator) THEN
    RAISE EXCEPTION '% is not an owner of operator %', NEW.owner, NEW.operator USING ERRCODE = 'TR004';
  END IF;
  IF EXISTS (SELECT FROM line l JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id JOIN operators.vote v ON v.approval = w.approval
    WHERE l.run = NEW.run AND v.operator = NEW.operator AND v.decision = 'approve') THEN
    RAISE EXCEPTION 'operator % examined a line of run %', NEW.operator, NEW.run USING ERRCODE = 'TR004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_signature BEFORE INSERT ON treasury.signature FOR EACH ROW EXECUTE FUNCTION treasury.check_signature();

CREATE FUNCTION treasury.count_signatures() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  UPDATE run SET step = 'signed' WHERE id = NEW.run
    AND (SELECT count(*) FROM signature WHERE run = NEW.run) >= (SELECT s.threshold FROM state s WHERE s.chain = run.chain);
  RETURN NULL;
END $$;
CREATE TRIGGER count_signatures AFTER INSERT ON treasury.signature FOR EACH ROW
  EXECUTE FUNCTION treasury.count_signatures();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['treasury.line', 'treasury.signature', 'treasury.owner'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
  EXECUTE 'CREATE TRIGGER no_delete BEFORE DELETE ON treasury.run FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()';
  FOREACH name IN ARRAY ARRAY['treasury.run', 'treasury.line', 'treasury.signature'] LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
END $$;

-- The signer sends a run with a nonce of the hot wallet, like gas.
ALTER TABLE withdrawals.sending ADD COLUMN run uuid REFERENCES treasury.run;
ALTER TABLE withdrawals.sending DROP CONSTRAINT sending_kind_check, DROP CONSTRAINT sending_units_check;
ALTER TABLE withdrawals.sending
  ADD CONSTRAINT sending_kind_check CHECK (kind IN ('gas', 'sweep', 'return', 'run', 'surplus')),
  ADD CONSTRAINT sending_units_check CHECK (units > 0 OR kind = 'run' AND units = 0),
  ADD CONSTRAINT of_run CHECK ((kind = 'run') = (run IS NOT NULL) AND (kind <> 'run' OR token IS NULL));
CREATE UNIQUE INDEX sending_of_run ON withdrawals.sending (run) WHERE run IS NOT NULL;
GRANT INSERT (run) ON withdrawals.sending TO sathorn_signer;

CREATE OR REPLACE VIEW withdrawals.sending_open AS
  SELECT s.id, s.chain, s.kind, s.sender, s.receiver, s.nonce, s.token, s.units, a.index, s.at, s.run
  FROM withdrawals.sending s LEFT JOIN chain.address a ON a.chain = s.chain AND a.address = s.sender
    WHERE s.step = 'sending';

-- With the nonce, all withdrawals of the run are taken out of `approved`.
CREATE FUNCTION treasury.begin_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  UPDATE run SET step = 'sending' WHERE id = NEW.run AND step = 'signed' AND chain = NEW.chain
    AND NEW.receiver = (SELECT address FROM safe WHERE chain = NEW.chain);
  IF NOT FOUND THEN RAISE EXCEPTION 'run % is not to be sent', NEW.run USING ERRCODE = 'TR005'; END IF;
  UPDATE withdrawals.withdrawal w SET step = 'sending', sent_at = clock_timestamp(), version = version + 1
    FROM line l WHERE l.run = NEW.run AND w.id = l.withdrawal_id AND w.step = 'approved';
  IF EXISTS (SELECT FROM line l JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id WHERE l.run = NEW.run AND w.step <> 'sending') THEN
    RAISE EXCEPTION 'a line of run % is not to be paid', NEW.run USING ERRCODE = 'TR005';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER begin_run AFTER INSERT ON withdrawals.sending FOR EACH ROW WHEN (NEW.kind = 'run')
  EXECUTE FUNCTION treasury.begin_run();

-- A refused run gives its withdrawals back to a next one.
CREATE FUNCTION treasury.end_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
BEGIN
  UPDATE run SET step = CASE NEW.step WHEN 'done' THEN 'done' ELSE 'refused' END, ended_at = NEW.finished_at
    WHERE id = NEW.run AND step = 'sending';
  IF NEW.step = 'failed' THEN
    UPDATE withdrawals.withdrawal w SET step = 'approved', hash = NULL, block_height = NULL, block_hash = NULL, version = version + 1
      FROM line l WHERE l.run = NEW.run AND w.id = l.withdrawal_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER end_run AFTER UPDATE ON withdrawals.sending FOR EACH ROW WHEN (NEW.kind = 'run' AND NEW.step <> OLD.step)
  EXECUTE FUNCTION treasury.end_run();

-- Only an address's own transactions are one at a time; the wallet sends runs beside payouts. What the wallet holds above
-- its ceiling goes to the Safe.
CREATE OR REPLACE FUNCTION withdrawals.begin_sending() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  IF NEW.kind IN ('gas', 'run', 'surplus') THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
    IF NEW.kind = 'gas' AND (NOT EXISTS (SELECT FROM chain.address WHERE chain = NEW.chain AND address = NEW.receiver)
      OR EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND kind = 'gas' AND receiver = NEW.receiver AND step = 'sending')) THEN
      RAISE EXCEPTION 'no gas is to be sent to %', NEW.receiver USING ERRCODE = 'WD007';
    END IF;
    IF NEW.kind = 'surplus' AND (NEW.token IS NULL OR NEW.receiver IS DISTINCT FROM (SELECT address FROM treasury.safe WHERE chain = NEW.chain)
      OR EXISTS (SELECT FROM withdrawals.sending WHERE chain = NEW.chain AND kind = 'surplus' AND step = 'sending')) THEN
      RAISE EXCEPTION 'no surplus is to be sent to %', NEW.receiver USING ERRCODE = 'WD007';
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

-- Every transaction with which a withdrawal was sent: its own, or that of its run.
CREATE VIEW withdrawals.sent AS
  SELECT o.withdrawal_id, p.nonce, o.hash, o.attempt, o.is_empty, o.at, false AS is_run FROM withdrawals.outbox o
    JOIN withdrawals.payout p USING (withdrawal_id)
  UNION ALL
  SELECT l.withdrawal_id, s.nonce, a.hash, a.attempt, false, a.at, true FROM treasury.line l
    JOIN withdrawals.sending s ON s.run = l.run AND s.step <> 'failed'
    JOIN withdrawals.sending_attempt a ON a.sending_id = s.id
  WHERE l.withdrawal_id IS NOT NULL;
GRANT SELECT ON withdrawals.sent TO sathorn_app, sathorn_checker;

-- What people see of runs: with the transaction that a block contains, or the newest that was sent.
CREATE VIEW treasury.run_shown AS
  SELECT r.*, coalesce(s.hash, (SELECT a.hash FROM withdrawals.sending_attempt a WHERE a.sending_id = s.id
    ORDER BY a.attempt DESC LIMIT 1)) AS transaction
  FROM treasury.run r LEFT JOIN withdrawals.sending s ON s.run = r.id;
GRANT SELECT ON treasury.run_shown TO sathorn_app, sathorn_checker;

-- What people see of owners. An operator who has left still signs, as long as the chain counts the key.
CREATE VIEW treasury.owner_shown AS
  SELECT o.*, p.removed_at IS NOT NULL AS has_left FROM treasury.owner o LEFT JOIN operators.operator p ON p.id = o.operator;
GRANT SELECT ON treasury.owner_shown TO sathorn_app, sathorn_checker;

-- What people see of the withdrawal behind a line: who examined it, whether its address was ever paid, and an address that
-- was paid and begins and ends like it.
CREATE VIEW treasury.examined AS
  SELECT w.id, w.order_number, w.customer_id,
    ARRAY(SELECT DISTINCT v.operator::text FROM operators.vote v WHERE v.approval = w.approval AND v.decision = 'approve')
      AS examined_by,
    NOT EXISTS (SELECT FROM withdrawals.withdrawal e WHERE e.chain = w.chain AND e.address = w.address AND e.step = 'done')
      AS is_first,
    (SELECT e.address FROM withdrawals.withdrawal e WHERE e.chain = w.chain AND e.step = 'done' AND e.address <> w.address
      AND left(e.address, 6) = left(w.address, 6) AND right(e.address, 4) = right(w.address, 4) LIMIT 1) AS looks_like
  FROM withdrawals.withdrawal w WHERE w.kind = 'crypto';
GRANT SELECT ON treasury.examined TO sathorn_app, sathorn_checker;

-- Runs as the signer sends them.
CREATE VIEW withdrawals.signed_run AS
  SELECT r.id, r.chain, r.step, r.nonce, r.hash, r.kind, r.data, r.opened_at,
    (SELECT coalesce(jsonb_agg(jsonb_build_array(l.withdrawal_id, l.receiver, l.units::text) ORDER BY l.place), '[]')
      FROM treasury.line l WHERE l.run = r.id) AS lines,
    (SELECT jsonb_agg(jsonb_build_object('owner', s.owner, 'signature', s.signature)) FROM treasury.signature s
      WHERE s.run = r.id) AS signatures
  FROM treasury.run r WHERE r.step IN ('signed', 'sending');
GRANT SELECT ON withdrawals.signed_run TO sathorn_signer, sathorn_checker;

-- The database's owner names the demo's owners by their operators' work names.
CREATE FUNCTION treasury.declare_demo_owner(_chain text, _address text, _work_name text) RETURNS void
LANGUAGE sql SET search_path = treasury, pg_temp AS $$
  INSERT INTO treasury.owner (chain, address, operator, kind)
    SELECT _chain, _address, o.id, 'demo' FROM operators.operator o WHERE o.work_name = _work_name ON CONFLICT DO NOTHING
$$;

-- True if this transfer is a line of the run that its transaction carries.
CREATE FUNCTION treasury.is_line(_hash text, _receiver text, _units numeric) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
  SELECT EXISTS (SELECT FROM withdrawals.sending_attempt a JOIN withdrawals.sending s ON s.id = a.sending_id
    JOIN line l ON l.run = s.run WHERE a.hash = _hash AND l.receiver = _receiver AND l.units = _units)
$$;

CREATE OR REPLACE VIEW withdrawals.outflow AS
  SELECT h.chain, h.hash, h.output, h.sender, h.receiver, h.amount, h.block_height FROM deposits.hot_transfer h
  WHERE h.direction = 'out' AND NOT EXISTS (SELECT FROM withdrawals.outbox o WHERE o.hash = h.hash)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.chain = h.chain AND f.hash = h.hash
      AND f.output = h.output)
    AND NOT treasury.is_line(h.hash, h.receiver, h.amount);

-- The signer's own key never pays what the treasury pays.
CREATE OR REPLACE VIEW withdrawals.payable AS
  SELECT w.id, w.chain, w.address, w.amount - w.fee AS units, w.created_at
  FROM withdrawals.withdrawal w
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL AND NOT treasury.pays(w.chain, w.people, w.receiver)
    AND EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = w.hold AND t.kind = 'p' AND t.code = 54
      AND t.units = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.outflow o WHERE o.chain = w.chain AND o.receiver = w.address
      AND o.amount = w.amount - w.fee)
    AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id);

CREATE OR REPLACE VIEW withdrawals.unsigned AS
  SELECT w.id, t.at AS since FROM withdrawals.withdrawal w JOIN ledger.transfer t ON t.resolves = w.hold
    AND t.kind = 'p'
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL AND NOT treasury.pays(w.chain, w.people, w.receiver);

CREATE OR REPLACE FUNCTION withdrawals.left_by_hand(_chain text, _hash text) RETURNS TABLE (output integer, receiver text,
  units bigint, is_house boolean, withdrawals uuid[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT h.output, h.receiver, h.amount, h.receiver <> h.sender AND chain.is_kept(h.receiver), open_withdrawals(h.chain, h.hash, h.receiver, h.amount)
  FROM deposits.hot_transfer h
  WHERE h.chain = _chain AND h.hash = _hash AND h.direction = 'out'
    AND NOT EXISTS (SELECT FROM foreign_transfer f WHERE f.chain = h.chain AND f.hash = h.hash AND f.output = h.output)
    AND NOT EXISTS (SELECT FROM outbox o JOIN withdrawal w ON w.id = o.withdrawal_id
      WHERE o.hash = h.hash AND w.address = h.receiver AND w.amount - w.fee = h.amount)
    AND NOT treasury.is_line(h.hash, h.receiver, h.amount)
  ORDER BY h.output
$$;

INSERT INTO withdrawals.move VALUES ('sending', 'approved'), ('sent_unknown', 'approved'), ('confirming', 'approved');
CREATE OR REPLACE FUNCTION withdrawals.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
DECLARE
  examiners CONSTANT integer := treasury.examiners_of(NEW.chain, NEW.people, NEW.receiver);
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
      AND a.need >= examiners AND (SELECT count(DISTINCT v.operator) FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve') >= examiners
  ) THEN
    RAISE EXCEPTION 'nobody, or too few people, approved withdrawal %', NEW.id USING ERRCODE = 'WD003';
  END IF;
  -- Only a run that the chain refused gives its withdrawals back.
  IF NEW.step = 'approved' AND OLD.step IN ('sending', 'sent_unknown', 'confirming') AND NOT EXISTS (
    SELECT FROM treasury.line l JOIN treasury.run r ON r.id = l.run WHERE l.withdrawal_id = NEW.id AND r.step = 'refused')
    OR NEW.step = 'approved' AND EXISTS (SELECT FROM treasury.line l JOIN treasury.run r ON r.id = l.run WHERE l.withdrawal_id = NEW.id AND r.step IN ('sending', 'done')) THEN
    RAISE EXCEPTION 'withdrawal % is on its way', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF OLD.step = 'delayed' AND NEW.step <> 'returned' AND OLD.delayed_until > clock_timestamp() AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'withdrawal % is delayed', NEW.id USING ERRCODE = 'WD003';
  END IF;
  -- Whoever has a run's signatures can send it, so its withdrawals are not given back while the chain would take it.
  IF NEW.step = 'returned' AND withdrawals.is_in_run(NEW.id) THEN
    RAISE EXCEPTION 'withdrawal % is in a payment run', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF NEW.step = 'returned' AND OLD.step = 'approved' AND NOT withdrawals.is_given_back(NEW.id) THEN
    RAISE EXCEPTION 'nobody decided to give withdrawal % back', NEW.id USING ERRCODE = 'WD003';
  END IF;
  -- A signed transaction can still get into a block until another one with its nonce is final.
  IF NEW.step = 'returned' AND OLD.step IN ('sending', 'sent_unknown') AND NEW.kind = 'crypto' AND NOT EXISTS (SELECT FROM withdrawals.lost l WHERE l.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has shown that withdrawal % is lost', NEW.id USING ERRCODE = 'WD003';
  END IF;
  -- A transaction that the chain refused moved nothing. One of ours that did has paid the receiver.
  IF NEW.step = 'returned' AND EXISTS (SELECT FROM withdrawals.sent o JOIN deposits.hot_transfer h ON h.hash = o.hash AND h.direction = 'out' AND h.receiver = NEW.address WHERE o.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'withdrawal % has left the wallet', NEW.id USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA treasury FROM PUBLIC;
REVOKE ALL ON FUNCTION withdrawals.is_in_run FROM PUBLIC;
GRANT EXECUTE ON FUNCTION treasury.pays, treasury.examiners_of TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT EXECUTE ON FUNCTION withdrawals.is_in_run TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION treasury.is_line TO sathorn_app, sathorn_checker, sathorn_signer;
