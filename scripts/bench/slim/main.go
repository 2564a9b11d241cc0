// Command slim measures a URL once over each protocol and reports it: the least that makes a linker
// take in everything coldsplit needs to measure, compare and report. Only its size is of interest;
// built with the tag lab it holds the embedded internet as well.
//
// Use: go run ./scripts/bench [-repeat N] start
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/report"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "slim:", err)
		os.Exit(1)
	}
}

func run(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return err
	}
	from, err := network()
	if err != nil {
		return err
	}
	prober := &probe.Prober{Network: from}
	b := reading.NewBuilder(record.Run{Routes: []record.Route{{Name: "r", URL: text}}}, reading.Options{})
	for _, p := range []probe.Protocol{probe.HTTP11, probe.HTTP2, probe.HTTP3} {
		e := prober.Do(context.Background(), &probe.Target{URL: u, Protocol: p}).Exchange
		e.Route = "r"
		if err := b.Add(&e); err != nil {
			return err
		}
	}
	set := b.Finish(record.End{}, true)
	arm := ledger.Arm{Arm: set.Arms[0], Set: set}
	if err := report.Text(os.Stdout, report.CompareDocument(report.CompareOf(ledger.Compare(arm, arm))), report.TextOptions{}); err != nil {
		return err
	}
	return report.JSON(os.Stdout, report.ProbeDocument(report.ProbeOf(set)))
}
