package geo

import (
	"strings"
	"sync"
)

// letters lists the Latin letters with marks that city names use, each after
// the plain letters it is compared as. Combining marks are dropped apart.
const letters = `a àáâãäåāăąǎạảấầẩẫậắằẳẵặɑ
ae æ
b ḃ
c çćĉċč
d ďđḍḑð
e èéêëēĕėęěẹẻẽếềểễệəǝ
g ĝğġģǧ
h ĥħḥḩẖ
i ìíîïĩīĭįıǐịỉ
j ĵ
k ķǩḳ
l ĺļľŀłḷ
n ñńņňŋṇ
o òóôõöøōŏőơǒọỏốồổỗộớờởỡợ
oe œ
r ŕŗřṛ
s śŝşšșṣ
ss ß
t ţťŧțṭ
th þ
u ùúûüũūŭůűųưǔụủứừửữự
w ŵẁẃẅ
y ýÿŷỳỵỷỹ
z źżžẓ`

var plainOnce = sync.OnceValue(plainLetters)

// Fold returns the spelling under which names are compared: lower case, marks
// dropped (ß as ss), everything but letters and digits as single spaces, "st"
// as "saint". "São-Paulo" and "sao paulo" fold alike. Letters of other
// scripts are kept.
func Fold(name string) string {
	plain := plainOnce()
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 0x300 && r <= 0x36f, r == '\'', r == '’', r == 'ʻ', r == '‘', r == '`':
		case plain[r] != "":
			b.WriteString(plain[r])
		case r < 0x80 && !isWord(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	words := strings.Fields(b.String())
	for i, w := range words {
		if w == "st" {
			words[i] = "saint"
		}
	}
	return strings.Join(words, " ")
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
}

func plainLetters() map[rune]string {
	m := map[rune]string{}
	for line := range strings.Lines(letters) {
		to, from, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, r := range from {
			m[r] = to
		}
	}
	return m
}
