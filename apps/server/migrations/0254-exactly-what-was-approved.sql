-- What is published is the publication that was approved: its text, its audience and its times. Until now the application's role alone could have
-- published the same text for others or for longer.
CREATE FUNCTION content.check_approved() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = content, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM operators.approval a CROSS JOIN LATERAL (SELECT a.content::jsonb AS said) s
    WHERE a.id = NEW.approval AND s.said ->> 'publication' = NEW.id AND s.said ->> 'audience' = NEW.audience AND s.said ->> 'kind' = NEW.kind
      AND s.said ->> 'version' = NEW.version::text AND (s.said ->> 'from')::timestamptz = NEW.from_at
      AND nullif(s.said ->> 'to', '')::timestamptz IS NOT DISTINCT FROM NEW.to_at) THEN
    RAISE EXCEPTION 'nobody approved publication % as it is', NEW.id USING ERRCODE = 'CN002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_approved BEFORE UPDATE ON content.publication FOR EACH ROW
  WHEN (OLD.published_at IS NULL AND NEW.published_at IS NOT NULL) EXECUTE FUNCTION content.check_approved();
REVOKE ALL ON FUNCTION content.check_approved FROM PUBLIC;

-- Figures in every script, and those that look like one: small, circled, bold, fractions.
CREATE OR REPLACE FUNCTION content.has_figures(_content text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (
    SELECT FROM (
      SELECT jsonb_path_query(_content::jsonb, '$.texts.*.title') #>> '{}' AS said
      UNION ALL SELECT jsonb_path_query(_content::jsonb, '$.texts.*.summary') #>> '{}'
      UNION ALL SELECT jsonb_path_query(_content::jsonb, '$.texts.*.body.**.text') #>> '{}'
      UNION ALL SELECT jsonb_path_query(_content::jsonb, '$.texts.*.body.**.alt') #>> '{}'
    ) texts WHERE normalize(said, NFKC) ~ ('[0-9%‰‱٪؉؊'
      || '\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f'
      || '\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29'
      || '\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9\u1a80-\u1a89\u1a90-\u1a99'
      || '\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c49\u1c50-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9'
      || '\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\U000104a0-\U000104a9\U00010d30-\U00010d39\U00010d40-\U00010d49'
      || '\U00011066-\U0001106f\U000110f0-\U000110f9\U00011136-\U0001113f\U000111d0-\U000111d9\U000112f0-\U000112f9'
      || '\U00011450-\U00011459\U000114d0-\U000114d9\U00011650-\U00011659\U000116c0-\U000116c9\U000116d0-\U000116e3'
      || '\U00011730-\U00011739\U000118e0-\U000118e9\U00011950-\U00011959\U00011bf0-\U00011bf9\U00011c50-\U00011c59'
      || '\U00011d50-\U00011d59\U00011da0-\U00011da9\U00011de0-\U00011de9\U00011f50-\U00011f59\U00016130-\U00016139'
      || '\U00016a60-\U00016a69\U00016ac0-\U00016ac9\U00016b50-\U00016b59\U00016d70-\U00016d79\U0001e140-\U0001e149'
      || '\U0001e2f0-\U0001e2f9\U0001e4f0-\U0001e4f9\U0001e5f1-\U0001e5fa\U0001e950-\U0001e959]')
  )
$$;

-- A ready answer is sent to many customers as the platform's own word: the application stores only what two people approved.
CREATE FUNCTION support.check_ready() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'support'), 'MEMBER') THEN RETURN NEW; END IF;
  IF NOT support.is_approved(NEW) THEN RAISE EXCEPTION 'nobody approved the answer % %', NEW.code, NEW.version USING ERRCODE = 'SU002'; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION support.is_approved(_answer support.ready_answer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = support, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a WHERE a.id = _answer.approval AND a.kind = 'ready_answer' AND a.subject = _answer.code AND a.status = 'approved'
    AND a.content::jsonb ->> 'version' = _answer.version::text
    AND (SELECT jsonb_object_agg(substr(name, 6), text) FROM jsonb_each_text(a.content::jsonb) AS given(name, text) WHERE name LIKE 'text\_%') = _answer.texts
    AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by))
$$;
CREATE TRIGGER approved BEFORE INSERT ON support.ready_answer FOR EACH ROW EXECUTE FUNCTION support.check_ready();
REVOKE ALL ON FUNCTION support.check_ready, support.is_approved FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support.is_approved TO sathorn_app, sathorn_checker;
GRANT SELECT ON support.ready_answer TO sathorn_checker;

-- A box is sold as it was decided: its price, table, budget and times; one for each approval.
CREATE FUNCTION boxes.is_as_decided(_box boxes.box, _fields text) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = boxes, pg_temp AS $$
  SELECT (f ->> 'price' = _box.price::text AND f ->> 'draws_max' = _box.draws_max::text AND f -> 'names' = _box.names
    AND (f ->> 'usdt_budget')::numeric * 1000000 = _box.usdt_budget AND (f ->> 'points_budget')::numeric = _box.points_budget
    AND extract(epoch FROM _box.closes_at - _box.opens_at) = (f ->> 'days')::integer * 86400
    AND t ->> 'price' = _box.price::text AND t ->> 'draws_max' = _box.draws_max::text AND t ->> 'beacon' = f ->> 'beacon'
    AND (t -> 'budget' ->> 'USDT', t -> 'budget' ->> 'POINTS') = (_box.usdt_budget::text, _box.points_budget::text)
    AND (SELECT jsonb_agg(jsonb_build_array(r -> 'prize', (r ->> 'amount')::numeric, r -> 'weight') ORDER BY n) FROM jsonb_array_elements(t -> 'table') WITH ORDINALITY AS x(r, n))
      = (SELECT jsonb_agg(jsonb_build_array(r -> 'prize', trim_scale((r ->> 'amount')::numeric * CASE r ->> 'prize' WHEN 'usdt' THEN 1000000 ELSE 1 END), r -> 'weight') ORDER BY n)
         FROM jsonb_array_elements(f -> 'table') WITH ORDINALITY AS y(r, n))
    AND (_box.usdt_max, _box.points_max) = (SELECT coalesce(max((r ->> 'amount')::bigint) FILTER (WHERE r ->> 'prize' = 'usdt'), 0),
      coalesce(max((r ->> 'amount')::bigint) FILTER (WHERE r ->> 'prize' = 'points'), 0) FROM jsonb_array_elements(t -> 'table') AS z(r))) IS TRUE
  FROM (SELECT _fields::jsonb AS f, _box.body::jsonb AS t) said
$$;
CREATE OR REPLACE FUNCTION boxes.check_box() RETURNS trigger LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
BEGIN
  IF NEW.approval IS NULL AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM boxes.decided d WHERE d.approval = NEW.approval AND d.box IS NULL AND d.fault IS NULL AND boxes.is_as_decided(NEW, d.fields)) THEN
    RAISE EXCEPTION 'nobody approved this box' USING ERRCODE = 'BX004';
  END IF;
  RETURN NEW;
END $$;
CREATE UNIQUE INDEX box_of_approval ON boxes.box (approval);
REVOKE ALL ON FUNCTION boxes.is_as_decided FROM PUBLIC;
GRANT EXECUTE ON FUNCTION boxes.is_as_decided TO sathorn_app, sathorn_checker;
