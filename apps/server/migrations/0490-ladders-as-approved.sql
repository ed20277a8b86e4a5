-- Whoever has the application's login could insert any ladder under the approval of another one, and sign in for it. A
-- ladder has exactly the rewards that two people approved, and an approval makes one ladder.
CREATE UNIQUE INDEX ladder_of_approval ON rewards.ladder (approval) WHERE approval IS NOT NULL;

CREATE OR REPLACE FUNCTION rewards.check_ladder() RETURNS trigger LANGUAGE plpgsql SET search_path = rewards, pg_temp AS $$
BEGIN
  IF NEW.approval IS NULL AND NEW.version = 1 AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM offer.version v WHERE v.approval = NEW.approval AND v.kind = 'ladder' AND v.stopped_at IS NULL
      AND (SELECT array_agg((d ->> 'points')::numeric ORDER BY n) FROM jsonb_array_elements(v.fields::jsonb -> 'days') WITH ORDINALITY AS t(d, n)) = NEW.points::numeric[]
      AND (SELECT array_agg((d ->> 'usdt')::numeric * 1000000 ORDER BY n) FROM jsonb_array_elements(v.fields::jsonb -> 'days') WITH ORDINALITY AS t(d, n)) = NEW.usdt::numeric[]) THEN
    RAISE EXCEPTION 'nobody approved this ladder' USING ERRCODE = 'RW003';
  END IF;
  RETURN NEW;
END $$;
