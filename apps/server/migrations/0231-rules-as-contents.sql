-- Rules of products are contents: written by an operator, published by two people, with a notice before they apply.
ALTER TABLE content.entry DROP CONSTRAINT entry_kind_check;
ALTER TABLE content.entry ADD CONSTRAINT entry_kind_check CHECK (kind IN ('notice', 'banner', 'activity', 'welfare', 'about', 'intro', 'company',
  'share', 'scroll_notice', 'rules_options', 'rules_agreement', 'rules_liquidity', 'rules_lockup'));
CREATE UNIQUE INDEX entry_rules ON content.entry (kind) WHERE kind IN ('rules_options', 'rules_agreement', 'rules_liquidity', 'rules_lockup');
CREATE INDEX publication_rules ON content.publication (number DESC)
  WHERE kind IN ('rules_options', 'rules_agreement', 'rules_liquidity', 'rules_lockup');

CREATE FUNCTION content.rules_notice(_kind text) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN _kind IN ('rules_liquidity', 'rules_agreement') THEN interval '7 days' WHEN _kind IN ('rules_options', 'rules_lockup') THEN interval '1 day' END
$$;

CREATE OR REPLACE FUNCTION content.people_for(_kind text, _audience text, _content text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN _kind IN ('about', 'intro', 'company', 'share', 'scroll_notice') OR content.rules_notice(_kind) IS NOT NULL THEN 2
    WHEN _kind = 'notice' THEN CASE WHEN _audience LIKE 'customer:%' THEN 1 ELSE 2 END
    WHEN content.has_figures(_content) THEN 2
    ELSE 1
  END
$$;

-- An operator's rules begin no earlier than their notice after the second person has agreed. Once customers were told, they stay.
CREATE FUNCTION content.check_rules() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = content, pg_temp AS $$
BEGIN
  IF NEW.published_at IS NOT NULL AND NEW.made_by IS NOT NULL
    AND (TG_OP = 'INSERT' OR OLD.published_at IS NULL) AND NEW.from_at < clock_timestamp() + content.rules_notice(NEW.kind) THEN
    RAISE EXCEPTION 'publication % of rules begins too soon', NEW.id USING ERRCODE = 'CN003';
  END IF;
  IF NEW.taken_down_at IS NOT NULL THEN RAISE EXCEPTION 'rules stay in force until others replace them' USING ERRCODE = 'CN003'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_rules BEFORE INSERT OR UPDATE ON content.publication FOR EACH ROW
  WHEN (NEW.kind IN ('rules_options', 'rules_agreement', 'rules_liquidity', 'rules_lockup')) EXECUTE FUNCTION content.check_rules();

REVOKE ALL ON FUNCTION content.rules_notice, content.check_rules FROM PUBLIC;
GRANT EXECUTE ON FUNCTION content.rules_notice TO sathorn_app, sathorn_checker;
