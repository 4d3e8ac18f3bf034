package e2e

import (
	"fmt"
	"strings"
)

// text is one body of the mixed texts: what real messages are made of, and
// what has broken others.
type text struct{ name, body string }

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of %d: the quick brown fox jumps over the lazy dog\n", i+1, n)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// mixed is every kind of text that must arrive once and whole. mark makes each
// body one of a kind.
func mixed(mark string) []text {
	all := []text{
		{"one line", "please rebase onto main"},
		{"three lines", lines(3)},
		{"twelve lines", lines(12)},
		{"forty lines", lines(40)},
		{"300 lines", lines(300)},
		{"50 KB", strings.Repeat("All work and no play makes Jack a dull boy. ", 50<<10/44)},
		{"one long line", strings.Repeat("word ", 155) + "end"},
		{"CJK", "日本語のメッセージ、中文信息，한국어 메시지"},
		{"emoji", "👩‍👩‍👧‍👦 family, 🏳️‍🌈 flag, 👍🏽 thumb"},
		{"right to left", "שלום עולם and مرحبا بالعالم"},
		{"combining", "cafe\u0301 n\u0303andu\u0301 Zu\u0308rich"},
		{"tabs", "a\tb\tc\n\tindented"},
		{"CRLF", "one\r\ntwo\r\nthree"},
		{"bare CR", "one\rtwo"},
		{"leading slash", "/help me with this"},
		{"leading bang", "!ls -la is what I ran"},
		{"trailing backslash", "ends with a backslash \\"},
		{"trailing at word", "ask @bob"},
		{"trailing dollar word", "use $x"},
		{"hash and question mark", "#12 is done?"},
		{"paste end inside", "safe \x1b[201~\rtouch /tmp/parley-owned"},
		{"colour codes", "\x1b[31mred\x1b[0m text"},
		{"NUL and C1", "a\x00b\u0085c\u009bd\x07e\x7ff"},
		{"bidi controls", "abc \u202edef\u202c ghi \u2066jkl\u2069"},
		{"zero width", "zero\u200bwidth, क्\u200dष and می\u200cخواهم"},
		{"no-break space", "a\u00a0b"},
		{"blank lines", "first\n\n\nlast"},
		{"trailing blanks", "spaces at the end   "},
		{"tmux words", "; kill-server #{pid} $HOME `id` 'quoted' \"double\""},
		{"markup", "<b>bold</b> & [Pasted text #1 +3 lines] ```go\nfunc main() {}\n```"},
	}
	for i := range all {
		all[i].body = fmt.Sprintf("%s%d %s", mark, i, all[i].body)
	}
	// These two must begin as they do: the mark goes elsewhere.
	for i, t := range all {
		if t.name == "leading slash" || t.name == "leading bang" {
			_, rest, _ := strings.Cut(t.body, " ")
			all[i].body = rest + fmt.Sprintf(" %s%d", mark, i)
		}
	}
	return all
}

