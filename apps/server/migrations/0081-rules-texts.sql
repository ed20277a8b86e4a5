-- The English rules that were ever in force, by their hash: signed terms name it, and a customer must be able to read what it stands for.
CREATE TABLE content.rules_text (
  hash text PRIMARY KEY CHECK (hash = encode(sha256(convert_to(content, 'UTF8')), 'hex')),
  subject text NOT NULL,
  content text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION content.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on content.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'CN001';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON content.rules_text FOR EACH ROW EXECUTE FUNCTION content.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON content.rules_text FOR EACH STATEMENT EXECUTE FUNCTION content.refuse_change();

GRANT SELECT, INSERT (hash, subject, content) ON content.rules_text TO sathorn_app;
