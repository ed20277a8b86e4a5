-- Customer service: one conversation per customer, whose messages are numbered without a gap. So a device that was away
-- can request the messages after the last number it has.
CREATE SCHEMA support;
GRANT USAGE ON SCHEMA support TO sathorn_app, sathorn_checker;

-- One conversation, of a customer or of a visitor.
CREATE TABLE support.thread (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  customer bigint UNIQUE CHECK (customer > 0),
  -- The language in which the customer last wrote.
  language text NOT NULL CHECK (language IN ('en', 'zh', 'th', 'jp', 'ar', 'hi')),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  -- The numbers of the newest message, and of the newest by staff.
  last integer NOT NULL DEFAULT 0 CHECK (last >= 0),
  last_of_staff integer NOT NULL DEFAULT 0 CHECK (last_of_staff BETWEEN 0 AND last),
  last_at timestamptz,
  -- Since when the customer has waited for an answer; null if nobody waits.
  waiting_since timestamptz,
  -- The operator to whom it is assigned.
  assigned_to bigint,
  -- The desk whose inbox contains it.
  desk text NOT NULL DEFAULT 'support' CHECK (desk IN ('support', 'compliance')),
  read_by_customer integer NOT NULL DEFAULT 0 CHECK (read_by_customer BETWEEN 0 AND last),
  read_by_staff integer NOT NULL DEFAULT 0 CHECK (read_by_staff BETWEEN 0 AND last),
  -- The newest unread answer about which the customer was notified.
  noticed integer NOT NULL DEFAULT 0,
  customer_types_until timestamptz,
  staff_types_until timestamptz,
  changed bigint NOT NULL DEFAULT 0,
  contact_kind text CHECK (contact_kind IN ('phone', 'email')),
  contact text CHECK (length(contact) BETWEEN 3 AND 254),
  -- The reference by which the visitor can name the conversation later.
  reference text UNIQUE CHECK (reference ~ '^V-[2-9A-HJ-NP-Z]{8}$'),
  CONSTRAINT thread_of_somebody CHECK (num_nulls(contact_kind, contact, reference) = CASE WHEN customer IS NULL THEN 0
    ELSE 3 END)
);
CREATE INDEX thread_waiting ON support.thread (waiting_since, id) WHERE waiting_since IS NOT NULL;
CREATE INDEX thread_latest ON support.thread (last_at DESC, id);
CREATE INDEX thread_unread ON support.thread (last_at) WHERE last_of_staff > read_by_customer
  AND noticed < last_of_staff;
CREATE INDEX thread_changed ON support.thread (changed DESC);
GRANT SELECT, INSERT (id, customer, language, contact_kind, contact, reference),
  UPDATE (language, state, last, last_of_staff, last_at, waiting_since, assigned_to, desk, read_by_customer,
  read_by_staff, noticed, customer_types_until, staff_types_until) ON support.thread TO sathorn_app;
GRANT SELECT (id, customer, last, last_of_staff, read_by_customer, read_by_staff) ON support.thread
  TO sathorn_checker;

-- One message of a conversation.
CREATE TABLE support.message (
  thread text NOT NULL REFERENCES support.thread,
  number integer NOT NULL CHECK (number > 0),
  -- Created by the device with the message, so that a repeated request is the same message.
  id uuid NOT NULL,
  author text NOT NULL CHECK (author IN ('customer', 'visitor', 'staff')),
  -- The operator who wrote it, with their work name at that time.
  operator bigint,
  work_name text,
  body text NOT NULL CHECK (length(body) <= 4000),
  -- The id of an encrypted file that belongs to the customer.
  picture text CHECK (picture ~ '^[A-Za-z0-9_-]{22}$'),
  -- The ready answer that was used.
  ready text,
  at timestamptz NOT NULL,
  -- How long the customer had waited for this answer.
  waited_ms bigint CHECK (waited_ms >= 0),
  PRIMARY KEY (thread, number),
  UNIQUE (thread, id),
  CHECK ((author = 'staff') = (operator IS NOT NULL)),
  CHECK ((operator IS NULL) = (work_name IS NULL)),
  CHECK (body <> '' OR picture IS NOT NULL)
);
CREATE INDEX message_waited ON support.message (at DESC) WHERE waited_ms IS NOT NULL;
-- A message that is sent twice is stored once.
CREATE UNIQUE INDEX message_of_visitor ON support.message (id) WHERE author = 'visitor';
GRANT SELECT, INSERT ON support.message TO sathorn_app;
GRANT SELECT (thread, number, author, operator, at) ON support.message TO sathorn_checker;

