-- Whoever holds the application's login alone must not be able to pay a stranger. The database holds every rule of a withdrawal when it is inserted, by
-- its own clock and its own rows; the application only proposes.

-- Which day a withdrawal counts for. The owner adds a row when a brand's time zone changes.
CREATE TABLE withdrawals.calendar (
  effective_from timestamptz PRIMARY KEY,
  time_zone text NOT NULL,
  -- The first row says since when every withdrawal has an authorisation.
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO withdrawals.calendar (effective_from, time_zone) VALUES ('-infinity', 'Asia/Bangkok');
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON withdrawals.calendar FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.calendar FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change();

-- When the database itself first saw a payee. `added_at` is what the application says; the 24 hours count from here.
ALTER TABLE payees.payee ADD COLUMN stored_at timestamptz;
UPDATE payees.payee SET stored_at = added_at;
ALTER TABLE payees.payee ALTER COLUMN stored_at SET NOT NULL;
-- Commits to a wallet's chain and address without showing them: the SHA-256 of a key of this payee, the chain and the address. A withdrawal brings the key,
-- so the database can tell that its address is the one that was saved.
ALTER TABLE payees.payee ADD COLUMN commitment bytea CHECK (length(commitment) = 32);

CREATE FUNCTION payees.commitment_of(_opening bytea, _chain text, _address text) RETURNS bytea
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT sha256(_opening || convert_to(_chain || ' ' || _address, 'UTF8'))
$$;

CREATE FUNCTION payees.check_payee() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = payees, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.removed_at IS NOT NULL AND NEW.removed_at IS DISTINCT FROM OLD.removed_at THEN
      RAISE EXCEPTION 'a removed payee stays removed' USING ERRCODE = 'PY001';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.kind = 'wallet') <> (NEW.commitment IS NOT NULL) THEN
    RAISE EXCEPTION 'a wallet commits to its address' USING ERRCODE = 'PY001';
  END IF;
  NEW.stored_at := clock_timestamp();
  -- A demo's customers begin with a month-old wallet and card: the first of each, and only in a demo.
  IF NEW.added_at < NEW.stored_at AND ((SELECT virtual_clock FROM market.guard)
    OR ((SELECT mode FROM ledger.deployment) = 'demo' AND NOT EXISTS (SELECT FROM payee WHERE owner = NEW.owner AND kind = NEW.kind))) THEN
    NEW.stored_at := NEW.added_at;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_payee BEFORE INSERT OR UPDATE OF removed_at ON payees.payee FOR EACH ROW EXECUTE FUNCTION payees.check_payee();

