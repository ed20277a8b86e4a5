-- A customer's share and the quota of a lock-up were sums that only the application kept: a second order of the same batch that it forgot to count was
-- taken. The database adds each order to the product's total by itself now, and refuses what is above either limit of the order's own terms.
CREATE FUNCTION earning.keep_limits() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = earning, pg_temp AS $$
BEGIN
  -- The total's row is locked from here on, so two transactions that add to a product count each other.
  INSERT INTO earning.lockup_total AS t (product, taken)
  SELECT product, sum(principal) FROM added GROUP BY product ORDER BY product
  ON CONFLICT (product) DO UPDATE SET taken = t.taken + excluded.taken;
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT product, version FROM added) a JOIN earning.version v USING (product, version)
    JOIN earning.lockup_total t USING (product) WHERE t.taken > v.quota
  ) THEN
    RAISE EXCEPTION 'a lock-up is above its quota' USING ERRCODE = 'EA007';
  END IF;
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT customer_id, product, version FROM added) a JOIN earning.version v USING (product, version)
    WHERE v.units_max < (SELECT sum(l.principal) FROM earning.lockup l
      WHERE l.customer_id = a.customer_id AND l.product = a.product AND l.matured_at IS NULL)
  ) THEN
    RAISE EXCEPTION 'a customer has more in a lock-up than its terms allow' USING ERRCODE = 'EA008';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION earning.keep_limits FROM PUBLIC;
CREATE TRIGGER keep_limits AFTER INSERT ON earning.lockup REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION earning.keep_limits();
REVOKE INSERT ON earning.lockup_total FROM sathorn_app;