-- Actions of staff on a conversation other than answers.
CREATE TABLE support.step (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  thread text NOT NULL REFERENCES support.thread,
  what text NOT NULL CHECK (what IN ('taken', 'handed_over', 'closed', 'noted')),
  operator bigint NOT NULL,
  work_name text NOT NULL,
  -- The work name or desk that it was handed over to.
  handed_to text,
  note text CHECK (length(note) <= 1000),
  at timestamptz NOT NULL
);
CREATE INDEX step_of_thread ON support.step (thread, n);
GRANT SELECT, INSERT (thread, what, operator, work_name, handed_to, note, at) ON support.step TO sathorn_app;

-- Ready answers in every language, approved by two people. The newest version is used.
CREATE TABLE support.ready_answer (
  code text NOT NULL CHECK (code ~ '^[a-z][a-z0-9-]{1,39}$'),
  version integer NOT NULL CHECK (version > 0),
  -- By language, at least English and Thai.
  texts jsonb NOT NULL CHECK (jsonb_typeof(texts) = 'object' AND texts ? 'en' AND texts ? 'th'),
  -- Null if it was shipped with the software.
  approval uuid,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (code, version)
);
-- The first ready answers. Newer versions are proposed in the console and approved by a second person.
INSERT INTO support.ready_answer (code, version, texts) VALUES
  ('never-pay', 1, '{"en": "Sathorn never asks for money before a withdrawal, for any reason: no tax, no unlocking fee, no deposit. Please don’t pay anyone who says so. Tell us here who contacted you and how.", "th": "Sathorn ไม่เรียกเก็บเงินก่อนการถอนไม่ว่ากรณีใด ทั้งภาษี ค่าปลดล็อก หรือเงินประกัน กรุณาอย่าโอนให้ผู้ที่แอบอ้าง และแจ้งเราที่นี่ว่าใครติดต่อคุณและผ่านช่องทางใด", "zh": "Sathorn 绝不会在提现前以任何理由收取款项：没有税款、没有解冻费、没有保证金。请不要向任何这样说的人付款，并在此告诉我们是谁、通过什么方式联系您的。", "jp": "Sathorn が出金の前にお金を求めることは、税金・解除手数料・保証金など、いかなる理由でもありません。そのように言う人には支払わず、誰からどのように連絡があったかをここでお知らせください。", "ar": "لا تطلب Sathorn أي مبلغ قبل السحب لأي سبب: لا ضريبة ولا رسوم فك ولا تأمين. لا تدفع لمن يقول ذلك، وأخبرنا هنا من تواصل معك وكيف.", "hi": "Sathorn निकासी से पहले किसी भी कारण से पैसे नहीं माँगता: न टैक्स, न अनलॉक शुल्क, न ज़मानत। ऐसा कहने वाले को भुगतान न करें, और हमें यहाँ बताएँ कि किसने और कैसे संपर्क किया।"}'::jsonb),
  ('late-withdrawal', 1, '{"en": "I’m sorry that your withdrawal is taking longer than published. Its page shows why it waits and by when it was promised. I can’t approve it or make it faster, but I have told the people who check withdrawals. Until it is approved you may cancel it yourself.", "th": "ขออภัยที่รายการถอนของคุณใช้เวลานานกว่าที่ประกาศไว้ หน้ารายการแสดงเหตุผลที่รอและกำหนดเวลาที่สัญญาไว้ ฝ่ายบริการอนุมัติหรือเร่งรายการไม่ได้ แต่ได้แจ้งผู้ตรวจสอบรายการถอนแล้ว ก่อนอนุมัติคุณยกเลิกรายการเองได้", "zh": "很抱歉，您的提现超过了公布的时间。提现详情页会显示等待原因和承诺时间。我无法批准或加快，但已通知负责审核提现的同事。批准之前您可以自行取消。", "jp": "出金が公表の時間より遅れており、申し訳ございません。出金の詳細画面に、待っている理由とお約束の時刻が表示されます。私が承認したり早めたりすることはできませんが、審査の担当者に伝えました。承認前であれば、ご自身で取り消せます。", "ar": "نعتذر لأن سحبك يستغرق وقتًا أطول من المعلن. تعرض صفحته سبب الانتظار والموعد الموعود. لا أستطيع الموافقة عليه أو تسريعه، لكنني أبلغت من يراجعون عمليات السحب. يمكنك إلغاؤه بنفسك قبل الموافقة.", "hi": "क्षमा करें, आपकी निकासी में प्रकाशित समय से अधिक लग रहा है। उसके पेज पर प्रतीक्षा का कारण और वादा किया गया समय दिखता है। मैं उसे स्वीकृत या तेज़ नहीं कर सकता, पर जाँच करने वालों को बता दिया है। स्वीकृति से पहले आप उसे स्वयं रद्द कर सकते हैं।"}'::jsonb),
  ('check-receipt', 1, '{"en": "Every settled option has a receipt. Open the order, then “Verify”: your own phone checks the signed prices, the rule and the arithmetic. If you still disagree, open a dispute there. Two people look at it within 3 days, and the result is recomputed, never chosen.", "th": "ออปชันที่สิ้นสุดแล้วทุกรายการมีใบรับรองผล เปิดรายการแล้วกด “ตรวจสอบ” โทรศัพท์ของคุณจะตรวจราคาที่ลงนาม กติกา และการคำนวณเอง หากยังไม่เห็นด้วย เปิดข้อพิพาทได้ที่นั่น เจ้าหน้าที่สองคนจะพิจารณาภายใน 3 วัน โดยคำนวณผลใหม่ ไม่มีการเลือกผล", "zh": "每笔已结算的期权都有凭证。打开订单，点击“验证”：您自己的手机会核对已签名的价格、规则和计算。如果仍有异议，可在该处发起争议。两名工作人员将在 3 天内审核，结果由重新计算得出，绝不人为选定。", "jp": "決済済みのオプションには必ず明細の証明があります。注文を開いて「検証」を押すと、お手元の端末が署名済みの価格、ルール、計算を確認します。それでもご納得いただけない場合は、そこから異議を申し立てられます。2名が3日以内に確認し、結果は再計算され、選ばれることはありません。", "ar": "لكل خيار تمت تسويته إيصال. افتح الأمر ثم «تحقق»: يفحص هاتفك الأسعار الموقعة والقاعدة والحساب بنفسه. إن بقيت غير موافق، فافتح اعتراضًا من هناك. ينظر فيه شخصان خلال 3 أيام، وتُحسب النتيجة من جديد ولا تُختار أبدًا.", "hi": "हर निपटाए गए ऑप्शन की रसीद होती है। ऑर्डर खोलें और “सत्यापित करें” दबाएँ: आपका अपना फ़ोन हस्ताक्षरित क़ीमतें, नियम और गणना जाँचता है। फिर भी असहमत हों तो वहीं विवाद खोलें। दो लोग 3 दिन में देखते हैं, और परिणाम फिर से गिना जाता है, चुना नहीं जाता।"}'::jsonb),
  ('new-address-24h', 1, '{"en": "For your safety, withdrawals to a new address or card start 24 hours after it was added, and 24 hours after a password was changed. Nobody can shorten that, not customer service and not any other operator. The withdrawal’s page shows the time.", "th": "เพื่อความปลอดภัย การถอนไปยังที่อยู่หรือบัญชีใหม่เริ่มได้หลังเพิ่มไว้ 24 ชั่วโมง และ 24 ชั่วโมงหลังเปลี่ยนรหัสผ่าน ไม่มีใครย่นเวลานี้ได้ รวมทั้งฝ่ายบริการและเจ้าหน้าที่ทุกคน หน้ารายการถอนแสดงเวลาไว้แล้ว", "zh": "为了您的安全，新地址或新银行卡需在添加 24 小时后才能提现，修改密码后同样需要 24 小时。任何人都不能缩短这段时间，包括客服和其他工作人员。提现详情页会显示时间。", "jp": "安全のため、新しいアドレスや口座への出金は追加から24時間後、パスワード変更後も24時間後から始まります。この時間は、カスタマーサポートを含め誰にも短くできません。時刻は出金の画面に表示されます。", "ar": "لسلامتك، يبدأ السحب إلى عنوان أو بطاقة جديدة بعد 24 ساعة من إضافتها، وبعد 24 ساعة من تغيير كلمة المرور. لا أحد يستطيع تقصير ذلك، لا خدمة العملاء ولا أي موظف آخر. تعرض صفحة السحب الوقت.", "hi": "आपकी सुरक्षा के लिए नए पते या कार्ड पर निकासी उसे जोड़ने के 24 घंटे बाद, और पासवर्ड बदलने के 24 घंटे बाद शुरू होती है। इसे कोई कम नहीं कर सकता, न ग्राहक सेवा, न कोई और कर्मचारी। समय निकासी के पेज पर दिखता है।"}'::jsonb),
  ('slip-matching', 1, '{"en": "Thank you for the slip. A person of finance compares it with the bank’s own list: amount, reference and name must agree. That usually takes less than 30 minutes in working hours. You will get a notice when it is credited, or with the reason if it can’t be.", "th": "ขอบคุณสำหรับสลิป เจ้าหน้าที่การเงินจะเทียบกับรายการของธนาคาร โดยจำนวนเงิน หมายเลขอ้างอิง และชื่อต้องตรงกัน ปกติใช้เวลาไม่เกิน 30 นาทีในเวลาทำการ เมื่อเงินเข้าบัญชีคุณจะได้รับแจ้ง หรือได้รับเหตุผลหากทำไม่ได้", "zh": "感谢您提供凭证。财务人员会与银行流水核对：金额、附言和姓名必须一致。工作时间内通常不超过 30 分钟。入账后您会收到通知；如无法入账，会告知原因。", "jp": "振込明細をありがとうございます。経理の担当者が銀行の明細と照合します。金額、参照番号、お名前が一致する必要があります。営業時間内なら通常30分以内です。入金されたとき、またはできない理由があるときにお知らせします。", "ar": "شكرًا على الإيصال. يقارنه موظف مالي بكشف البنك: يجب أن يتطابق المبلغ والمرجع والاسم. يستغرق ذلك عادة أقل من 30 دقيقة في أوقات العمل. يصلك إشعار عند الإضافة، أو السبب إن تعذرت.", "hi": "पर्ची के लिए धन्यवाद। वित्त का कर्मचारी उसे बैंक की सूची से मिलाता है: राशि, संदर्भ और नाम एक होने चाहिए। काम के समय में इसमें आम तौर पर 30 मिनट से कम लगते हैं। राशि जुड़ने पर, या न जुड़ पाने का कारण, आपको सूचना में मिलेगा।"}'::jsonb),
  ('who-we-are', 1, '{"en": "We never ask for your password, your payment password, a code or your recovery words, here or by phone. If somebody does, it isn’t us: end the talk and, if you typed anything, freeze your account under “Security”.", "th": "เราไม่ขอรหัสผ่าน รหัสชำระเงิน รหัสยืนยัน หรือคำกู้คืนของคุณ ทั้งที่นี่และทางโทรศัพท์ หากมีผู้ขอ ผู้นั้นไม่ใช่เรา กรุณายุติการสนทนา และหากคุณกรอกข้อมูลไปแล้ว ให้ระงับบัญชีที่หน้า “ความปลอดภัย”", "zh": "无论在此处还是通过电话，我们绝不索要您的登录密码、支付密码、验证码或助记词。如果有人索要，那不是我们：请结束对话；如果您已输入任何内容，请在“安全”页面冻结账户。", "jp": "ここでも電話でも、パスワード、支払い暗証番号、コード、復元フレーズをお尋ねすることは絶対にありません。尋ねられた場合、それは当社ではありません。会話を終え、何か入力してしまった場合は「セキュリティ」からアカウントを凍結してください。", "ar": "لا نطلب أبدًا كلمة مرورك أو كلمة مرور الدفع أو رمزًا أو كلمات الاسترداد، لا هنا ولا بالهاتف. إن طلبها أحد فليس منا: أنهِ الحديث، وإن كتبت شيئًا فجمّد حسابك من صفحة «الأمان».", "hi": "हम आपका पासवर्ड, भुगतान पासवर्ड, कोड या रिकवरी शब्द कभी नहीं माँगते, न यहाँ, न फ़ोन पर। कोई माँगे तो वह हम नहीं हैं: बातचीत बंद करें, और कुछ लिख दिया हो तो “सुरक्षा” पेज से अपना खाता फ़्रीज़ करें।"}'::jsonb);
