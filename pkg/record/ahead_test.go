package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// outcome is everything a caller can see of a run file.
type outcome struct {
	Exchanges []record.Exchange
	Err       string
	Counts    record.Counts
	End       record.End
	Ended     bool
	Warnings  []string
}

// readEach reads data with Next, one exchange after the other.
func readEach(t testing.TB, data []byte, skip record.Parts) outcome {
	t.Helper()
	r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{Name: "f.jsonl", Skip: skip})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var o outcome
	var x record.Exchange
	for err = r.Next(&x); err == nil; err = r.Next(&x) {
		o.Exchanges = append(o.Exchanges, x.Clone())
	}
	return o.finish(r, err)
}

// readAhead reads data with All.
func readAhead(t testing.TB, data []byte, skip record.Parts) outcome {
	t.Helper()
	r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{Name: "f.jsonl", Skip: skip})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var o outcome
	var last error
	for x, err := range r.All() {
		if last = err; err == nil {
			o.Exchanges = append(o.Exchanges, x.Clone())
		}
	}
	return o.finish(r, last)
}

func (o outcome) finish(r *record.Reader, err error) outcome {
	if err != nil && err != io.EOF {
		o.Err = err.Error()
	}
	o.Counts, o.Warnings = r.Counts(), r.Warnings()
	o.End, o.Ended = r.End()
	return o
}

func sameBothWays(t *testing.T, data []byte, skip record.Parts) outcome {
	t.Helper()
	want, got := readEach(t, data, skip), readAhead(t, data, skip)
	if d := cmp.Diff(want, got, compareSplits); d != "" {
		t.Errorf("Next and All differ (-Next +All):\n%s", d)
	}
	return want
}

// manyLines is a file of several blocks in which neighbouring lines differ in what they hold.
func manyLines(t testing.TB, opts record.WriteOptions, end bool) []byte {
	var xs []record.Exchange
	for i := range 300 {
		x := usualExchange(i)
		switch {
		case i%7 == 3:
			x = fullExchange()
		case i%11 == 5:
			x.TLS, x.Headers = nil, nil
		case i%13 == 8:
			x.Headers = record.Fields{"cf-ray": {"a", "b"}, "age": {fmt.Sprint(i)}}
		}
		x.Seq = i
		xs = append(xs, x)
	}
	return writeFile(t, opts, end, xs...)
}

func TestReadingAheadIsReadingInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for name, opts := range map[string]record.WriteOptions{"plain": {}, "zstd": {Compress: true}} {
		for _, end := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " end ", end), func(t *testing.T) {
				data := manyLines(t, opts, end)
				for _, skip := range []record.Parts{0, record.PartHeaders, record.PartAll} {
					if o := sameBothWays(t, data, skip); len(o.Exchanges) != 300 || o.Ended != end || len(o.Warnings) != 1 {
						t.Errorf("skip %b: %d exchanges, ended %v, warnings %q", skip, len(o.Exchanges), o.Ended, o.Warnings)
					}
				}
			})
		}
	}
}

// TestReadingAheadStopsWhereReadingDoes damages a file in every way a reader tells apart: the errors
// name the same line, and nothing behind it is seen.
func TestReadingAheadStopsWhereReadingDoes(t *testing.T) {
	lines := strings.SplitAfter(string(manyLines(t, record.WriteOptions{}, true)), "\n")
	for name, bad := range map[string]string{
		"no JSON":        "{\"type\":\"exchange\",\n",
		"not an object":  "7\n",
		"unknown route":  strings.Replace(lines[1], `"route":"before"`, `"route":"elsewhere"`, 1),
		"does not tile":  strings.Replace(lines[1], `"total_ns":`, `"total_ns":1`, 1),
		"second run":     lines[0],
		"early end":      lines[len(lines)-2],
		"no type":        "{}\n",
		"later version":  "{\"type\":\"remark\",\"x\":[1]}\n",
		"blank":          " \n\n",
		"cut off within": lines[1][:len(lines[1])/2],
	} {
		t.Run(name, func(t *testing.T) {
			for _, at := range []int{1, 64, 65, 200, 300} {
				damaged := strings.Join(lines[:at], "") + bad
				rest := strings.Join(lines[at:], "")
				if name == "cut off within" {
					rest = ""
				}
				o := sameBothWays(t, []byte(damaged+rest), 0)
				if o.Err != "" && !strings.HasPrefix(o.Err, fmt.Sprintf("f.jsonl:%d: ", at+1)) && name != "early end" {
					t.Errorf("at %d: %s", at, o.Err)
				}
			}
		})
	}
}

