package reading

import "testing"

func TestGrowingKeepsEveryValueWhateverIsExpected(t *testing.T) {
	const rows = 5*pieceRows + 7
	for name, expect := range map[string]expected{
		"nothing":   nil,
		"the truth": func(int) int { return rows },
		"too few":   func(int) int { return 3 * pieceRows },
		"far more":  func(int) int { return 1 << 40 },
		"nonsense":  func(int) int { return -1 },
	} {
		g := growing[int64]{expect: expect}
		for i := range int64(rows) {
			g.add(i)
		}
		if most := cap(g.last); most > 2*mostAhead*pieceRows {
			t.Errorf("%s: room for %d values was made at once", name, most)
		}
		got := g.join()
		for i, v := range got {
			if v != int64(i) {
				t.Fatalf("%s: value %d is %d", name, i, v)
			}
		}
		if len(got) != rows {
			t.Errorf("%s: %d values, want %d", name, len(got), rows)
		}
	}
}