// unseen are texts that a screen does not show whole: tmux has no width for a
// character and drops it, cuts a cell, or a CLI takes a cluster for narrower
// than tmux does and draws over its end.
func unseen(mark string) []text {
	all := []text{
		{"new emoji", "nice \U0001fae8 work \U0001fae9\U0001fae8, and \U0001fac6\U0001fadc in a row"},
		{"new emoji over lines", "first \U0001fae8\nthen \U0001fae9 and more of it, so that this row wraps at its end, wherever the box may have that: \U0001fae8\U0001fae9\nlast \U0001fac6"},
		{"new emoji alone", "\U0001fae8"},
		{"new emoji in sequences", "tone \U0001fae8\U0001f3fd, joined 👩\u200d\U0001fae8, with selector \U0001fae8\ufe0f, marked \U0001fae8\u0301"},
		{"letters of new scripts", "\U00010d50\U00010d51 \U00016d40\U00016d41 \u1c89\u1c8a \u1e0a\U0002ebf0\U00031350"},
		{"unassigned", "a\u0378b\u0530c\U000bef18d\U0001fc55e"},
		{"no characters", "a\ufffeb\uffffc\U0001fffed\U0010ffffe"},
		{"many of them", strings.Repeat("\U0001fae8", 60) + " end"},
		{"private use", "\ue000 \uf8ff \U000f0000 \U0010fffd"},
		{"line separators", "one\u2028two\u2029three"},
		{"many marks", "Z\u0335\u0321\u0353\u031d\u0311\u0301\u0300\u0302\u0303\u0308\u030a\u030c\u0327\u0328algo"},
		{"long emoji", "👩‍👩‍👧‍👦 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🧑🏿‍❤️‍💋‍🧑🏻 👩🏽‍🚀👩👩 ⛹🏽‍♀️ ❤️ 1️⃣ 🇩🇪🇫🇷🇩"},
		{"Thai", "น้ำทำงานช้ามาก กรุณาทำซ้ำและนำผลลัพธ์มาให้ผมดู ขอบคุณสำหรับคำแนะนำทั้งหมด เราจะทำให้เสร็จภายในสัปดาห์นี้ ถ้าไม่มีปัญหาอื่นเพิ่มเติมจากทีมงาน"},
		{"Thai AM alone", "ำ ำำ ำำำ"},
		{"Lao", "ຂໍຂອບໃຈ ຄຳແນະນຳຂອງເຈົ້າດີຫຼາຍ ນ້ຳ ທຳ ຈຳ"},
		{"Hindi", "कृपया पार्सर की जाँच करें, वह अंतिम पंक्ति छोड़ देता है। मैंने शाखा को मुख्य शाखा पर ले जाने की कोशिश की, लेकिन तीन परीक्षण अब भी विफल हो रहे हैं, क्षमा करें।"},
		{"Bengali", "অনুগ্রহ করে পার্সারটি দেখো, এটি শেষ লাইনটি বাদ দেয়। আমি শাখাটি মূল শাখায় নিয়ে যাওয়ার চেষ্টা করেছি, কিন্তু তিনটি পরীক্ষা এখনো ব্যর্থ হচ্ছে। কোনো কিছু জানলে বলো।"},
		{"Tamil", "பாகுபடுத்தியைப் பாருங்கள், அது கடைசி வரியை விட்டுவிடுகிறது. கிளையை முதன்மைக் கிளைக்கு நகர்த்த முயன்றேன், ஆனால் மூன்று சோதனைகள் இன்னும் தோல்வியடைகின்றன."},
		{"Telugu and Kannada", "దయచేసి పార్సర్‌ను చూడండి, అది చివరి పంక్తిని వదిలేస్తుంది. ದಯವಿಟ್ಟು ಪಾರ್ಸರ್ ನೋಡಿ, ಅದು ಕೊನೆಯ ಸಾಲನ್ನು ಬಿಡುತ್ತದೆ, ಮೂರು ಪರೀಕ್ಷೆಗಳು ವಿಫಲವಾಗಿವೆ."},
		{"Malayalam and Sinhala", "ദയവായി പാഴ്സർ നോക്കൂ, അത് അവസാന വരി വിട്ടുകളയുന്നു. കൊച്ചി, കേരളം. කරුණාකර පාර්සරය බලන්න, එය අවසාන පේළිය අත්හරියි. ශ්‍රී ලංකාව."},
		{"Gujarati and Punjabi", "કૃપા કરીને પાર્સર જુઓ, તે છેલ્લી લીટી છોડી દે છે. ਕਿਰਪਾ ਕਰਕੇ ਪਾਰਸਰ ਵੇਖੋ, ਇਹ ਆਖਰੀ ਲਾਈਨ ਛੱਡ ਦਿੰਦਾ ਹੈ। ਤਿੰਨ ਟੈਸਟ ਹਾਲੇ ਵੀ ਫੇਲ੍ਹ ਹੋ ਰਹੇ ਹਨ।"},
		{"Burmese and Khmer", "ကျေးဇူးပြု၍ ပါဆာကို ကြည့်ပါ၊ နောက်ဆုံးစာကြောင်းကို ချန်ထားသည်။ សូមមើលកម្មវិធីវិភាគ វាលុបបន្ទាត់ចុងក្រោយ ។ ការសាកល្បងបីនៅតែបរាជ័យ ។"},
		{"Tibetan", "བོད་ཡིག་གི་ཚིག་ཐུང་ངུ་ཞིག་ཡིན། རྒྱལ་པོ། ཧཱུྃ ༀ་མ་ཎི་པདྨེ་ཧཱུྃ།"},
		{"Arabic and Hebrew with their vowels", "السَّلَامُ عَلَيْكُمْ وَرَحْمَةُ اللَّهِ، ﷺ و ٱلْكِتَابُ. שָׁלוֹם עֲלֵיכֶם, בְּרֵאשִׁית בָּרָא"},
		{"letters in parts", "Vie\u0323\u0302t Nam, \u1112\u1161\u11ab\u1100\u1173\u11af, か\u3099き\u3099, e\u0301te\u0301, \u1112\u119e\u11ab"},
		{"half-width kana", "ﾊﾟｰｻｰｶﾞ最後ﾉ行ｦ落ﾄｽ｡ ﾃﾞｰﾀﾍﾞｰｽ"},
	}
	for i := range all {
		all[i].body = fmt.Sprintf("%s%d %s", mark, i, all[i].body)
	}
	return all
}
