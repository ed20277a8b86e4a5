-- A publication without a maker comes with the software, from the owner's login alone. The rule named the application's
-- login of an embedded database; at an address each database has logins of its own names, and nothing was refused.
CREATE OR REPLACE FUNCTION content.check_publication() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = content, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.made_by IS NULL AND NOT pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'content'), 'MEMBER') THEN
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
