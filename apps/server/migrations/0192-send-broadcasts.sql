-- Only the database numbers notices: the application calls a function and cannot use the sequence itself.
REVOKE USAGE ON SEQUENCE messages.message_sequence_seq FROM sathorn_app;
REVOKE INSERT ON messages.broadcast FROM sathorn_app;
REVOKE INSERT (id, texts, level, customer, at, ends_at) ON messages.broadcast FROM sathorn_app;

CREATE FUNCTION messages.send_broadcast(_id text, _texts jsonb, _level integer, _customer bigint, _at timestamptz, _ends_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = messages, pg_temp AS $$
  INSERT INTO broadcast (id, texts, level, customer, at, ends_at) VALUES (_id, _texts, _level, _customer, _at, _ends_at) ON CONFLICT (id) DO NOTHING
$$;
REVOKE ALL ON FUNCTION messages.send_broadcast FROM PUBLIC;
GRANT EXECUTE ON FUNCTION messages.send_broadcast TO sathorn_app;