GRANT SELECT ON support.ready_answer TO sathorn_app, sathorn_checker;
GRANT INSERT (code, version, texts, approval) ON support.ready_answer TO sathorn_app;

CREATE FUNCTION support.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on support.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'SU001';
END $$;

-- Numbers every change of a conversation, so that operators' pages know which conversation to read again.
CREATE SEQUENCE support.thread_change;

-- Numbers each change of a conversation, for operators who follow them.
CREATE FUNCTION support.count_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support,
  pg_temp AS $$
BEGIN
  NEW.changed := nextval('support.thread_change');
  RETURN NEW;
END $$;
CREATE TRIGGER count_change BEFORE INSERT OR UPDATE ON support.thread FOR EACH ROW
  EXECUTE FUNCTION support.count_change();

-- Requires the approval of two people for a ready answer, because many customers get it as the platform's own word.
CREATE FUNCTION support.check_ready() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support,
  pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'support'), 'MEMBER') THEN RETURN NEW; END IF;
  IF NOT support.is_approved(NEW) THEN RAISE EXCEPTION 'nobody approved the answer % %', NEW.code, NEW.version USING ERRCODE = 'SU002'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approved BEFORE INSERT ON support.ready_answer FOR EACH ROW EXECUTE FUNCTION support.check_ready();

