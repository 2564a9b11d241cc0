package record_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

var compareSplits = cmp.Comparer(func(a, b segment.Split) bool { return a == b })

func writeFile(t testing.TB, opts record.WriteOptions, end bool, xs ...record.Exchange) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := record.NewWriter(&out, opts)
	if err == nil {
		err = w.Run(fullRun())
	}
	for i := range xs {
		if err == nil {
			err = w.Exchange(&xs[i])
		}
	}
	if err == nil && end {
		err = w.End(record.End{Counts: record.Counts{Asked: 9, OK: 1, Throttled: 2, Failed: 1, Invalid: 1, NotSent: 4, Priming: 1}, Notes: []string{"stopped"},
			Stop: "throttled", Arms: []record.ArmEnd{{Route: "a", Counts: record.Counts{Asked: 9, OK: 1, NotSent: 8}, Stop: "failures", Failure: "tcp timeout 0", Alike: 3}},
			Pauses: []record.Pause{{After: 2, For: 20e9, Granted: true}, {After: 5, For: 3600e9}}})
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func readFile(t testing.TB, data []byte) (*record.Reader, []record.Exchange) {
	t.Helper()
	r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{Name: "before.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var xs []record.Exchange
	for {
		var x record.Exchange
		switch err := r.Next(&x); {
		case err == io.EOF:
			return r, xs
		case err != nil:
			t.Fatal(err)
		}
		xs = append(xs, x)
	}
}

func TestFixtureSetsEveryField(t *testing.T) {
	for _, v := range []any{fullExchange(), fullRun(), *fullTLS("x"), *fullExchange().DNS, *fullExchange().Stream, *fullExchange().QUIC} {
		for i, rv := 0, reflect.ValueOf(v); i < rv.NumField(); i++ {
			if rv.Field(i).IsZero() {
				t.Errorf("%s.%s is zero in the fixture, so no round trip tests it", rv.Type(), rv.Type().Field(i).Name)
			}
		}
	}
}

func TestFileRoundTrip(t *testing.T) {
	bare := record.Exchange{Route: "after", Outcome: record.Failed, Error: &record.Error{Segment: segment.DNS}}
	in := []record.Exchange{fullExchange(), bare, fullExchange()}
	want := []record.Exchange{fullExchange(), bare, fullExchange()}
	for i := range want {
		if want[i].Notes != nil {
			want[i].Notes[1] = strings.ToValidUTF8(want[i].Notes[1], "\uFFFD")
		}
	}
	for name, opts := range map[string]record.WriteOptions{"plain": {}, "zstd": {Compress: true}, "batch": {Batch: true}, "zstd batch": {Compress: true, Batch: true}} {
		t.Run(name, func(t *testing.T) {
			r, got := readFile(t, writeFile(t, opts, true, in...))
			if d := cmp.Diff(want, got, compareSplits); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(fullRun(), *r.Run()); d != "" {
				t.Error(d)
			}
			if end, ok := r.End(); !ok || end.Asked != 9 || end.NotSent != 4 || end.Priming != 1 || len(end.Notes) != 1 {
				t.Errorf("end = %+v, %v", end, ok)
			}
		})
	}
}

func TestReusedExchangeKeepsNothingOfTheLineBefore(t *testing.T) {
	bare := record.Exchange{Route: "after", Outcome: record.OK, Status: 204}
	data := writeFile(t, record.WriteOptions{}, true, fullExchange(), bare, fullExchange())
	r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var x record.Exchange
	var all []record.Exchange
	for r.Next(&x) == nil {
		all = append(all, x.Clone())
	}
	_, want := readFile(t, data)
	if d := cmp.Diff(want, all, compareSplits); d != "" {
		t.Error(d)
	}
	if all[1].TLS != nil || all[1].Headers != nil {
		t.Error("the bare exchange inherited parts of the one before")
	}
}

func TestEachLineHasLeftWhenItsMethodReturns(t *testing.T) {
	for name, opts := range map[string]record.WriteOptions{"plain": {}, "zstd": {Compress: true}} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			w, _ := record.NewWriter(&out, opts)
			if err := w.Run(fullRun()); err != nil {
				t.Fatal(err)
			}
			for n := 1; n <= 3; n++ {
				x := fullExchange()
				if err := w.Exchange(&x); err != nil {
					t.Fatal(err)
				}
				r, xs := readFile(t, bytes.Clone(out.Bytes()))
				if _, ok := r.End(); ok || len(xs) != n || len(r.Warnings()) != 1 {
					t.Errorf("after %d exchanges: read %d, end %v, warnings %q", n, len(xs), ok, r.Warnings())
				}
			}
		})
	}
}

