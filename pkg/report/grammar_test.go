package report

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// "1 cold pairs", "1 cold requests each", "1 of 1 connections were reset".
func TestOneIsSingular(t *testing.T) {
	one := comparedText(t, comparedLive(t, 1, route{Route: way("before", ""), typical: plainTook}, route{Route: way("after", ""), typical: plainTook}))
	expectText(t, one, "No verdict from sao-paulo: 1 cold pair,")
	before := measured(t, 1, madeStart.Add(-day), route{Route: way("api", ""), typical: plainTook})
	after := measured(t, 1, madeStart, route{Route: way("api", ""), typical: plainTook})
	expectText(t, comparedText(t, ledger.Compare(ledger.Arm{Arm: before.Arms[0], Set: before}, ledger.Arm{Arm: after.Arms[0], Set: after})), "1 cold request each")
	once := Arm{Name: "a", Host: "a.example", Counts: record.Counts{Asked: 1, Failed: 1}}
	for _, test := range []struct {
		trouble Trouble
		want    string
	}{
		{Refused{Address: "192.0.2.10:443", Count: 1, Of: 1, After: ms, Lo: ms, Hi: ms}, "1 of 1 connection was reset in tcp"},
		{NoAnswer{Address: "192.0.2.10:443", Segment: segment.TCP, Count: 1, Of: 1, Each: time.Second, SYNs: 1}, "1 of 1 connection died in tcp"},
		{NoAddress{Host: "a.example", Count: 1, Of: 1, Resolver: "system", Answer: "no such name"}, "1 of 1 look-up failed (no such name)"},
	} {
		sentence, _ := test.trouble.tell(once)
		expectText(t, sentence, test.want)
	}
	once.Counts = record.Counts{Asked: 1, Throttled: 1}
	sentence, _ := unexplained{}.tell(once)
	expectText(t, sentence, "throttled 1 of 1 request;")
}

func TestTheSystemsResolverIsNotCalledSystem(t *testing.T) {
	_, evidence := NoAddress{Host: "a.example", Count: 1, Of: 1, Resolver: "system", Answer: "no such name"}.tell(Arm{})
	expectText(t, textOf(t, Document{Blocks: evidence}), "from the resolver of the system")
}

// "would show your users a certificate error: self-signed."
func TestACertificatesFaultIsASentence(t *testing.T) {
	for reason, want := range map[string]string{
		"self-signed": "the certificate is self-signed.", "expired on 2026-11-01": "the certificate expired on 2026-11-01.",
		"not valid yet": "the certificate is not valid yet.", "the certificate does not verify": "the certificate does not verify.",
		"from an authority this machine does not trust": "the certificate is from an authority this machine does not trust.",
		"name does not match":                           "the certificate is for another name.",
	} {
		sentence, _ := WrongCertificate{Reason: reason, NameFits: true}.tell(Arm{Host: "a.example"})
		expectText(t, sentence, "certificate error: "+want)
	}
}

// Two runs of one minute had changed "between 02:36 and 02:36".
func TestTwoRunsOfOneMinuteAreToldApartBySeconds(t *testing.T) {
	before := measured(t, 2, madeStart, route{Route: way("api", ""), typical: plainTook, spread: 0.1})
	after := measured(t, 3, madeStart.Add(20*time.Second), route{Route: way("api", ""), typical: plainTook})
	expectText(t, comparedText(t, ledger.Compare(ledger.Arm{Arm: before.Arms[0], Set: before}, ledger.Arm{Arm: after.Arms[0], Set: after})),
		"between 01:02:03 and 01:02:23")
}

// The address of a route that never connected was "-", though every attempt named it.
func TestADeadArmsAddressIsThatOfItsAttempts(t *testing.T) {
	dead := func(_ int, x *record.Exchange) {
		failing(record.ClassTimeout, segment.TCP, "i/o timeout")(0, x)
		x.Remote, x.Attempts = "", []record.Attempt{{Addr: "203.0.113.9:443", Err: "i/o timeout"}}
	}
	c := comparedLive(t, 3, route{Route: named("blue"), typical: plainTook}, route{Route: named("green"), typical: took{segment.TCP: 1000}, edit: dead})
	expectText(t, comparedText(t, c), "green 203.0.113.9:443 3 of 3 failed")
}

// A comparison by a dimension marked (est.) and explained it nowhere.
func TestEstimatesOfAComparisonByADimensionAreExplained(t *testing.T) {
	set := measured(t, 12, madeStart, route{Route: named("blue"), typical: blueTook, spread: 0.03}, route{Route: named("green"), typical: greenTook, spread: 0.03})
	by := ledger.CompareBy("family", []ledger.Group{{Value: "4", Before: ledger.Arm{Arm: set.Arms[0], Set: set}, After: ledger.Arm{Arm: set.Arms[1], Set: set}}})
	expectText(t, textOf(t, CompareByDocument(by, Compare{})), "wait.edge_rtt (est.)", "(est.) smallest round trip of the connection")
}