-- True if two people approved exactly this ready answer.
CREATE FUNCTION support.is_approved(_answer support.ready_answer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = support, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a WHERE a.id = _answer.approval AND a.kind = 'ready_answer' AND a.subject = _answer.code AND a.status = 'approved'
    AND a.content::jsonb ->> 'version' = _answer.version::text
    AND (SELECT jsonb_object_agg(substr(name, 6), text) FROM jsonb_each_text(a.content::jsonb) AS given(name, text) WHERE name LIKE 'text\_%') = _answer.texts
    AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by))
$$;

-- Requires that visitors write in visitors' conversations, and customers in customers'.
CREATE FUNCTION support.check_author() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support,
  pg_temp AS $$
BEGIN
  IF NEW.author <> 'staff' AND (NEW.author = 'visitor') <> (SELECT customer IS NULL FROM support.thread WHERE id = NEW.thread) THEN
    RAISE EXCEPTION 'a visitor is no customer: conversation %', NEW.thread USING ERRCODE = 'SU003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_author BEFORE INSERT ON support.message FOR EACH ROW EXECUTE FUNCTION support.check_author();

-- The key of the draw of samples. Operators write to customers alone, as the platform's voice. So another person reads
-- a share: messages that name money, a site or a code, or contain a picture, and one in twenty of the rest. The writer
-- cannot influence the draw: the device creates a message's id, but the key is readable by no login.
CREATE TABLE support.sample_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key bytea NOT NULL CHECK (length(key) = 32)
);
INSERT INTO support.sample_key (key) SELECT sha256(convert_to(string_agg(gen_random_uuid()::text, ' '), 'UTF8')) FROM generate_series(1, 4);

