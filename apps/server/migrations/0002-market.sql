-- The index: signed ticks in one chain a coin, candles built from them, and the public keys that sign.
CREATE SCHEMA market;
CREATE SCHEMA proofs;

-- Where a coin's chain stands. Only the trigger on market.tick writes here.
CREATE TABLE market.head (
  coin text PRIMARY KEY,
  sequence bigint NOT NULL,
  at timestamptz NOT NULL,
  price bigint NOT NULL,
  hash bytea NOT NULL,
  environment text NOT NULL,
  -- The newest tick that moved more than the breaker allows.
  jumped_at timestamptz
) WITH (fillfactor = 50);

-- Every price that was ever published. `body` is the exact text that was hashed and signed; the columns repeat what is searched.
CREATE TABLE market.tick (
  coin text NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  at timestamptz NOT NULL CHECK (date_trunc('second', at) = at),
  -- Units of 10^-6 USDT.
  price bigint NOT NULL CHECK (price > 0),
  environment text NOT NULL CHECK (environment IN ('live', 'sim', 'replay')),
  jump boolean NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64),
  key text NOT NULL,
  PRIMARY KEY (coin, sequence),
  CONSTRAINT hash_of_body CHECK (hash = sha256(convert_to('tick/1' || chr(10) || body, 'UTF8')))
);
CREATE UNIQUE INDEX tick_at ON market.tick (coin, at);

-- One row. Only the owner of the schema can turn it on, and only for prices that are not live: a replay on a clock of its own.
CREATE TABLE market.guard (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  virtual_clock boolean NOT NULL DEFAULT false
);
INSERT INTO market.guard DEFAULT VALUES;

/*
 * A tick can be neither back-dated nor pre-dated, nor put anywhere but at the end of its chain, nor say in its signed text
 * anything else than in its columns. Runs as the owner, so that the app needs no right to write the head.
 */
CREATE FUNCTION market.link_tick() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS $$
DECLARE
  head market.head;
  said jsonb := NEW.body::jsonb;
  apart interval := NEW.at - clock_timestamp();
BEGIN
  IF (apart > interval '1 second' OR apart < interval '-1 second')
    AND NOT (NEW.environment <> 'live' AND (SELECT virtual_clock FROM market.guard)) THEN
    RAISE EXCEPTION 'a tick of % is % from the database''s clock', NEW.coin, apart USING ERRCODE = 'MK001';
  END IF;
  SELECT * INTO head FROM market.head WHERE coin = NEW.coin FOR UPDATE;
  IF NEW.sequence <> coalesce(head.sequence, 0) + 1 OR NEW.at <= coalesce(head.at, '-infinity')
    OR said->>'prev' IS DISTINCT FROM coalesce(encode(head.hash, 'hex'), repeat('0', 64)) THEN
    RAISE EXCEPTION 'tick % of % does not follow tick %', NEW.sequence, NEW.coin, coalesce(head.sequence, 0) USING ERRCODE = 'MK002';
  END IF;
  -- What was once simulated never becomes live, nor the other way round.
  IF head.environment IS NOT NULL AND (head.environment = 'live') <> (NEW.environment = 'live') THEN
    RAISE EXCEPTION 'the chain of % is %, not %', NEW.coin, head.environment, NEW.environment USING ERRCODE = 'MK003';
  END IF;
  IF said->>'v' IS DISTINCT FROM 'tick/1' OR said->>'sym' IS DISTINCT FROM NEW.coin || 'USDT' OR said->>'seq' IS DISTINCT FROM NEW.sequence::text
    OR said->>'px' IS DISTINCT FROM NEW.price::text OR said->>'t' IS DISTINCT FROM (extract(epoch FROM NEW.at) * 1000)::bigint::text
    OR said->>'env' IS DISTINCT FROM NEW.environment OR (said->>'flag' = 'jump') IS DISTINCT FROM NEW.jump THEN
    RAISE EXCEPTION 'the text of tick % of % says something else', NEW.sequence, NEW.coin USING ERRCODE = 'MK004';
  END IF;
  INSERT INTO market.head AS h (coin, sequence, at, price, hash, environment, jumped_at)
  VALUES (NEW.coin, NEW.sequence, NEW.at, NEW.price, NEW.hash, NEW.environment, CASE WHEN NEW.jump THEN NEW.at END)
  ON CONFLICT (coin) DO UPDATE SET sequence = excluded.sequence, at = excluded.at, price = excluded.price, hash = excluded.hash,
    environment = excluded.environment, jumped_at = coalesce(excluded.jumped_at, h.jumped_at);
  RETURN NEW;
END $$;
CREATE TRIGGER link_tick BEFORE INSERT ON market.tick FOR EACH ROW EXECUTE FUNCTION market.link_tick();

-- Built from the ticks; `simulated` where the prices were.
CREATE TABLE market.candle (
  coin text NOT NULL,
  interval text NOT NULL CHECK (interval IN ('1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w')),
  at timestamptz NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  -- Units of 10^-8 coins.
  volume bigint NOT NULL CHECK (volume >= 0),
  simulated boolean NOT NULL,
  PRIMARY KEY (coin, interval, at),
  CHECK (low > 0 AND low <= open AND low <= close AND high >= open AND high >= close)
) WITH (fillfactor = 80);

-- What the prices of this database come from: the simulator's seed, or the moment at which a recording began to play.
CREATE TABLE market.origin (
  name text PRIMARY KEY,
  seed text NOT NULL,
  started_at timestamptz NOT NULL
);

-- Public keys, for ever: what an old key signed must stay checkable.
CREATE TABLE proofs.key (
  id text NOT NULL CHECK (id ~ '^[0-9a-f]{16}$'),
  use text NOT NULL CHECK (use IN ('index', 'receipt', 'ledger')),
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (use, id)
);

CREATE FUNCTION market.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'MK005';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['market.tick', 'market.origin', 'proofs.key'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION market.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change()', name);
  END LOOP;
  CREATE TRIGGER no_delete BEFORE DELETE ON market.head FOR EACH ROW EXECUTE FUNCTION market.refuse_change();
  CREATE TRIGGER no_truncate BEFORE TRUNCATE ON market.head FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change();
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA market FROM PUBLIC;
GRANT USAGE ON SCHEMA market, proofs TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA market, proofs TO sathorn_app, sathorn_checker;
GRANT INSERT ON market.tick, market.origin, proofs.key TO sathorn_app;
GRANT INSERT, UPDATE ON market.candle TO sathorn_app;
