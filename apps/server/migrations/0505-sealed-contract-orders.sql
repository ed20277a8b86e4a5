-- Every contract order carries a seal over what never changes about it: 16 bytes with a key outside the database, by the
-- process that took the order. The checker verifies it, so a login of the database alone can place no order in anybody's
-- name. Orders from before this migration have none.
ALTER TABLE contracts.orders ADD COLUMN seal uuid;

CREATE FUNCTION contracts.refuse_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an order without a seal' USING ERRCODE = 'CT004';
END $$;

CREATE TRIGGER sealed BEFORE INSERT ON contracts.orders FOR EACH ROW WHEN (NEW.seal IS NULL)
  EXECUTE FUNCTION contracts.refuse_unsealed();