-- Messages of operators that a second person reads.
CREATE TABLE support.sample (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  -- The conversation of the message; null for a notice that an operator wrote.
  thread text,
  number integer,
  notice text UNIQUE REFERENCES messages.message (id),
  -- Null for a visitor.
  customer bigint,
  -- The text as it was sent.
  body text NOT NULL,
  -- The writer; 0 if nobody has the work name in the notice.
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
  -- Nobody may read their own messages as a sample.
  CONSTRAINT by_another CHECK (read_by <> operator),
  CONSTRAINT whole CHECK (num_nonnulls(read_by, read_at, verdict) IN (0, 3)
    AND coalesce(verdict = 'reported', false) = (note IS NOT NULL))
);
CREATE INDEX sample_waiting ON support.sample (at, id) WHERE read_by IS NULL;
CREATE INDEX sample_reported ON support.sample (read_at DESC) WHERE verdict = 'reported';
GRANT SELECT ON support.sample TO sathorn_app, sathorn_checker;
GRANT UPDATE (read_by, read_at, verdict, note) ON support.sample TO sathorn_app;

-- True if a text names money, a site, an account or a code, in six languages and in the digits of each, however they
-- are spaced.
CREATE FUNCTION support.names_value(_body text) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = support,
  pg_temp AS $$
  SELECT plain ~* '(usdt|bitcoin|\mbtc\M|\meth\M|\mbaht\M|\mthb\M|\musd\M|[฿$€£¥￥]|\mmoney\M|\mpay|deposit|withdraw|transfer|refund|\mfees?\M|wallet|\mbank|account number|บาท|เงิน|โอน|ฝาก|ถอน|จ่าย|ชำระ|กระเป๋า|钱|元|付款|支付|转账|汇款|充值|提现|提款|钱包|手续费|円|入金|出金|送金|振込|支払|ウォレット|手数料|دفع|تحويل|إيداع|سحب|محفظة|رسوم|पैसे|रुपये|भुगतान|जमा|निकास|ट्रांसफर|वॉलेट|शुल्क)'
    OR plain ~* '(://|\mwww\M|[[:alnum:]-]{2,}(\.|。|\s?\[\.\]\s?|\s?\(\.\)\s?|\sdot\s)[a-z]{2,}|@|telegram|whatsapp|\mline\M|wechat|微信|ไลน์|ライン)'
    OR plain ~* '(\mcodes?\M|\motp\M|\mpins?\M|passwor|passcode|digits|secret|รหัส|พิน|โอทีพี|หลัก|码|口令|密码|コード|暗証|パスワード|桁|رمز|كلمة|أرقام|कोड|पिन|पासवर्ड|ओटीपी|अंक)'
    OR regexp_replace(plain, '[^0-9٠-٩۰-۹०-९๐-๙[:alpha:]]', '', 'g') ~ '[0-9٠-٩۰-۹०-९๐-๙]{5,}'
  FROM (SELECT regexp_replace(normalize(_body, NFKC), '[\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufeff]', '', 'g') AS plain) said
