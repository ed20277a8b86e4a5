-- Pictures from staff. An upload belongs to its operator (owner: minus their id) until it is sent; then it is stored as an answer to the
-- customer, encrypted with that customer's key, and counts against no quota of theirs.
ALTER TABLE files.picture DROP CONSTRAINT picture_owner_check;
ALTER TABLE files.picture ADD CONSTRAINT picture_owner_check CHECK (owner > 0 OR owner < 0 AND kind = 'picture');
ALTER TABLE files.picture DROP CONSTRAINT picture_kind_check;
ALTER TABLE files.picture ADD CONSTRAINT picture_kind_check CHECK (kind IN ('picture', 'avatar', 'document', 'attachment', 'answer'));

-- Operators follow the newest changes of conversations. Every write gets a number, so that a page sees which conversation to read again.
CREATE SEQUENCE support.thread_change;
ALTER TABLE support.thread ADD COLUMN changed bigint NOT NULL DEFAULT 0;
CREATE FUNCTION support.count_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support, pg_temp AS $$
BEGIN
  NEW.changed := nextval('support.thread_change');
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION support.count_change FROM PUBLIC;
CREATE TRIGGER count_change BEFORE INSERT OR UPDATE ON support.thread FOR EACH ROW EXECUTE FUNCTION support.count_change();
CREATE INDEX thread_changed ON support.thread (changed DESC);