-- Wallets from before get theirs once, at the first start.
CREATE FUNCTION payees.commit_address(_id text, _commitment bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = payees, pg_temp AS $$
  UPDATE payee SET commitment = _commitment WHERE id = _id AND kind = 'wallet' AND commitment IS NULL
$$;
REVOKE ALL ON FUNCTION payees.commitment_of, payees.check_payee, payees.commit_address FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payees.commit_address TO sathorn_app;
REVOKE INSERT ON payees.payee FROM sathorn_app;
GRANT INSERT (id, owner, kind, place, name, sealed, digest, commitment, added_at) ON payees.payee TO sathorn_app;

ALTER TABLE withdrawals.withdrawal ADD COLUMN payee_opening bytea CHECK (length(payee_opening) = 32);

-- The highest sum that a customer may withdraw in a day, by certification and the terms in force. The VIP level follows from deposits and isn't stored, so the
-- highest one counts here; the application and the checker hold the exact one.
CREATE FUNCTION withdrawals.daily_max(_customer bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  limits CONSTANT jsonb := (SELECT fields::jsonb FROM offer.version WHERE kind = 'withdrawal' AND subject = 'all' AND applied_at IS NOT NULL ORDER BY version DESC LIMIT 1);
  levels CONSTANT jsonb := (SELECT fields::jsonb FROM offer.version WHERE kind = 'level' AND subject = 'vip' AND applied_at IS NOT NULL ORDER BY version DESC LIMIT 1);
  certified CONSTANT text := (SELECT min(level) FROM certifications.application WHERE customer = _customer AND state = 'verified');
  whole numeric;
BEGIN
  -- 'advanced' comes before 'primary'. The first version's terms count until others are stored.
  whole := CASE
    WHEN certified IS NULL THEN coalesce((limits ->> 'daily_none')::numeric, 1000)
    WHEN certified = 'primary' THEN coalesce((limits ->> 'daily_primary')::numeric, 10000)
    ELSE greatest(coalesce((limits ->> 'daily_advanced')::numeric, 50000),
      coalesce((SELECT max((level ->> 'daily_max')::numeric) FROM jsonb_array_elements(levels -> 'levels') AS level), 500000)) END;
  RETURN (whole * 1000000)::bigint;
END $$;

-- How many people a day's sum demands. `peopleFor` in packages/settlement says the same; a test compares both.
CREATE FUNCTION withdrawals.people_for(_units bigint, _one_person_from bigint, _two_people_from bigint) RETURNS integer
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE WHEN _units >= _two_people_from THEN 2 WHEN _units >= _one_person_from THEN 1 ELSE 0 END
$$;

-- Why a withdrawal may not be inserted; null if it may. Times have a tolerance, because the application decided by its own clock a moment ago.
CREATE FUNCTION withdrawals.fault_of(_row withdrawals.withdrawal) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  is_virtual CONSTANT boolean := (SELECT virtual_clock FROM market.guard);
  now_at CONSTANT timestamptz := CASE WHEN is_virtual THEN _row.created_at ELSE clock_timestamp() END;
  zone CONSTANT text := (SELECT time_zone FROM calendar WHERE effective_from <= _row.created_at ORDER BY effective_from DESC LIMIT 1);
  threshold withdrawals.threshold;
  payee payees.payee;
  quote withdrawals.quote;
  day_sum bigint;
  free_from timestamptz;
BEGIN
  IF abs(extract(epoch FROM _row.created_at - now_at)) > 120 THEN RETURN 'it is of another time'; END IF;
  IF _row.step <> (CASE WHEN _row.delayed_until IS NULL THEN 'first_check' ELSE 'delayed' END) THEN RETURN 'it does not begin unchecked'; END IF;

  SELECT * INTO payee FROM payees.payee p WHERE p.id = _row.payee_id AND p.owner = _row.customer_id AND p.removed_at IS NULL;
  IF payee.id IS NULL OR (payee.kind = 'wallet') <> (_row.kind = 'crypto') THEN RETURN 'its payee is not saved'; END IF;
  IF _row.kind = 'crypto' AND (payee.commitment = payees.commitment_of(_row.payee_opening, _row.chain, _row.address)) IS NOT TRUE THEN
    RETURN 'its address is not the one that was saved';
  END IF;
  IF _row.kind = 'crypto' AND _row.receiver IS DISTINCT FROM (SELECT a.customer_id FROM chain.address a WHERE a.chain = _row.chain AND a.address = _row.address) THEN
    RETURN 'its address is another customer’s, or is not';
  END IF;

  free_from := greatest(payee.stored_at, customers.credentials_changed_at(_row.customer_id)) + interval '24 hours';
  IF free_from > now_at + interval '1 minute' AND (_row.delayed_until >= free_from - interval '1 minute') IS NOT TRUE THEN
    RETURN 'it must wait until ' || free_from;
  END IF;
  IF customers.is_frozen(_row.customer_id, 'withdrawals') OR customers.is_frozen(_row.customer_id, 'trading') THEN RETURN 'the customer is frozen'; END IF;

  IF _row.quote IS NOT NULL THEN
    SELECT * INTO quote FROM withdrawals.quote q WHERE q.id = _row.quote;
    IF (quote.customer_id, quote.channel, quote.payee_id, quote.amount, quote.fee, quote.rate, quote.baht)
      IS DISTINCT FROM (_row.customer_id, _row.channel, _row.payee_id, _row.amount, _row.fee, _row.rate, _row.baht) THEN
      RETURN 'its quote is of something else';
    END IF;
    IF quote.valid_until < now_at - interval '1 minute' THEN RETURN 'its quote has expired'; END IF;
  END IF;

  IF NOT EXISTS (SELECT FROM ledger.transfer t JOIN ledger.account a ON a.id = t.debit
    WHERE t.sequence = _row.hold AND t.kind = 'h' AND t.code = 54 AND t.units = _row.amount - _row.fee AND t.journal = _row.id AND a.owner = _row.customer_id) THEN
    RETURN 'its hold is not of this customer and amount';
  END IF;

  SELECT * INTO threshold FROM withdrawals.threshold WHERE effective_from <= clock_timestamp() ORDER BY effective_from DESC, id DESC LIMIT 1;
  SELECT _row.amount + coalesce(sum(w.amount), 0) INTO day_sum FROM withdrawals.withdrawal w
  WHERE w.customer_id = _row.customer_id AND w.step <> 'returned' AND w.created_at >= date_trunc('day', _row.created_at AT TIME ZONE zone) AT TIME ZONE zone;
  IF _row.people < people_for(day_sum, threshold.one_person_from, threshold.two_people_from) THEN
    RETURN format('a day’s sum of %s needs more people than %s', day_sum, _row.people);
  END IF;
  IF day_sum > daily_max(_row.customer_id) THEN RETURN format('a day’s sum of %s is above the limit', day_sum); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION withdrawals.check_request() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  fault text;
BEGIN
  -- One after the other for each customer: the sum of the day must see those that are being inserted.
  PERFORM pg_advisory_xact_lock(hashtextextended('withdrawals of ' || NEW.customer_id, 0));
  fault := fault_of(NEW);
  IF fault IS NOT NULL THEN RAISE EXCEPTION 'withdrawal % is refused: %', NEW.id, fault USING ERRCODE = 'WD001'; END IF;
  RETURN NEW;
END $$;

-- What the edge signed right after it had checked digits and second factor, with a key that the database's logins don't have.
CREATE TABLE withdrawals.authorisation (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.withdrawal,
  body text NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64),
  key text NOT NULL CHECK (key ~ '^[0-9a-f]{16}$'),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON withdrawals.authorisation FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.authorisation FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change();

-- What the signer checks for itself before it signs anything for a payout: the row, its authorisation, and the transfer that took its hold.
CREATE VIEW withdrawals.promised AS
  SELECT w.id, w.customer_id, w.channel, w.chain, w.address, w.payee_id, w.amount, w.fee, w.quote, w.people, w.created_at, t.sequence AS taken,
    a.body, encode(a.signature, 'hex') AS signature, a.key
  FROM withdrawals.withdrawal w
  JOIN ledger.transfer t ON t.resolves = w.hold AND t.kind = 'p'
  LEFT JOIN withdrawals.authorisation a ON a.withdrawal_id = w.id
  WHERE w.kind = 'crypto' AND w.receiver IS NULL AND w.step IN ('approved', 'sending', 'sent_unknown', 'confirming');

-- Who has agreed to a payout or to a return. Whoever proposed a return is one of its two people.
CREATE VIEW withdrawals.agreed AS
  SELECT a.subject, a.kind, a.content, v.operator FROM operators.approval a JOIN operators.vote v ON v.approval = a.id
  WHERE a.kind IN ('withdrawal', 'payout_release', 'deposit_recovery') AND a.status = 'approved' AND v.decision = 'approve'
  UNION
  SELECT a.subject, a.kind, a.content, a.made_by FROM operators.approval a WHERE a.kind = 'deposit_recovery' AND a.status = 'approved' AND a.made_by IS NOT NULL;

-- What the signer waits for before it pays, for people to see. It decides nothing.
CREATE TABLE withdrawals.waiting (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals.withdrawal,
  waits_for text NOT NULL CHECK (waits_for IN ('checker', 'finding', 'budget', 'votes', 'authorisation')),
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);

GRANT SELECT ON withdrawals.calendar, withdrawals.authorisation, withdrawals.waiting TO sathorn_app, sathorn_checker;
GRANT INSERT (payee_opening) ON withdrawals.withdrawal TO sathorn_app;
GRANT INSERT (withdrawal_id, body, signature, key) ON withdrawals.authorisation TO sathorn_app;
GRANT INSERT (withdrawal_id, waits_for), UPDATE (waits_for, since), DELETE ON withdrawals.waiting TO sathorn_app;
GRANT SELECT ON withdrawals.promised, withdrawals.agreed TO sathorn_signer, sathorn_checker;
REVOKE ALL ON FUNCTION withdrawals.daily_max, withdrawals.people_for, withdrawals.fault_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.people_for TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION payees.commitment_of TO sathorn_checker;
GRANT SELECT (id, owner, kind, digest, commitment, stored_at, removed_at) ON payees.payee TO sathorn_checker;
