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

func record(b *strings.Builder, rng *rand.Rand) {
	fmt.Fprintf(b, `{"id":"%016x%016x","amount":%d.%02d,"currency":"%s","party":"%s"}`,
		rng.Uint64(), rng.Uint64(), rng.IntN(90000), rng.IntN(100),
		[]string{"NGN", "IDR", "USD"}[rng.IntN(3)], party(rng))
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
