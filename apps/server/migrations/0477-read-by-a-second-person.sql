-- An operator writes to customers alone, as the platform's own voice. So another person reads a share of it: what names money, a site or a code, or carries
-- a picture, and one in twenty of the rest. The writer chooses neither: the device makes a message's id, but the draw is keyed with what no login can read.
CREATE TABLE support.sample_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key bytea NOT NULL CHECK (length(key) = 32)
);
INSERT INTO support.sample_key (key) SELECT sha256(convert_to(string_agg(gen_random_uuid()::text, ' '), 'UTF8')) FROM generate_series(1, 4);

CREATE TABLE support.sample (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  -- A message of a conversation, or a notice that an operator wrote.
  thread text,
  number integer,
  notice text UNIQUE REFERENCES messages.message (id),
  -- Null for a visitor.
  customer bigint,
  -- As it was sent.
  body text NOT NULL,
  -- The writer; 0 if nobody has the work name that a notice says.
  operator bigint NOT NULL,
  why text NOT NULL CHECK (why IN ('named', 'picture', 'drawn')),
  at timestamptz NOT NULL,
  read_by bigint,
  read_at timestamptz,
  verdict text CHECK (verdict IN ('seen', 'reported')),
  note text CHECK (length(note) BETWEEN 1 AND 1000),
  UNIQUE (thread, number),
  FOREIGN KEY (thread, number) REFERENCES support.message,
  CONSTRAINT of_one CHECK (num_nonnulls(thread, number) IN (0, 2) AND (thread IS NULL) <> (notice IS NULL)),
  -- Nobody reads what they wrote themselves.
  CONSTRAINT by_another CHECK (read_by <> operator),
  CONSTRAINT whole CHECK (num_nonnulls(read_by, read_at, verdict) IN (0, 3) AND coalesce(verdict = 'reported', false) = (note IS NOT NULL))
);
CREATE INDEX sample_waiting ON support.sample (at, id) WHERE read_by IS NULL;
CREATE INDEX sample_reported ON support.sample (read_at DESC) WHERE verdict = 'reported';

-- Money, a site, an account or a code, in six languages and in the figures of each. Figures count however they are spaced.
CREATE FUNCTION support.names_value(_body text) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = support, pg_temp AS $$
  SELECT plain ~* '(usdt|bitcoin|\mbtc\M|\meth\M|\mbaht\M|\mthb\M|\musd\M|[฿$€£¥￥]|\mmoney\M|\mpay|deposit|withdraw|transfer|refund|\mfees?\M|wallet|\mbank|account number|บาท|เงิน|โอน|ฝาก|ถอน|จ่าย|ชำระ|กระเป๋า|钱|元|付款|支付|转账|汇款|充值|提现|提款|钱包|手续费|円|入金|出金|送金|振込|支払|ウォレット|手数料|دفع|تحويل|إيداع|سحب|محفظة|رسوم|पैसे|रुपये|भुगतान|जमा|निकास|ट्रांसफर|वॉलेट|शुल्क)'
    OR plain ~* '(://|\mwww\M|[[:alnum:]-]{2,}(\.|。|\s?\[\.\]\s?|\s?\(\.\)\s?|\sdot\s)[a-z]{2,}|@|telegram|whatsapp|\mline\M|wechat|微信|ไลน์|ライン)'
    OR plain ~* '(\mcodes?\M|\motp\M|\mpins?\M|passwor|passcode|digits|secret|รหัส|พิน|โอทีพี|หลัก|码|口令|密码|コード|暗証|パスワード|桁|رمز|كلمة|أرقام|कोड|पिन|पासवर्ड|ओटीपी|अंक)'
    OR regexp_replace(plain, '[^0-9٠-٩۰-۹०-९๐-๙[:alpha:]]', '', 'g') ~ '[0-9٠-٩۰-۹०-९๐-๙]{5,}'
  FROM (SELECT regexp_replace(normalize(_body, NFKC), '[\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufeff]', '', 'g') AS plain) said
$$;

-- Why a message is read by a second person; null if it is not.
CREATE FUNCTION support.sample_reason(_body text, _has_picture boolean, _seed text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = support, pg_temp AS $$
  SELECT CASE WHEN _has_picture THEN 'picture' WHEN names_value(_body) THEN 'named'
    WHEN get_byte(sha256((SELECT key FROM sample_key) || convert_to(_seed, 'UTF8')), 0) % 20 = 0 THEN 'drawn' END
$$;
CREATE FUNCTION support.draw_sample() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support, pg_temp AS $$
DECLARE
  reason text;
BEGIN
  IF TG_TABLE_SCHEMA = 'support' THEN
    reason := sample_reason(NEW.body, NEW.picture IS NOT NULL, NEW.thread || ' ' || NEW.number || ' ' || NEW.id);
    INSERT INTO sample (thread, number, customer, body, operator, why, at)
    SELECT NEW.thread, NEW.number, t.customer, NEW.body, NEW.operator, reason, clock_timestamp() FROM thread t WHERE t.id = NEW.thread AND reason IS NOT NULL;
  ELSE
    reason := sample_reason(NEW.params ->> 'text', false, NEW.id);
    INSERT INTO sample (notice, customer, body, operator, why, at)
    SELECT NEW.id, NEW.owner, coalesce(NEW.params ->> 'text', ''), coalesce((SELECT o.id FROM operators.operator o WHERE o.work_name = NEW.params ->> 'name'), 0), reason, clock_timestamp()
    WHERE reason IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
-- Two people have approved the text of a ready answer.
CREATE TRIGGER draw_sample AFTER INSERT ON support.message FOR EACH ROW WHEN (NEW.author = 'staff' AND NEW.ready IS NULL) EXECUTE FUNCTION support.draw_sample();
CREATE TRIGGER draw_sample AFTER INSERT ON messages.message FOR EACH ROW WHEN (NEW.template = 'from_staff') EXECUTE FUNCTION support.draw_sample();

-- A message is read once, and nothing else of the row ever changes.
CREATE FUNCTION support.keep_sample() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support, pg_temp AS $$
BEGIN
  IF OLD.read_by IS NOT NULL OR NEW.read_by IS NULL OR 
    (OLD.id, OLD.thread, OLD.number, OLD.notice, OLD.customer, OLD.body, OLD.operator, OLD.why, OLD.at)
      IS DISTINCT FROM (NEW.id, NEW.thread, NEW.number, NEW.notice, NEW.customer, NEW.body, NEW.operator, NEW.why, NEW.at) THEN
    RAISE EXCEPTION 'message % was read already', OLD.id USING ERRCODE = 'SU003';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.operator WHERE id = NEW.read_by AND roles && '{compliance,admin}') THEN
    RAISE EXCEPTION 'operator % reads no messages of others', NEW.read_by USING ERRCODE = 'SU003';
  END IF;
  NEW.read_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER keep_sample BEFORE UPDATE ON support.sample FOR EACH ROW EXECUTE FUNCTION support.keep_sample();
CREATE TRIGGER no_delete BEFORE DELETE ON support.sample FOR EACH ROW EXECUTE FUNCTION support.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON support.sample FOR EACH STATEMENT EXECUTE FUNCTION support.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON support.sample_key FOR EACH ROW EXECUTE FUNCTION support.refuse_change();

REVOKE ALL ON FUNCTION support.names_value, support.sample_reason, support.draw_sample, support.keep_sample FROM PUBLIC;
GRANT SELECT ON support.sample TO sathorn_app, sathorn_checker;
GRANT UPDATE (read_by, read_at, verdict, note) ON support.sample TO sathorn_app;
