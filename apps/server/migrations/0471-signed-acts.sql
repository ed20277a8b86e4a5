-- A match of a bank line and an attested balance make money, and a row in somebody's name was enough. Each now names the confirmation under which the person
-- signed exactly this: whoever can only write rows has no such signature. The database looks for its form, and the checker verifies it.

-- A confirmation that was used for this act, with content whose digest was signed. With `_is_fresh` it was used just now.
CREATE FUNCTION votes.is_act(_step_up uuid, _act text, _subject text, _content text, _operator bigint, _is_fresh boolean) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = votes, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.challenge c JOIN operators.operator o ON o.id = c.operator AND coalesce(o.removed_at > c.used_at, true)
    WHERE c.id = _step_up AND c.purpose = 'decision' AND c.operator = _operator AND c.act = _act AND c.subject = _subject
      AND c.fingerprint = sha256(convert_to(_content, 'UTF8')) AND c.confirmed_at IS NOT NULL AND c.used_at <= c.expires_at
      AND (NOT _is_fresh OR c.used_at > clock_timestamp() - interval '1 minute') AND votes.is_signed(c.vote_key, c.proof, c.operator, c.challenge, c.used_at))
$$;

-- A match: what the matcher confirmed is `[deposit, line, version]`. Where a second person approves, the matcher is who proposed it.
ALTER TABLE deposits.bank_match ADD COLUMN step_up uuid UNIQUE REFERENCES operators.challenge, ADD COLUMN version integer,
  ADD COLUMN is_from_before boolean NOT NULL DEFAULT true;
ALTER TABLE deposits.bank_match ALTER COLUMN is_from_before SET DEFAULT false,
  ADD CONSTRAINT signed CHECK (num_nonnulls(step_up, version) = CASE WHEN is_from_before THEN 0 ELSE 2 END);
-- Nobody signed the proposals that wait: they are made again.
UPDATE operators.approval SET status = 'stale', decided_at = clock_timestamp() WHERE kind = 'deposit_match' AND status = 'waiting';
CREATE FUNCTION deposits.signed_text(_match deposits.bank_match) RETURNS text LANGUAGE sql IMMUTABLE SET search_path = deposits, pg_temp AS $$
  SELECT to_json(ARRAY[_match.deposit::text, _match.line::text, _match.version::text])::text
$$;
CREATE FUNCTION deposits.check_signed_match() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF NOT votes.is_act(NEW.step_up, 'deposit.match', NEW.deposit::text, deposits.signed_text(NEW), NEW.matched_by, NEW.approval IS NULL)
    OR NEW.approval IS NOT NULL AND NOT EXISTS (SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.content::jsonb ->> 'step_up' = NEW.step_up::text) THEN
    RAISE EXCEPTION 'deposit %: the matcher did not sign it', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_signed_match BEFORE INSERT ON deposits.bank_match FOR EACH ROW EXECUTE FUNCTION deposits.check_signed_match();

DROP FUNCTION deposits.match(uuid, integer, uuid, bigint, bigint, uuid, timestamptz, bigint, uuid, bigint);
CREATE FUNCTION deposits.match(_id uuid, _version integer, _line uuid, _amount bigint, _rate bigint, _journal uuid, _at timestamptz, _by bigint, _approval uuid, _approved_by bigint,
  _step_up uuid, _signed_version integer)
RETURNS void LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  INSERT INTO deposits.bank_match (deposit, line, customer, baht, matched_by, approval, approved_by, journal, had_slip, step_up, version)
  SELECT d.id, l.id, d.customer_id, l.amount, _by, _approval, _approved_by, _journal, d.slip IS NOT NULL, _step_up, _signed_version
  FROM deposits.deposit d JOIN deposits.bank_line l ON l.id = _line WHERE d.id = _id;
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, bank_line = _line, amount = _amount, rate = _rate, finished_at = _at, reason = NULL, version = version + 1
  WHERE id = _id AND version = _version AND kind <> 'crypto' AND step IN ('awaiting_slip', 'in_review', 'returned', 'failed')
    AND NOT deposits.is_line_of_another(_line, _id);
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be matched', _id USING ERRCODE = 'DP002'; END IF;
END $$;

-- The matcher saw the order's rate, so it stays until the match. Late money has the rate of its day, which is never far from it: otherwise the login that writes
-- the row would credit any amount under an honest signature.
CREATE FUNCTION deposits.keep_rate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF (OLD.step <> 'credited' AND NEW.step = 'credited' AND NEW.rate BETWEEN OLD.rate / 2 AND OLD.rate * 2) IS NOT TRUE THEN
    RAISE EXCEPTION 'deposit %: its rate is not what was shown', NEW.id USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_rate BEFORE UPDATE OF rate ON deposits.deposit FOR EACH ROW WHEN (NEW.rate IS DISTINCT FROM OLD.rate) EXECUTE FUNCTION deposits.keep_rate();

