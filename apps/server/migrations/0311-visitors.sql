-- A visitor writes to customer service without an account. Their message is a conversation of its own without a customer: the contact is what they
-- typed, nobody has checked it, and nothing can make it a customer's later. Answers leave by mail or SMS.
ALTER TABLE support.thread ALTER COLUMN customer DROP NOT NULL;
ALTER TABLE support.thread
  ADD COLUMN contact_kind text CHECK (contact_kind IN ('phone', 'email')),
  ADD COLUMN contact text CHECK (length(contact) BETWEEN 3 AND 254),
  -- What the visitor reads, to name the conversation later.
  ADD COLUMN reference text UNIQUE CHECK (reference ~ '^V-[2-9A-HJ-NP-Z]{8}$'),
  ADD CONSTRAINT thread_of_somebody CHECK (num_nulls(contact_kind, contact, reference) = CASE WHEN customer IS NULL THEN 0 ELSE 3 END);

ALTER TABLE support.message DROP CONSTRAINT message_author_check;
ALTER TABLE support.message ADD CONSTRAINT message_author_check CHECK (author IN ('customer', 'visitor', 'staff'));
-- The same message sent twice is stored once.
CREATE UNIQUE INDEX message_of_visitor ON support.message (id) WHERE author = 'visitor';

CREATE FUNCTION support.check_author() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support, pg_temp AS $$
BEGIN
  IF NEW.author <> 'staff' AND (NEW.author = 'visitor') <> (SELECT customer IS NULL FROM support.thread WHERE id = NEW.thread) THEN
    RAISE EXCEPTION 'a visitor is no customer: conversation %', NEW.thread USING ERRCODE = 'SU003';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION support.check_author FROM PUBLIC;
CREATE TRIGGER check_author BEFORE INSERT ON support.message FOR EACH ROW EXECUTE FUNCTION support.check_author();

GRANT INSERT (contact_kind, contact, reference) ON support.thread TO sathorn_app;

-- Pictures of visitors belong to owner 0, who is nobody.
ALTER TABLE files.picture DROP CONSTRAINT picture_owner_check;
ALTER TABLE files.picture ADD CONSTRAINT picture_owner_check CHECK (owner > 0 AND kind <> 'visitor' OR owner < 0 AND kind = 'picture' OR owner = 0 AND kind = 'visitor');
ALTER TABLE files.picture DROP CONSTRAINT picture_kind_check;
ALTER TABLE files.picture ADD CONSTRAINT picture_kind_check CHECK (kind IN ('picture', 'avatar', 'document', 'attachment', 'answer', 'visitor'));