func TestReadingAheadOfAnythingIsReading(t *testing.T) {
	data := manyLines(t, record.WriteOptions{}, true)
	first := bytes.IndexByte(data, '\n') + 1
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		sameBothWays(t, append(bytes.Clone(data[:first]), mutate(rng, data[first:])...), 0)
	}
	packed := manyLines(t, record.WriteOptions{Compress: true}, true)
	for range 20 {
		sameBothWays(t, packed[:first+rng.IntN(len(packed)-first)], 0)
	}
}

// failingReader breaks in the middle of a file.
type failingReader struct{ r io.Reader }

var errDisk = errors.New("disk on fire")

func (f failingReader) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}

func TestReadingAheadTellsWhatTheFileFailedWith(t *testing.T) {
	data := manyLines(t, record.WriteOptions{}, true)
	r, err := record.NewReader(failingReader{bytes.NewReader(data[:len(data)/2])}, record.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n, last := 0, error(nil)
	for _, err := range r.All() {
		n, last = n+1, err
	}
	if !errors.Is(last, errDisk) || n < 100 {
		t.Errorf("%d exchanges, error %v", n, last)
	}
	for _, err := range r.All() {
		last = err
	}
	if x := (record.Exchange{}); !errors.Is(last, errDisk) || !errors.Is(r.Next(&x), errDisk) {
		t.Error("the error is not returned again")
	}
}

// watched counts the reads that come after the caller has left; unguarded, so that the race detector
// sees a reader that nobody waited for.
type watched struct {
	io.Reader
	left  bool
	after int
}

func (w *watched) Read(p []byte) (int, error) {
	if w.left {
		w.after++
	}
	return w.Reader.Read(p)
}

func TestLeavingEarlyLeavesTheFileAlone(t *testing.T) {
	data := manyLines(t, record.WriteOptions{}, true)
	for range 20 {
		file := &watched{Reader: iotest.HalfReader(bytes.NewReader(data))}
		r, err := record.NewReader(file, record.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for x, err := range r.All() {
			if err != nil || x.Seq == 70 {
				break
			}
		}
		file.left = true
		x := record.Exchange{}
		if err := r.Next(&x); err == nil || err == io.EOF || file.after > 0 {
			t.Errorf("Next after leaving early: %v, %d reads", err, file.after)
		}
	}
}

func TestExpectedIsAboutTheNumberOfLines(t *testing.T) {
	for name, file := range map[string][]byte{
		"plain": usualFile(t, record.WriteOptions{}, benchLines), "packed": usualFile(t, record.WriteOptions{Batch: true, Compress: true}, benchLines),
	} {
		size := int64(len(file))
		for _, told := range []int64{0, size} {
			r, err := record.NewReader(bytes.NewReader(file), record.ReadOptions{Size: told})
			if err != nil {
				t.Fatal(err)
			}
			n, early := 0, 0
			for range r.All() {
				if n++; n == benchLines/2 {
					early = r.Expected()
				}
			}
			if told == 0 && early != 0 || told > 0 && (early < n*8/10 || early > n*12/10) {
				t.Errorf("%s of %d bytes, told %d: expected %d lines, there are %d exchanges", name, size, told, early, n)
			}
			r.Close()
		}
	}
}
