-- A notice to many customers took its words from the caller, and nothing compared them with what was published. It is
-- now of a publication that stands, for its audience and with its end; a notice's titles and texts are those of that
-- publication. The notice of new rules is worded by the software, when two people approve them, and ends two weeks after
-- they begin.
CREATE OR REPLACE FUNCTION messages.send_broadcast(_id text, _texts jsonb, _level integer, _customer bigint,
  _at timestamptz, _ends_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = messages, pg_temp AS $$
DECLARE
  p content.publication;
  said jsonb;
BEGIN
  SELECT * INTO p FROM content.publication WHERE id = _id AND published_at IS NOT NULL AND taken_down_at IS NULL;
  said := p.content::jsonb -> 'texts';
  IF (p.audience = CASE WHEN _customer IS NOT NULL THEN 'customer:' || _customer WHEN _level IS NOT NULL THEN 'level:' || _level ELSE 'all' END
    AND CASE WHEN p.kind = 'notice' THEN _ends_at = p.to_at AND NOT EXISTS (
        SELECT FROM jsonb_each(_texts) w(language, words)
        WHERE NOT EXISTS (SELECT FROM jsonb_each(said) s(language, words)
          WHERE (s.language = w.language OR NOT said ? w.language)
            AND s.words -> 'title' = w.words -> 'title' AND s.words -> 'body' = w.words -> 'body'))
      ELSE p.approval IS NOT NULL AND content.rules_notice(p.kind) IS NOT NULL AND _ends_at = p.from_at + interval '14 days' END) IS NOT TRUE THEN
    RAISE EXCEPTION 'notice % is not what was published', _id USING ERRCODE = 'MS001';
  END IF;
  INSERT INTO broadcast (id, texts, level, customer, at, ends_at) VALUES (_id, _texts, _level, _customer, _at, _ends_at) ON CONFLICT (id) DO NOTHING;
END $$;
