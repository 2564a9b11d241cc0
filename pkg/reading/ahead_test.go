package reading_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// longRun is a file of several blocks: responses that are alike and responses that are not, failures,
// and routes in turn.
func longRun(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := record.NewWriter(&file, record.WriteOptions{Batch: true})
	if err == nil {
		err = w.Run(record.Run{ID: "1", Routes: []record.Route{{Name: "r"}, {Name: "s"}}})
	}
	for i := 0; i < 400 && err == nil; i++ {
		ex := exchange(i, 6*ms, 239*ms, fmt.Sprintf("cf-ray: %016x-%s", i, []string{"NRT", "SYD", "FRA"}[i%3]),
			fmt.Sprintf("server-timing: pre_forward;dur=%d.%d, upstream;dur=%d", 12+i%40, i, 60+i%7), fmt.Sprintf("x-backend: b%d", i%5))
		switch {
		case i%10 == 3:
			ex.Route = "s"
		case i%17 == 9:
			ex.Outcome, ex.Error = record.Failed, &record.Error{Class: record.ClassTimeout, Text: fmt.Sprint("after ", i)}
		case i%23 == 11:
			ex.Headers = nil
		}
		err = w.Exchange(ex)
	}
	if err == nil {
		err = w.End(record.End{Counts: w.Counts()})
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// readEach is Read on one goroutine, an exchange at a time.
func readEach(r *record.Reader, opt reading.Options) (*reading.Set, error) {
	b := reading.NewBuilder(*r.Run(), opt)
	for ex := (record.Exchange{}); ; {
		switch err := r.Next(&ex); {
		case err == io.EOF:
			end, complete := r.End()
			return b.Finish(end, complete), nil
		case err != nil:
			return nil, err
		}
		if err := b.Add(&ex); err != nil {
			return nil, err
		}
	}
}

func TestReadIsReadingEach(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	whole := longRun(t)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for name, data := range map[string][]byte{
		"whole": whole, "cut off": whole[:len(whole)*2/3],
		"corrupt": bytes.Join([][]byte{bytes.Join(lines[:200], nil), []byte("{\n"), bytes.Join(lines[200:], nil)}, nil),
	} {
		for option, opt := range map[string]reading.Options{
			"plain": {}, "by": {By: byOf(t, "header:x-backend")}, "projected": {AtRTT: 80 * ms}, "mapped": mapped(t, []string{"origin=upstream"}),
		} {
			t.Run(name+" "+option, func(t *testing.T) {
				want, wantErr := openAndRead(t, data, opt, readEach)
				got, err := openAndRead(t, data, opt, reading.Read)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || (err != nil) != (name == "corrupt") || err != nil && !strings.Contains(err.Error(), ":201: ") {
					t.Fatalf("error %v, want %v", err, wantErr)
				}
				if err == nil && (got.Arms[0].N() == 0 || !reflect.DeepEqual(got, want)) {
					t.Errorf("Read differs from reading each:\n%+v\n%+v", got, want)
				}
			})
		}
	}
}

func openAndRead(t *testing.T, data []byte, opt reading.Options, how func(*record.Reader, reading.Options) (*reading.Set, error)) (*reading.Set, error) {
	t.Helper()
	r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return how(r, opt)
}
