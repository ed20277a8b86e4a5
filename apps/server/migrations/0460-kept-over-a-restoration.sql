-- What customers' devices kept of the time that a restoration lost: signed terms and receipts, handed in once each, and the correction that pays
-- what a receipt is worth. One row for a customer and a restoration is the case that people name.
CREATE TABLE corrections.kept_case (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  restoration bigint NOT NULL REFERENCES proofs.restoration,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (customer_id, restoration)
);

-- What a purchase with these signed terms credits when it ends like this. The profit is rounded down, its fee up.
CREATE FUNCTION corrections.credited_by(_terms jsonb, _ended text) RETURNS numeric
LANGUAGE sql IMMUTABLE SET search_path = corrections, pg_temp AS $$
  SELECT CASE _ended WHEN 'won' THEN stake + profit - div(profit * fee + 9999, 10000) WHEN 'lost' THEN 0 WHEN 'tie' THEN stake WHEN 'void' THEN stake END
  FROM (SELECT stake, fee, div(stake * payout, 10000) AS profit
    FROM (SELECT (_terms ->> 'stake')::numeric AS stake, (_terms ->> 'rate_bps')::numeric AS payout, (_terms ->> 'fee_bps')::numeric AS fee) said) won
$$;

-- Terms may come first and their receipt later, so each text is there twice at most.
CREATE TABLE corrections.kept_text (
  -- SHA-256 of the signed bytes of the terms, in hex.
  hash text NOT NULL,
  is_receipt boolean NOT NULL,
  case_id uuid NOT NULL REFERENCES corrections.kept_case,
  customer_id bigint NOT NULL,
  order_id uuid NOT NULL,
  -- The exact text, and all that came with it: signatures, key ids, the path, the ticks.
  terms text NOT NULL CHECK (length(terms) <= 4000),
  signed text NOT NULL CHECK (length(signed) <= 60000),
  key_id text NOT NULL,
  -- The outcome by the receipt's own ticks; null for terms alone.
  ended text CHECK (ended IN ('won', 'lost', 'tie', 'void')),
  credited bigint,
  -- What the books said when it was handed in.
  booked text NOT NULL CHECK (booked IN ('unknown', 'won', 'lost', 'tie', 'void')),
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (hash, is_receipt),
  CHECK (hash = encode(sha256(convert_to((terms::jsonb ->> 'v') || E'\n' || terms, 'UTF8')), 'hex')),
  CHECK ((order_id::text = terms::jsonb ->> 'order') IS TRUE),
  CHECK (num_nonnulls(ended, credited) = CASE WHEN is_receipt THEN 2 ELSE 0 END),
  CHECK (credited IS NOT DISTINCT FROM corrections.credited_by(terms::jsonb, ended))
);
CREATE INDEX kept_text_of_case ON corrections.kept_text (case_id, taken_at);

-- Only what ran while the lost time did: a text of any other time is compared with the books by a dispute.
CREATE FUNCTION corrections.check_kept_text() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM corrections.kept_case c JOIN proofs.restoration r ON r.id = c.restoration
    CROSS JOIN LATERAL (SELECT (NEW.terms::jsonb ->> 'accepted')::bigint AS accepted, (NEW.terms::jsonb ->> 'dur')::bigint AS duration) t
    WHERE c.id = NEW.case_id AND c.customer_id = NEW.customer_id
      AND options.at(t.accepted) < r.restored_at AND options.at(t.accepted + t.duration) > r.ends_at) THEN
    RAISE EXCEPTION 'kept text %: of no restoration', NEW.hash USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_kept_text BEFORE INSERT ON corrections.kept_text FOR EACH ROW EXECUTE FUNCTION corrections.check_kept_text();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON corrections.kept_text FOR EACH ROW EXECUTE FUNCTION market.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON corrections.kept_text FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON corrections.kept_case FOR EACH ROW EXECUTE FUNCTION market.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON corrections.kept_case FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change();

