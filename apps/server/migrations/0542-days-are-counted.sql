-- The database adds each movement of liquidity to its day, and the day's quick redemptions have their cap. The application
-- counted them, so whoever had its login could set the count back, or redeem without it.
REVOKE INSERT, UPDATE ON earning.day_total FROM sathorn_app;

CREATE FUNCTION earning.count_movements() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = earning, pg_temp AS $$
BEGIN
  INSERT INTO day_total AS t (day, subscribed, quick, normal)
  SELECT day, coalesce(sum(units) FILTER (WHERE kind = 'subscription'), 0), coalesce(sum(units) FILTER (WHERE kind = 'quick'), 0),
    coalesce(sum(units) FILTER (WHERE kind = 'normal'), 0) FROM added GROUP BY day ORDER BY day
  ON CONFLICT (day) DO UPDATE SET subscribed = t.subscribed + excluded.subscribed, quick = t.quick + excluded.quick, normal = t.normal + excluded.normal;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION earning.count_movements FROM PUBLIC;
CREATE TRIGGER count_movements AFTER INSERT ON earning.movement REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION earning.count_movements();

CREATE OR REPLACE FUNCTION earning.move_liquidity(_day integer, _at timestamptz, _ids uuid[], _customers bigint[], _kinds text[],
  _units bigint[], _holds bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
DECLARE
  move record;
  place earning.liquidity;
  fresh_taken bigint;
BEGIN
  FOR move IN SELECT * FROM unnest(_ids, _customers, _kinds, _units, _holds) WITH ORDINALITY AS t(id, customer_id, kind, units, hold, n) ORDER BY n LOOP
    INSERT INTO earning.liquidity (customer_id, day, earning, leaving, fresh) VALUES (move.customer_id, _day, 0, 0, 0) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT place FROM earning.liquidity WHERE customer_id = move.customer_id FOR UPDATE;
    IF place.day < _day THEN
      INSERT INTO earning.liquidity_past (customer_id, day, earning, leaving, fresh)
      VALUES (place.customer_id, place.day, place.earning, place.leaving, place.fresh);
      place.earning := place.earning - place.leaving + place.fresh;
      place.leaving := 0;
      place.fresh := 0;
      place.day := _day;
    END IF;
    IF EXISTS (SELECT FROM earning.accrual WHERE product = 1 AND day >= place.day) THEN
      RAISE EXCEPTION 'the income of day % has been counted', place.day USING ERRCODE = 'EA003';
    END IF;
    fresh_taken := 0;
    IF move.kind = 'subscription' THEN
      place.fresh := place.fresh + move.units;
    ELSE
      fresh_taken := least(place.fresh, move.units);
      place.fresh := place.fresh - fresh_taken;
      IF move.kind = 'quick' THEN place.earning := place.earning - (move.units - fresh_taken);
      ELSE place.leaving := place.leaving + (move.units - fresh_taken);
      END IF;
    END IF;
    UPDATE earning.liquidity SET day = place.day, earning = place.earning, leaving = place.leaving, fresh = place.fresh WHERE customer_id = place.customer_id;
    INSERT INTO earning.movement (id, customer_id, kind, units, day, at, from_fresh, hold)
    VALUES (move.id, move.customer_id, move.kind, move.units, place.day, _at, fresh_taken, move.hold);
  END LOOP;
END $$;
