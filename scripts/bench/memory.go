package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// measuredExchanges is how many exchanges a run makes to see what each leaves behind.
const measuredExchanges = 5000

// memory measures what stays in memory for every exchange while a run is under way: of its plan, its
// counts and its file.
func memory(w io.Writer, s settings) error {
	server, err := startServer()
	if err != nil {
		return err
	}
	var kept sample
	for turn := range s.repeat {
		path := filepath.Join(s.dir, fmt.Sprintf("kept-%d.jsonl", turn))
		bytes, err := keptBy(path, server.target(probe.HTTP11, "http"))
		if err != nil {
			return err
		}
		kept = append(kept, float64(bytes)/measuredExchanges)
	}
	table(w, "Memory while measuring", [][]string{{"", "bytes kept an exchange"}, {"http/1.1, plain", kept.show("%.0f")}})
	fmt.Fprintf(w, "\nLive heap after a collection, at the end of a run of %d exchanges less before its plan was made.\n", measuredExchanges)
	return server.stop()
}

// keptBy runs a plan as the program does, each exchange written before the next, and returns how much
// more is alive at its end.
func keptBy(path string, t *probe.Target) (int64, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	out, err := record.NewWriter(file, record.WriteOptions{})
	if err != nil {
		return 0, err
	}
	if err := out.Run(runFile{route: "before", n: measuredExchanges}.run()); err != nil {
		return 0, err
	}
	prober := &probe.Prober{}
	before := alive()
	arm := schedule.Arm{Name: "before", N: measuredExchanges, Requests: 1}
	plan := schedule.Plan{Arms: []schedule.Arm{arm}, Steps: schedule.Pairs{Arms: []schedule.Arm{arm}}.Steps()}
	report, err := schedule.Run(context.Background(), plan, doer(prober, t), storer(out))
	if err != nil {
		return 0, err
	}
	if report.Counts.OK != measuredExchanges {
		return 0, fmt.Errorf("%d of %d exchanges were ok", report.Counts.OK, measuredExchanges)
	}
	kept := alive() - before
	runtime.KeepAlive(plan)
	runtime.KeepAlive(report)
	return kept, out.Close()
}

func doer(prober *probe.Prober, t *probe.Target) schedule.Do {
	return func(ctx context.Context, slot schedule.Slot) schedule.Result {
		slot.Release()
		e := prober.Do(ctx, t).Exchange
		e.Route, e.Seq, e.Pair, e.First = "before", slot.Seq, slot.Pair, slot.First
		return schedule.Of(nil, &e)
	}
}

func storer(out *record.Writer) schedule.Sink {
	return func(_ schedule.Slot, r schedule.Result) error {
		for _, e := range r.Exchanges {
			if err := out.Exchange(e); err != nil {
				return err
			}
		}
		return nil
	}
}

// alive is the size of what is still referenced.
func alive() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
