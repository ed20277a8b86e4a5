-- Texts that operators write for customers in six languages: all versions, and which were published, by whom and for whom.
CREATE TABLE content.entry (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{16}$'),
  kind text NOT NULL CHECK (kind IN ('notice', 'banner', 'activity', 'welfare', 'about', 'intro', 'company', 'share', 'scroll_notice')),
  -- Null: shipped with the software.
  made_by bigint,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Only one entry of these kinds may be published at a time.
CREATE UNIQUE INDEX entry_single ON content.entry (kind) WHERE kind IN ('about', 'intro', 'company', 'share', 'scroll_notice');

-- One row per save of a language or of the settings. The newest row of each part is current.
CREATE TABLE content.version (
  entry text NOT NULL REFERENCES content.entry,
  n integer NOT NULL CHECK (n > 0),
  part text NOT NULL CHECK (part IN ('settings', 'th', 'en', 'zh', 'jp', 'ar', 'hi')),
  content text NOT NULL CHECK (length(content) <= 60000),
  made_by bigint,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (entry, n)
);

CREATE TABLE content.publication (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{16}$'),
  entry text NOT NULL REFERENCES content.entry,
  kind text NOT NULL,
  -- All texts and the settings in canonical form, with their SHA-256, so that what is shown is what the second person checked.
  content text NOT NULL,
  digest bytea NOT NULL CHECK (digest = sha256(convert_to(content, 'UTF8'))),
  version integer NOT NULL,
  audience text NOT NULL CHECK (audience ~ '^(all|level:[0-9]{1,2}|customer:[1-9][0-9]{0,17})$'),
  from_at timestamptz NOT NULL,
  to_at timestamptz CHECK (to_at > from_at),
  -- Including the maker.
  people smallint NOT NULL CHECK (people IN (1, 2)),
  approval uuid,
  made_by bigint,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  taken_down_at timestamptz CHECK (taken_down_at IS NULL OR published_at IS NOT NULL),
  taken_down_by bigint,
  -- The notice was delivered to the customers' lists.
  delivered_at timestamptz,
  FOREIGN KEY (entry, version) REFERENCES content.version (entry, n)
);
CREATE INDEX publication_entry ON content.publication (entry, number DESC);
CREATE INDEX publication_due ON content.publication (from_at) WHERE kind = 'notice' AND published_at IS NOT NULL AND delivered_at IS NULL AND taken_down_at IS NULL;

CREATE TABLE content.picture (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  -- WebP that we drew.
  bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 4194304),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  made_by bigint NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX picture_made ON content.picture (made_at DESC);

-- A figure is a promise, so a second person must check a text that contains one.
CREATE FUNCTION content.has_figures(_content text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (
    SELECT FROM (
      SELECT jsonb_path_query(_content::jsonb, '$.texts.*.title') #>> '{}' AS said
      UNION ALL SELECT jsonb_path_query(_content::jsonb, '$.texts.*.summary') #>> '{}'
      UNION ALL SELECT jsonb_path_query(_content::jsonb, '$.texts.*.body.**.text') #>> '{}'
      UNION ALL SELECT jsonb_path_query(_content::jsonb, '$.texts.*.body.**.alt') #>> '{}'
    ) texts WHERE said ~ '[0-9٠-٩۰-۹०-९๐-๙０-９%٪％]'
  )
$$;

-- The minimum number of people.
CREATE FUNCTION content.people_for(_kind text, _audience text, _content text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN _kind IN ('about', 'intro', 'company', 'share', 'scroll_notice') THEN 2
    WHEN _kind = 'notice' THEN CASE WHEN _audience LIKE 'customer:%' THEN 1 ELSE 2 END
    WHEN content.has_figures(_content) THEN 2
    ELSE 1
  END
$$;

CREATE FUNCTION content.check_publication() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = content, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.made_by IS NULL AND session_user = 'sathorn_app' THEN
      RAISE EXCEPTION 'a publication has a maker' USING ERRCODE = 'CN002';
    END IF;
    IF NEW.kind IS DISTINCT FROM (SELECT kind FROM entry WHERE id = NEW.entry) THEN
      RAISE EXCEPTION 'a publication is of its entry''s kind' USING ERRCODE = 'CN002';
    END IF;
    IF NEW.made_by IS NOT NULL AND NEW.people < content.people_for(NEW.kind, NEW.audience, NEW.content) THEN
      RAISE EXCEPTION 'too few people for publication %', NEW.id USING ERRCODE = 'CN002';
    END IF;
    IF NEW.people > 1 AND (NEW.published_at IS NOT NULL OR NEW.approval IS NULL) AND NEW.made_by IS NOT NULL THEN
      RAISE EXCEPTION 'publication % waits for a second person', NEW.id USING ERRCODE = 'CN002';
    END IF;
    RETURN NEW;
  END IF;
  IF (to_jsonb(NEW) - 'published_at' - 'taken_down_at' - 'taken_down_by' - 'delivered_at')
     IS DISTINCT FROM (to_jsonb(OLD) - 'published_at' - 'taken_down_at' - 'taken_down_by' - 'delivered_at')
     OR (OLD.published_at IS NOT NULL AND NEW.published_at IS DISTINCT FROM OLD.published_at)
     OR (OLD.taken_down_at IS NOT NULL AND (NEW.taken_down_at, NEW.taken_down_by) IS DISTINCT FROM (OLD.taken_down_at, OLD.taken_down_by))
     OR (OLD.delivered_at IS NOT NULL AND NEW.delivered_at IS DISTINCT FROM OLD.delivered_at) THEN
    RAISE EXCEPTION 'a publication is not changed' USING ERRCODE = 'CN001';
  END IF;
  IF OLD.published_at IS NULL AND NEW.published_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'content' AND a.subject = NEW.entry AND a.status = 'approved'
      AND a.made_by = NEW.made_by AND a.content::jsonb ->> 'digest' = encode(NEW.digest, 'hex')
      AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> NEW.made_by)
  ) THEN
    RAISE EXCEPTION 'nobody approved publication %', NEW.id USING ERRCODE = 'CN002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_publication BEFORE INSERT OR UPDATE ON content.publication FOR EACH ROW EXECUTE FUNCTION content.check_publication();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['entry', 'version', 'picture'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON content.%I FOR EACH ROW EXECUTE FUNCTION content.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON content.%I FOR EACH STATEMENT EXECUTE FUNCTION content.refuse_change()', name);
  END LOOP;