$$;

-- Why a second person reads a message; null if nobody does.
CREATE FUNCTION support.sample_reason(_body text, _has_picture boolean, _seed text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = support, pg_temp AS $$
  SELECT CASE WHEN _has_picture THEN 'picture' WHEN names_value(_body) THEN 'named'
    WHEN get_byte(sha256((SELECT key FROM sample_key) || convert_to(_seed, 'UTF8')), 0) % 20 = 0 THEN 'drawn' END
$$;

-- Draws the messages that a second person reads, when they are written.
CREATE FUNCTION support.draw_sample() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support,
  pg_temp AS $$
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
-- Skips ready answers, whose text two people have approved.
CREATE TRIGGER draw_sample AFTER INSERT ON support.message FOR EACH ROW
  WHEN (NEW.author = 'staff' AND NEW.ready IS NULL) EXECUTE FUNCTION support.draw_sample();
CREATE TRIGGER draw_sample AFTER INSERT ON messages.message FOR EACH ROW WHEN (NEW.template = 'from_staff')
  EXECUTE FUNCTION support.draw_sample();

-- Allows a message to be read once; nothing else of the row changes.
CREATE FUNCTION support.keep_sample() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = support,
  pg_temp AS $$
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

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['support.message', 'support.step', 'support.ready_answer'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION support.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION support.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['support.sample_key'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION support.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['support.thread', 'support.sample'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION support.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION support.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA support FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support.is_approved TO sathorn_app, sathorn_checker;