func TestCutOffAnywhereIsReadWithAWarning(t *testing.T) {
	for name, opts := range map[string]record.WriteOptions{"plain": {}, "zstd": {Compress: true}} {
		t.Run(name, func(t *testing.T) {
			data := writeFile(t, opts, true, fullExchange(), fullExchange())
			first := len(writeFile(t, opts, false)) + 8
			for cut := first; cut < len(data)-8; cut += 37 {
				r, xs := readFile(t, data[:cut])
				if _, ok := r.End(); !ok && (len(r.Warnings()) != 1 || !strings.Contains(r.Warnings()[0], "cut off")) {
					t.Fatalf("cut at %d of %d: %d exchanges, warnings %q", cut, len(data), len(xs), r.Warnings())
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	const run = `{"type":"run","schema":"coldsplit/1","routes":[{"name":"before"}]}` + "\n"
	exchange := func(rest string) string { return run + `{"type":"exchange","route":"before",` + rest + "}\n" }
	cases := map[string]struct{ file, want string }{
		"empty":             {"", "before.jsonl: empty, want a run line"},
		"not JSON":          {"HTTP/1.1 200 OK\n", "before.jsonl:1: not a run file: column 1: want a JSON object, got 'H'"},
		"another JSON":      {`{"metric":"x"}` + "\n", `before.jsonl:1: not a run file: line ends where a "type" should stand`},
		"gzip":              {"\x1f\x8b\b\x00", "before.jsonl: compressed with gzip; a run file is plain or zstd"},
		"exchange first":    {`{"type":"exchange"}` + "\n", `before.jsonl:1: want a run line first, got "exchange"`},
		"newer major":       {`{"type":"run","schema":"coldsplit/2"}` + "\n", "before.jsonl:1: schema coldsplit/2 is newer than this coldsplit, which reads coldsplit/1"},
		"foreign schema":    {`{"type":"run","schema":"other/1"}` + "\n", `before.jsonl:1: want a run line of schema coldsplit/1, got schema "other/1"`},
		"two runs":          {run + run, "before.jsonl:2: second run line; a file holds one run"},
		"unknown segment":   {exchange(`"outcome":"ok","total_ns":1,"segments":{"ssl":1}`), `before.jsonl:2: unknown segment "ssl"`},
		"derived segment":   {exchange(`"outcome":"ok","total_ns":1,"segments":{"wait.upstream":1}`), `before.jsonl:2: segment "wait.upstream" is derived and never stored`},
		"segment twice":     {exchange(`"outcome":"ok","total_ns":1,"segments":{"dns":1,"dns":0}`), `before.jsonl:2: segment "dns" stands twice`},
		"sum":               {exchange(`"outcome":"ok","total_ns":3,"segments":{"dns":1,"tcp":1}`), "before.jsonl:2: segments sum to 2 ns, total is 3 ns"},
		"negative":          {exchange(`"outcome":"ok","total_ns":0,"segments":{"dns":1,"tcp":-1}`), "before.jsonl:2: segment tcp is negative: -1 ns"},
		"endless":           {exchange(`"outcome":"ok","total_ns":0,"segments":{"dns":9223372036854775807}`), "before.jsonl:2: segment dns lasts 9223372036854775807 ns, beyond 18 years"},
		"outcome":           {exchange(`"outcome":"fine","total_ns":0`), `before.jsonl:2: unknown outcome "fine"`},
		"no outcome":        {exchange(`"total_ns":0`), "before.jsonl:2: missing outcome"},
		"no total":          {exchange(`"outcome":"ok"`), "before.jsonl:2: missing total_ns"},
		"no route":          {run + `{"type":"exchange","outcome":"ok","total_ns":0}` + "\n", "before.jsonl:2: missing route"},
		"unknown route":     {strings.Replace(exchange(`"outcome":"ok","total_ns":0`), `"route":"before"`, `"route":"x"`, 1), `before.jsonl:2: unknown route "x"`},
		"fraction":          {exchange(`"outcome":"ok","total_ns":1.5`), `before.jsonl:2: column 64: want a whole number without fraction or exponent, got '.'`},
		"wrong kind":        {exchange(`"outcome":"ok","total_ns":"1"`), `before.jsonl:2: column 63: want a whole number, got '"'`},
		"error place":       {exchange(`"outcome":"failed","total_ns":0,"error":{"segment":"ssl"}`), `before.jsonl:2: unknown segment "ssl" in error`},
		"error nowhere":     {exchange(`"outcome":"failed","total_ns":0,"error":{"text":"x"}`), "before.jsonl:2: error without the segment it happened in"},
		"half a line":       {run + `{"type":"exchange","route":"be` + "\n" + `{"type":"end"}` + "\n", "before.jsonl:2: line ends where a closing quote should stand"},
		"two on a line":     {run + `{"type":"end"} {}` + "\n", "before.jsonl:2: column 16: want the end of the line, got '{'"},
		"corrupt last line": {strings.TrimSuffix(exchange(`"outcome":"fine","total_ns":0`), "\n"), `before.jsonl:2: unknown outcome "fine"`},
		"after the end":     {run + `{"type":"end"}` + "\n" + `{"type":"exchange"}` + "\n", `before.jsonl:3: "exchange" line after the end line`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := record.NewReader(strings.NewReader(c.file), record.ReadOptions{Name: "before.jsonl"})
			for err == nil {
				err = r.Next(&record.Exchange{})
			}
			if err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestLaterVersionsOfTheSchemaAreRead(t *testing.T) {
	file := `{"schema":"coldsplit/1","new":[{"a":1e9}],"type":"run","routes":[{"name":"r","new":null}]}` + "\r\n\n" +
		`{"type":"hint","of":"a later version"}` + "\n" +
		`{"new":{"deep":[[[]]]},"type":"exchange","route":"r","outcome":"ok","total_ns":2,"segments":{"wait":2},"tls":{"new":true}}` + "\n" +
		`{"type":"end","asked":1,"ok":1,"new":"x"}`
	r, xs := readFile(t, []byte(file))
	if len(xs) != 1 || xs[0].Total != 2 || xs[0].TLS == nil || len(r.Warnings()) != 0 {
		t.Errorf("read %+v, warnings %q", xs, r.Warnings())
	}
}

func TestWriterRefusesWhatAReaderWould(t *testing.T) {
	for name, spoil := range map[string]func(*record.Exchange){
		"gap":        func(x *record.Exchange) { x.Total++ },
		"no route":   func(x *record.Exchange) { x.Route = "" },
		"no outcome": func(x *record.Exchange) { x.Outcome = "" },
		"endless":    func(x *record.Exchange) { x.Segments.Set(segment.Wait, 1<<62) },
	} {
		x := fullExchange()
		spoil(&x)
		if b, err := record.AppendExchange(nil, &x); err == nil || len(b) > 0 {
			t.Errorf("%s: wrote %q, %v", name, b, err)
		}
	}
	if _, err := record.AppendRun(nil, &record.Run{Plan: []byte(`{"n":`)}); err == nil {
		t.Error("half a plan was written")
	}
}

type brokenPipe struct{ room int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.room -= len(p); b.room < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestWriteErrorsStick(t *testing.T) {
	w, _ := record.NewWriter(&brokenPipe{room: 2000}, record.WriteOptions{})
	if err := w.Run(fullRun()); err != nil {
		t.Fatal(err)
	}
	x := fullExchange()
	w.Exchange(&x)
	for range 2 {
		if err := w.Exchange(&x); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v", err)
		}
	}
	if err := w.Close(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Close = %v", err)
	}
}

// TestARefusedExchangeLeavesThoseAroundIt holds that one fault of ours costs one exchange.
func TestARefusedExchangeLeavesThoseAroundIt(t *testing.T) {
	var file bytes.Buffer
	w, _ := record.NewWriter(&file, record.WriteOptions{})
	if err := w.Run(fullRun()); err != nil {
		t.Fatal(err)
	}
	good, bad := fullExchange(), fullExchange()
	bad.Total++
	if n, err := w.Exchanges([]*record.Exchange{&good, &bad, &good}); n != 1 || err == nil {
		t.Errorf("took %d, %v; the second was to be refused", n, err)
	}
	if n, err := w.Exchanges([]*record.Exchange{&good}); n != 1 || err != nil {
		t.Errorf("afterwards took %d, %v", n, err)
	}
	if _, xs := readFile(t, file.Bytes()); len(xs) != 2 {
		t.Errorf("the file has %d exchanges, want 2", len(xs))
	}
}

// fullDisk takes what there is room for, as a file does.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// TestAFullDiskKeepsTheLinesBeforeItsEnd holds that exchanges written together are not lost together.
func TestAFullDiskKeepsTheLinesBeforeItsEnd(t *testing.T) {
	x := fullExchange()
	line, err := record.AppendExchange(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	run := fullRun()
	head, err := record.AppendRun(nil, &run)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := record.NewWriter(&fullDisk{len(head) + 1 + 2*(len(line)+1) + len(line)/2}, record.WriteOptions{})
	if err := w.Run(run); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Exchanges([]*record.Exchange{&x, &x, &x}); n != 2 || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("took %d, %v; there was room for two and a half", n, err)
	}
}

func TestTimesKeepTheirNanosecondsAndAreUTC(t *testing.T) {
	zone := time.FixedZone("", 3600)
	for _, at := range []time.Time{started, started.Add(1), started.Add(1000), started.In(zone), time.Unix(0, 0), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC), {}} {
		x := record.Exchange{Route: "before", Outcome: record.OK, Started: at}
		_, xs := readFile(t, writeFile(t, record.WriteOptions{}, false, x, x))
		for i := range xs {
			if !xs[i].Started.Equal(at) || xs[i].Started.Location() != time.UTC {
				t.Errorf("%v came back as %v", at, xs[i].Started)
			}
		}
	}
}
