-- What nobody needs any more goes after half a year: sessions that are over, notices that were read.
CREATE INDEX session_created ON customers.session (created_at);
GRANT DELETE ON customers.session TO sathorn_app;

CREATE INDEX message_read ON messages.message (at) WHERE read_at IS NOT NULL;
-- What was said stays as it was said for that long, whoever asks: the application can't delete a notice itself.
CREATE FUNCTION messages.sweep_read(before timestamptz, most integer) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = messages, pg_temp AS $$
  DELETE FROM message WHERE sequence IN (
    SELECT sequence FROM message WHERE read_at IS NOT NULL AND at < least(before, now() - interval '180 days') ORDER BY at LIMIT most)
$$;
REVOKE ALL ON FUNCTION messages.sweep_read(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION messages.sweep_read(timestamptz, integer) TO sathorn_app;