END $$;
CREATE TRIGGER no_delete BEFORE DELETE ON content.publication FOR EACH ROW EXECUTE FUNCTION content.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON content.publication FOR EACH STATEMENT EXECUTE FUNCTION content.refuse_change();

GRANT USAGE ON SCHEMA content TO sathorn_checker;
GRANT SELECT ON content.entry, content.version, content.publication TO sathorn_app, sathorn_checker;
GRANT SELECT ON content.picture TO sathorn_app;
GRANT SELECT ON content.rules_text TO sathorn_checker;
GRANT INSERT (id, kind, made_by) ON content.entry TO sathorn_app;
GRANT INSERT (entry, n, part, content, made_by) ON content.version TO sathorn_app;
GRANT INSERT (id, entry, kind, content, digest, version, audience, from_at, to_at, people, approval, made_by, published_at) ON content.publication TO sathorn_app;
GRANT UPDATE (published_at, taken_down_at, taken_down_by, delivered_at) ON content.publication TO sathorn_app;
GRANT INSERT (id, bytes, width, height, made_by) ON content.picture TO sathorn_app;
REVOKE ALL ON FUNCTION content.has_figures, content.people_for, content.check_publication FROM PUBLIC;
GRANT EXECUTE ON FUNCTION content.has_figures, content.people_for TO sathorn_app, sathorn_checker;
