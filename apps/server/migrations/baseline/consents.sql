-- Consents before the first order of a product: the text, its language, the time, the answers and the finding.
CREATE SCHEMA consents;
GRANT USAGE ON SCHEMA consents TO sathorn_app, sathorn_checker;

-- One consent of a customer to one text.
CREATE TABLE consents.consent (
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL,
  product text NOT NULL CHECK (product IN ('options', 'contracts', 'earning')),
  version integer NOT NULL CHECK (version > 0),
  language text NOT NULL CHECK (language IN ('en', 'zh', 'th', 'jp', 'ar', 'hi')),
  -- SHA-256 of the text as it was shown.
  text_hash bytea NOT NULL CHECK (length(text_hash) = 32),
  -- Codes of question and answer, and whether the answer counts for the product.
  answers jsonb NOT NULL,
  finding text NOT NULL CHECK (finding IN ('suitable', 'unsuitable')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When the customer may order; later than `at` if the answers show that the product may not suit them.
  usable_from timestamptz NOT NULL,
  CHECK (CASE finding WHEN 'suitable' THEN usable_from <= at + interval '1 minute'
    ELSE usable_from >= at + interval '23 hours' END)
);
CREATE INDEX consent_newest ON consents.consent (customer_id, product, version, at);
GRANT SELECT ON consents.consent TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, product, version, language, text_hash, answers, finding, usable_from)
  ON consents.consent TO sathorn_app;

-- After unsuitable answers the waiting time must pass before the customer may answer again.
CREATE FUNCTION consents.check_consent() RETURNS trigger LANGUAGE plpgsql SET search_path = consents, pg_temp AS $$
BEGIN
  NEW.at := clock_timestamp();
  PERFORM pg_advisory_xact_lock(hashtextextended('consents/' || NEW.customer_id || '/' || NEW.product, 0));
  IF EXISTS (SELECT FROM consents.consent c WHERE c.customer_id = NEW.customer_id AND c.product = NEW.product AND c.version = NEW.version
      AND (c.finding = 'suitable' OR c.usable_from > NEW.at)) THEN
    RAISE EXCEPTION 'it was answered before' USING ERRCODE = 'CN001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_consent BEFORE INSERT ON consents.consent FOR EACH ROW EXECUTE FUNCTION consents.check_consent();

CREATE FUNCTION consents.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'CN002';
END $$;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['consents.consent'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION consents.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION consents.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA consents FROM PUBLIC;
