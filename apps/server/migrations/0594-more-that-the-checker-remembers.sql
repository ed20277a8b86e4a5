-- The checker remembers customers' own limits and pauses, their saved payees, and what was said in conversations, so
-- that the database's owner cannot change or erase them unnoticed.
ALTER TABLE safeguards.pause ADD COLUMN arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE;

ALTER TABLE payees.payee ADD COLUMN arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
GRANT SELECT (arrival) ON payees.payee TO sathorn_checker;

-- The checker reads a digest, because conversations are private.
CREATE FUNCTION support.digest_of(_body text, _picture text, _ready text) RETURNS bytea
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT sha256(convert_to(jsonb_build_array(_body, _picture, _ready)::text, 'UTF8'))
$$;
REVOKE ALL ON FUNCTION support.digest_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support.digest_of TO sathorn_app;
ALTER TABLE support.message
  ADD COLUMN arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  ADD COLUMN digest bytea GENERATED ALWAYS AS (support.digest_of(body, picture, ready)) STORED;
GRANT SELECT (arrival, id, work_name, digest) ON support.message TO sathorn_checker;
