-- A ready answer named the payment password in Hindi by a word that the app does not use, so that a customer could think
-- of another secret. Messages keep the text that was sent, so only the row that came with the software changes. A
-- version that two people approved stays as they approved it.
ALTER TABLE support.ready_answer DISABLE TRIGGER append_only;
UPDATE support.ready_answer SET texts = jsonb_set(texts, '{hi}', to_jsonb(replace(texts ->> 'hi', 'भुगतान पासवर्ड', 'पेमेंट PIN')))
  WHERE code = 'who-we-are' AND version = 1 AND approval IS NULL
    AND texts ->> 'hi' = 'हम आपका पासवर्ड, भुगतान पासवर्ड, कोड या रिकवरी शब्द कभी नहीं माँगते, न यहाँ, न फ़ोन पर। कोई माँगे तो वह हम नहीं हैं: बातचीत बंद करें, और कुछ लिख दिया हो तो “सुरक्षा” पेज से अपना खाता फ़्रीज़ करें।';
ALTER TABLE support.ready_answer ENABLE TRIGGER append_only;
