package scenario

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// page makes a JSON document of about size bytes, always the same for one title:
// records with numbers in them, which brotli brings to about a third, as it does
// with what APIs send.
func page(title string, size int) []byte {
	h := fnv.New64a()
	_, _ = h.Write([]byte(title))
	rng := rand.New(rand.NewPCG(h.Sum64(), 0))
	var b strings.Builder
	fmt.Fprintf(&b, `{"title":%q,"records":[`, title)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		record(&b, rng)
	}
	b.WriteString("]}\n")
	return []byte(b.String())
}

var kinds = []string{"transfer", "deposit", "refund", "fee", "reversal"}

func record(b *strings.Builder, rng *rand.Rand) {
	fmt.Fprintf(b, `{"id":"%08x","kind":%q,"amount":%d.%02d,"currency":"%s","party":"%s","settled":%t}`,
		rng.Uint32(), kinds[rng.IntN(len(kinds))], rng.IntN(90000), rng.IntN(100),
		[]string{"NGN", "IDR", "USD"}[rng.IntN(3)], party(rng), rng.IntN(2) == 0)
}

func party(rng *rand.Rand) string {
	const syllables = "ka lo mi ra te nu so ba di fe"
	parts := strings.Fields(syllables)
	var b strings.Builder
	for range 3 + rng.IntN(3) {
		b.WriteString(parts[rng.IntN(len(parts))])
	}
	return b.String()
}