-- An attested balance: what the person confirmed is `[asset, counted, as of, statement, bank statement]`, the last one null if it is no imported one's.
ALTER TABLE books.attestation ADD COLUMN step_up uuid UNIQUE REFERENCES operators.challenge, ADD COLUMN bank_statement uuid,
  ADD COLUMN is_from_before boolean NOT NULL DEFAULT true;
ALTER TABLE books.attestation ALTER COLUMN is_from_before SET DEFAULT false, ADD CONSTRAINT signed CHECK (is_from_before = (step_up IS NULL));
CREATE FUNCTION books.signed_text(_attestation books.attestation) RETURNS text LANGUAGE sql STABLE SET search_path = books, pg_temp AS $$
  SELECT to_json(ARRAY[_attestation.asset, CASE a.scale WHEN 0 THEN digits ELSE left(digits, -a.scale) || '.' || right(digits, a.scale) END,
    to_char(_attestation.as_of AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), _attestation.statement, _attestation.bank_statement::text])::text
  FROM ledger.asset a, LATERAL (SELECT lpad(_attestation.counted::text, greatest(a.scale + 1, length(_attestation.counted::text)), '0') AS digits) units
  WHERE a.code = _attestation.asset
$$;
CREATE FUNCTION books.check_signed_attestation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = books, pg_temp AS $$
BEGIN
  IF NOT votes.is_act(NEW.step_up, 'balance.attest', NEW.asset, books.signed_text(NEW), NEW.operator, true) THEN
    RAISE EXCEPTION 'attestation %: its person did not sign it', NEW.id USING ERRCODE = 'BK002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_signed_attestation BEFORE INSERT ON books.attestation FOR EACH ROW EXECUTE FUNCTION books.check_signed_attestation();

-- As before; and the person signed for this statement, not only for its figures.
CREATE OR REPLACE FUNCTION deposits.check_attestation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
DECLARE
  s deposits.bank_statement;
BEGIN
  SELECT * INTO s FROM deposits.bank_statement WHERE id = NEW.statement;
  NEW.at := clock_timestamp();
  IF (NEW.attested_by <> s.imported_by) IS NOT TRUE OR EXISTS (SELECT FROM deposits.bank_line l WHERE l.statement = s.id AND l.imported_by = NEW.attested_by)
    OR NOT EXISTS (SELECT FROM books.attestation a WHERE a.id = NEW.attestation AND a.operator = NEW.attested_by AND a.asset = 'THB'
      AND a.counted = s.closing AND a.as_of = s.to_at AND a.bank_statement = s.id) THEN
    RAISE EXCEPTION 'statement %: another person attests exactly its closing balance', NEW.statement USING ERRCODE = 'DP007';
  END IF;
  RETURN NEW;
END $$;

-- The acts as the checker reads them: what was done, and what was signed for it. Null where nothing was.
CREATE VIEW votes.act AS
  SELECT m.deposit AS id, 'deposit.match' AS act, m.deposit::text AS subject, deposits.signed_text(m) AS content, m.at AS done_at, m.matched_by AS operator, m.step_up,
    c.vote_key AS key, c.proof, trunc(extract(epoch FROM c.used_at) * 1000)::text AS at_ms
  FROM deposits.bank_match m LEFT JOIN operators.challenge c ON c.id = m.step_up WHERE NOT m.is_from_before
  UNION ALL
  SELECT b.id, 'balance.attest', b.asset, books.signed_text(b), b.at, b.operator, b.step_up, c.vote_key, c.proof, trunc(extract(epoch FROM c.used_at) * 1000)::text
  FROM books.attestation b LEFT JOIN operators.challenge c ON c.id = b.step_up WHERE NOT b.is_from_before;

REVOKE ALL ON FUNCTION votes.is_act, deposits.keep_rate, deposits.signed_text, deposits.check_signed_match, deposits.match, books.signed_text, books.check_signed_attestation FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.match TO sathorn_app;
GRANT EXECUTE ON FUNCTION deposits.signed_text, books.signed_text TO sathorn_checker;
GRANT INSERT (step_up, version) ON deposits.bank_match TO sathorn_app;
REVOKE INSERT ON books.attestation FROM sathorn_app;
GRANT INSERT (id, asset, counted, booked, as_of, statement, operator, at, step_up, bank_statement) ON books.attestation TO sathorn_app;
GRANT SELECT ON votes.act TO sathorn_checker;
