-- What a slip looks like: hashes of the brightness of its whole picture and of six crops of it, 16 × 16 steps each. The same picture saved or cropped
-- anew has another digest and nearly the same look. Older slips have none.
ALTER TABLE deposits.deposit ADD COLUMN slip_look bit(256)[], ADD COLUMN slip_like uuid REFERENCES deposits.deposit,
  ADD CONSTRAINT look_of_slip CHECK (slip_look IS NULL OR slip IS NOT NULL AND cardinality(slip_look) = 7);
CREATE INDEX deposit_with_look ON deposits.deposit (created_at DESC) WHERE slip_look IS NOT NULL;
GRANT UPDATE (slip_look, slip_like) ON deposits.deposit TO sathorn_app;

-- The oldest other deposit of these days whose slip differs in at most so many of 256 steps: whole against whole, or one of both against a crop.
CREATE FUNCTION deposits.find_like(_id uuid, _look bit(256)[], _most integer, _since timestamptz) RETURNS uuid
LANGUAGE sql STABLE SET search_path = deposits, pg_temp AS $$
  SELECT d.id FROM deposits.deposit d
  WHERE d.slip_look IS NOT NULL AND d.id <> _id AND d.created_at >= _since
    AND (EXISTS (SELECT FROM unnest(d.slip_look) AS one WHERE bit_count(one # _look[1]) <= _most)
      OR EXISTS (SELECT FROM unnest(_look) AS one WHERE bit_count(one # d.slip_look[1]) <= _most))
  ORDER BY d.created_at LIMIT 1
$$;

-- Nobody decides a case that they opened, by proposal or by vote.
CREATE FUNCTION deposits.check_opener() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM operators.approval a WHERE a.id = NEW.recovery_approval AND a.made_by = NEW.opened_by)
    OR EXISTS (SELECT FROM operators.vote v WHERE v.approval = NEW.recovery_approval AND v.operator = NEW.opened_by) THEN
    RAISE EXCEPTION 'deposit %: decided by whoever opened the case', NEW.id USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_opener BEFORE UPDATE ON deposits.deposit FOR EACH ROW
  WHEN (NEW.opened_by IS NOT NULL AND NEW.recovery_approval IS NOT NULL AND NEW.recovery_approval IS DISTINCT FROM OLD.recovery_approval)
  EXECUTE FUNCTION deposits.check_opener();

REVOKE ALL ON FUNCTION deposits.find_like, deposits.check_opener FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.find_like TO sathorn_app;