-- What a kept receipt is worth: what it credits, minus what the balance has of that purchase already. Books that lack the purchase still hold its stake.
-- An id can be used again after the restoration, so a purchase is the same only if it was accepted at the same moment. Null while it runs.
CREATE FUNCTION corrections.kept_worth(_hash text) RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT k.credited - CASE WHEN o.id IS NULL THEN (k.terms::jsonb ->> 'stake')::numeric ELSE o.credited END
  FROM corrections.kept_text k
  LEFT JOIN options.orders o ON o.id = k.order_id AND o.customer_id = k.customer_id AND o.accepted_ms = (k.terms::jsonb ->> 'accepted')::bigint
  WHERE k.hash = _hash AND k.is_receipt
$$;

-- A refund names a wrong transfer, a lost deposit or a kept receipt.
ALTER TABLE corrections.correction
  ADD COLUMN kept text,
  DROP CONSTRAINT correction_case_kind_check,
  ADD CONSTRAINT correction_case_kind_check CHECK (case_kind IN ('dispute', 'journal', 'incident', 'deposit', 'kept')),
  DROP CONSTRAINT correction_reason_check,
  ADD CONSTRAINT correction_reason_check CHECK (reason IN ('charged_twice', 'fee_wrong', 'credited_wrongly', 'settlement_fault', 'deposit_lost', 'kept_receipt', 'goodwill', 'reorg')),
  DROP CONSTRAINT correction_check3,
  ADD CONSTRAINT correction_check3 CHECK (kind <> 'refund' OR (house <> 280 AND num_nonnulls(transfer, deposit, kept) = 1)),
  ADD CONSTRAINT correction_kept CHECK ((kept IS NOT NULL) = (reason = 'kept_receipt')
    AND (kept IS NOT NULL) = (case_kind = 'kept') AND (kept IS NULL OR (kind = 'refund' AND asset = 'USDT')));
CREATE UNIQUE INDEX correction_of_kept ON corrections.correction (kept) WHERE kept IS NOT NULL AND step IN ('proposed', 'announced', 'done');

CREATE FUNCTION corrections.check_kept() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM corrections.kept_text k WHERE k.hash = NEW.kept AND k.is_receipt AND k.customer_id = NEW.customer_id AND k.case_id = NEW.case_id) THEN
    RAISE EXCEPTION 'correction %: this customer handed in no such receipt', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF (NEW.units = corrections.kept_worth(NEW.kept)) IS NOT TRUE
    OR EXISTS (SELECT FROM corrections.correction c WHERE c.kept = NEW.kept AND c.id <> NEW.id AND c.step IN ('proposed', 'announced', 'done')) THEN
    RAISE EXCEPTION 'correction %: not what the receipt is worth', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_kept BEFORE INSERT OR UPDATE ON corrections.correction FOR EACH ROW WHEN (NEW.kept IS NOT NULL AND NEW.step IN ('proposed', 'done'))
  EXECUTE FUNCTION corrections.check_kept();

-- As before, with the kept receipt.
CREATE OR REPLACE FUNCTION corrections.is_same(_c corrections.correction, _content jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = corrections, pg_temp AS $$
  SELECT (_content ->> 'customer' = _c.customer_id::text AND _content ->> 'kind' = _c.kind AND _content ->> 'asset' = _c.asset
    AND _content ->> 'units' = _c.units::text AND _content ->> 'house' = _c.house::text AND _content ->> 'transfer' IS NOT DISTINCT FROM _c.transfer::text
    AND _content ->> 'deposit' IS NOT DISTINCT FROM _c.deposit::text AND _content ->> 'kept' IS NOT DISTINCT FROM _c.kept
    AND _content ->> 'reason' = _c.reason AND _content ->> 'words' = _c.words
    AND _content ->> 'case_kind' = _c.case_kind AND _content ->> 'case_id' = _c.case_id::text) IS TRUE
$$;

REVOKE ALL ON FUNCTION corrections.credited_by, corrections.check_kept_text, corrections.kept_worth, corrections.check_kept FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.credited_by, corrections.kept_worth TO sathorn_app;
GRANT SELECT ON corrections.kept_case, corrections.kept_text TO sathorn_app, sathorn_checker;
GRANT INSERT (customer_id, restoration) ON corrections.kept_case TO sathorn_app;
GRANT INSERT (hash, is_receipt, case_id, customer_id, order_id, terms, signed, key_id, ended, credited, booked) ON corrections.kept_text TO sathorn_app;
GRANT INSERT (kept) ON corrections.correction TO sathorn_app;
