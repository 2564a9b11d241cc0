package reading_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const ms = time.Millisecond

// exchange is an ok exchange over h2 with a tcp of rtt, a tls of twice that, and fields given as
// "name: value" lines.
func exchange(seq int, rtt, wait time.Duration, lines ...string) *record.Exchange {
	ex := &record.Exchange{
		Route: "r", Seq: seq, Outcome: record.OK, Status: 200, Protocol: "h2", Remote: "203.0.113.9:443",
		Family: 4, Headers: fields(lines...), TLS: &record.TLS{Version: "1.3"}, TCP: &record.TCP{MinRTT: rtt},
	}
	for k, d := range map[segment.Key]time.Duration{
		segment.DNS: 3 * ms, segment.TCP: rtt, segment.TLS: 2 * rtt, segment.Send: 0, segment.Wait: wait, segment.Transfer: 2 * ms,
	} {
		ex.Segments.Set(k, d)
	}
	ex.Total = ex.Segments.Sum()
	return ex
}

func fields(lines ...string) record.Fields {
	f := record.Fields{}
	for _, l := range lines {
		name, value, _ := strings.Cut(l, ": ")
		f[name] = append(f[name], value)
	}
	return f
}

func run() record.Run { return record.Run{ID: "1", Routes: []record.Route{{Name: "r"}}} }

func read(t *testing.T, opt reading.Options, run record.Run, exchanges ...*record.Exchange) *reading.Set {
	t.Helper()
	b := reading.NewBuilder(run, opt)
	for _, ex := range exchanges {
		if err := b.Add(ex); err != nil {
			t.Fatal(err)
		}
	}
	return b.Finish(record.End{}, true)
}

func mapped(t *testing.T, maps []string, places ...string) reading.Options {
	t.Helper()
	m, err := provider.ParseMapping(maps, places)
	if err != nil {
		t.Fatal(err)
	}
	return reading.Options{Mapping: m}
}

// partsOf writes what one exchange's wait is made of: "pre_forward=127 upstream=102 ..." in ms.
func partsOf(p reading.Parts) string {
	var out []string
	for k := segment.WaitEdgeRTT; k < segment.WaitUnattributed; k++ {
		if d, ok := p.Get(k); ok {
			out = append(out, fmt.Sprintf("%s=%s", strings.TrimPrefix(k.String(), "wait."), strconv.FormatFloat(float64(d)/1e6, 'f', -1, 64)))
		}
	}
	return strings.Join(out, " ")
}

func doubtsOf(list []reading.Doubt) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Kind.String())
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

var partRows = []struct {
	name   string
	wait   time.Duration
	maps   []string
	fields []string
	parts  string
	doubts string
}{
	{"nothing reported", 239 * ms, nil, nil, "edge_rtt=6", ""},
	{"own names", 239 * ms, nil, []string{"server-timing: pre_forward;dur=127, upstream;dur=102, origin;dur=97"},
		"edge_rtt=6 pre_forward=127 upstream=102 upstream.network=5 upstream.origin=97", ""},
	{"two parts make the whole", 239 * ms, nil, []string{"server-timing: upstream.network;dur=5, upstream.origin;dur=97"},
		"edge_rtt=6 upstream=102 upstream.network=5 upstream.origin=97", ""},
	{"the origin alone is no upstream", 239 * ms, nil, []string{"server-timing: origin;dur=97"}, "edge_rtt=6", ""},
	{"the origin of an upstream that is not used", 100 * ms, nil, []string{"server-timing: upstream;dur=900, origin;dur=20"}, "edge_rtt=6", "longer_than_wait"},
	{"part beyond the whole by rounding", 239 * ms, nil, []string{"server-timing: upstream;dur=97, origin;dur=98"},
		"edge_rtt=6 upstream=97 upstream.network=0 upstream.origin=97", "rounded"},
	{"part beyond the whole", 239 * ms, nil, []string{"server-timing: upstream;dur=97, origin;dur=120"},
		"edge_rtt=6 upstream=97", "part_longer_than_whole warning"},
	{"longer than the wait", 100 * ms, nil, []string{"server-timing: upstream;dur=105"}, "edge_rtt=6", "longer_than_wait"},
	{"longer than the wait by rounding", 100 * ms, nil, []string{"server-timing: upstream;dur=103"}, "edge_rtt=6 upstream=103", "overlap"},
	{"past the wait together", 100 * ms, nil, []string{"server-timing: pre_forward;dur=60, upstream;dur=60"}, "edge_rtt=6", "sum_longer_than_wait"},
	{"parts of upstream past the wait together", 100 * ms, nil, []string{"server-timing: upstream.network;dur=60, origin;dur=60"},
		"edge_rtt=6", "sum_longer_than_wait"},
	{"a bound is no part", 100 * ms, nil, []string{"cf-ray: 8f0123456789abcd-FRA", "server-timing: cfEdge;dur=9, cfOrigin;dur=70"},
		"edge_rtt=6 upstream=70", ""},
	{"an interval is no part", 450 * ms, nil, []string{`server-timing: cdn-upstream-layer;desc="EDGE",cdn-upstream-dns;dur=0,cdn-upstream-connect;dur=114,cdn-upstream-fbl;dur=177,cdn-cache-miss,cdn-downstream-fbl;dur=436`},
		"edge_rtt=6", ""},
	{"history", 100 * ms, nil, []string{"cf-ray: 8f0123456789abcd-FRA", "cf-cache-status: HIT", "age: 20", "x-runtime: 0.050000"}, "edge_rtt=6", "from_storage"},
	{"mapped", 239 * ms, []string{"pre_forward=gate", "upstream=pod"}, []string{"server-timing: gate;dur=127, pod;dur=102"},
		"edge_rtt=6 pre_forward=127 upstream=102", ""},
	{"mapped sum", 239 * ms, []string{"pre_forward=gate", "pre_forward=queue"}, []string{"server-timing: gate;dur=100, queue;dur=27"},
		"edge_rtt=6 pre_forward=127", ""},
	{"mapped seconds without saying so", 239 * ms, []string{"upstream=header:x-up"}, []string{"x-up: 0.212"}, "edge_rtt=6 upstream=0.212", "looks_like_seconds"},
	{"mapped seconds", 239 * ms, []string{"upstream=header:x-up@s"}, []string{"x-up: 0.212"}, "edge_rtt=6 upstream=212", ""},
	{"mapped milliseconds in so many words", 239 * ms, []string{"upstream=header:x-up@ms"}, []string{"x-up: 0.212"}, "edge_rtt=6 upstream=0.212", ""},
}

func TestParts(t *testing.T) {
	for _, row := range partRows {
		t.Run(row.name, func(t *testing.T) {
			opt := mapped(t, row.maps)
			p := opt.Parts(exchange(0, 6*ms, row.wait, row.fields...))
			if got := partsOf(p); got != row.parts {
				t.Errorf("parts:  %s\nwant:   %s", got, row.parts)
			}
			if got := doubtsOf(p.Doubts()); got != row.doubts {
				t.Errorf("doubts: %q, want %q", got, row.doubts)
			}
		})
	}
}

// TestAPartOfUpstreamAloneIsToldBesideTheTable: it is a figure, but of no row that adds up.
func TestAPartOfUpstreamAloneIsToldBesideTheTable(t *testing.T) {
	set := read(t, reading.Options{}, run(), exchange(0, 6*ms, 239*ms, "server-timing: origin;dur=97"), exchange(1, 6*ms, 239*ms, "server-timing: origin;dur=95"))
	if l := set.Arms[0].Limits; len(l) != 1 || l[0].Key != segment.WaitUpstreamOrigin || l[0].Bound != provider.Exact || l[0].N != 2 || l[0].Lo != [2]time.Duration{95 * ms, 97 * ms} {
		t.Errorf("limits %+v", l)
	}
}

func TestATrailerCounts(t *testing.T) {
	ex := exchange(0, 6*ms, 239*ms)
	ex.Trailers = fields("server-timing: upstream;dur=102")
	var opt reading.Options
	p := opt.Parts(ex)
	if got, want := partsOf(p), "edge_rtt=6 upstream=102"; got != want {
		t.Errorf("parts %s, want %s", got, want)
	}
}

func TestAPartThatOnlyFitsAsSecondsLeavesTheTable(t *testing.T) {
	opt := mapped(t, []string{"upstream=header:x-up"})
	seconds := []*record.Exchange{exchange(0, 6*ms, 239*ms, "x-up: 0.212"), exchange(1, 6*ms, 250*ms, "x-up: 0.221")}
	set := read(t, opt, run(), seconds...)
	if col := set.Arms[0].Column(segment.WaitUpstream); col != nil {
		t.Errorf("upstream is %v, want none", col)
	}
	if d := set.Arms[0].Doubts; len(d) != 1 || d[0].Kind != reading.Seconds || d[0].N != 2 || d[0].Text != "0.212" || d[0].Used {
		t.Errorf("doubts %+v", d)
	}
	set = read(t, opt, run(), append(seconds, exchange(2, 6*ms, 239*ms, "x-up: 31.7"))...)
	if col := set.Arms[0].Column(segment.WaitUpstream); len(col) != 3 || len(set.Arms[0].Doubts) != 0 {
		t.Errorf("one of three does not fit as seconds: column %v, doubts %v", col, set.Arms[0].Doubts)
	}
}

// TestWaitIsTheSumOfItsParts holds the exact sum on random reports, however wrong they are.
func TestWaitIsTheSumOfItsParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var all []*record.Exchange
	for seq := range 3000 {
		metric := func(name string) string { return fmt.Sprintf("%s;dur=%.1f", name, rng.Float64()*300) }
		var names []string
		for _, n := range []string{"pre_forward", "upstream", "upstream.network", "upstream.origin"} {
			if rng.IntN(3) > 0 {
				names = append(names, metric(n))
			}
		}
		all = append(all, exchange(seq, time.Duration(rng.Int64N(int64(50*ms))), time.Duration(rng.Int64N(int64(400*ms))),
			"server-timing: "+strings.Join(names, ", ")))
	}
	a := read(t, reading.Options{}, run(), all...).Arms[0]
	get := func(k segment.Key, row int) int64 {
		if col := a.Column(k); col != nil && col[row] != reading.Absent {
			return col[row]
		}
		return 0
	}
	margin := []segment.Key{segment.WaitEdgeRTT, segment.WaitPreForward, segment.WaitUpstream}
	rest := a.Unattributed(margin)
	split := 0
	for row := range a.N() {
		sum := rest[row]
		for _, k := range margin {
			sum += get(k, row)
		}
		if sum != get(segment.Wait, row) {
			t.Fatalf("row %d: parts sum to %d, wait is %d", row, sum, get(segment.Wait, row))
		}
		if net, org, up := get(segment.WaitUpstreamNetwork, row), get(segment.WaitUpstreamOrigin, row), get(segment.WaitUpstream, row); net > 0 && up > 0 {
			split++
			if net < 0 || org < 0 || net+org != up {
				t.Fatalf("row %d: %d + %d is not upstream %d", row, net, org, up)
			}
		}
	}
	if split < 100 {
		t.Errorf("only %d rows had upstream divided: the test does not test it", split)
	}
}

func TestAnExchangeWithoutFieldsOfInterestCostsNoMemory(t *testing.T) {
	b := reading.NewBuilder(run(), reading.Options{})
	ex := exchange(0, 6*ms, 239*ms, "content-type: text/html", "x-my-id: 1")
	known := exchange(0, 6*ms, 239*ms, "cf-ray: 8f0123456789abcd-NRT", "server-timing: pre_forward;dur=12, upstream;dur=60")
	for _, x := range []*record.Exchange{ex, known} {
		add := func() {
			if err := b.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		add()
		// Growing columns allocates now and then; one allocation an exchange would show as 1 and more.
		if n := testing.AllocsPerRun(5000, add); n >= 1 {
			t.Errorf("%v: %v allocations an exchange", x.Headers, n)
		}
	}
}

// corpus is the responses of the corpus: fields by response number.
func corpus(t testing.TB) map[int]record.Fields {
	t.Helper()
	text, err := os.ReadFile("../../testdata/server-timing-corpus.tsv")
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]record.Fields{}
	for _, line := range strings.Split(string(bytes.TrimRight(text, "\n")), "\n")[1:] {
		cells := strings.SplitN(line, "\t", 5)
		n, err := strconv.Atoi(cells[0])
		if err != nil || len(cells) != 5 {
			t.Fatalf("corpus line %q", line)
		}
		if out[n] == nil {
			out[n] = record.Fields{}
		}
		name := strings.ToLower(cells[3])
		out[n][name] = append(out[n][name], cells[4])
	}
	return out
}

// apart tells whether an arm of one exchange is found to have been worked on elsewhere.
func apart(t *testing.T, f record.Fields) bool {
	t.Helper()
	ex := exchange(0, 6*ms, 900*ms)
	ex.Headers = f
	for _, f := range read(t, reading.Options{}, run(), ex).Arms[0].Findings {
		if f.Kind == reading.FoundApart {
			return true
		}
	}
	return false
}

// mismatches are the responses of the corpus worked on elsewhere than they were accepted; every
// other one that names both places has them in one metropolis, or names one only.
var mismatches = []int{32, 33, 75, 77, 78, 80, 98, 99, 115, 117, 118, 119, 120, 121, 190}

func TestMismatchesOfTheCorpus(t *testing.T) {
	for n, f := range corpus(t) {
		if got, want := apart(t, f), slices.Contains(mismatches, n); got != want {
			t.Errorf("response %d: accepted and compute apart is %v, want %v\n%v", n, got, want, f)
		}
	}
}

// TestTheTenMismatches are the table of section 2.1 of the notes on server timing.
func TestTheTenMismatches(t *testing.T) {
	rows := [][]string{
		{"cf-ray: 8f0123456789abcd-HKG", "cf-placement: remote-AMS"},
		{"cf-ray: 8f0123456789abcd-DXB", "cf-placement: remote-ZRH", "cf-cache-status: HIT"},
		{"cf-ray: 8f0123456789abcd-GIG", "cf-placement: remote-MRS"},
		{"x-vercel-id: hkg1::iad1::abcde-1700000000000-0123456789ab"},
		{"cf-ray: 8f0123456789abcd-SJC", "powered-by: Shopify", "x-shopify-stage: production", "x-dc: gcp-us-west1,gcp-us-west1", `server-timing: processing;dur=38, edge;desc="SJC"`},
		{"via: 1.1 slack-prod.tinyspeck.com, envoy-www-iad-aaaaaaaa, envoy-edge-lhr-bbbbbbbb", "x-slack-backend: r"},
		{"x-msedge-ref: Ref A: 00112233445566778899AABBCCDDEEFF Ref B: BOM02EDGE0712 Ref C: 2020-11-09T10:50:10Z", "x-li-pop: afd-prod-lva1", "x-li-fabric: prod-lva1"},
		{"server: GitHub.com", "x-served-by: cache-pao-kpao1770021-PAO", "via: 1.1 varnish", "x-github-edge-region: westus3"},
		{"server: AtlassianEdge", "via: 1.1 abc.cloudfront.net (CloudFront)", "x-amz-cf-pop: DUS51-P6", `server-timing: atl-edge;dur=150, atl-edge-pop;desc="aws-us-east-1"`},
		{"x-ac: 1.sjc _atomic_bur MISS", "server-timing: a8c-cdn, dc;desc=sjc, cache;desc=MISS;dur=23.0"},
	}
	for _, lines := range rows {
		if !apart(t, fields(lines...)) {
			t.Errorf("%q: not found to be apart", lines)
		}
	}
	for _, same := range [][]string{
		{"cf-ray: 8f0123456789abcd-IAD", "cf-placement: remote-IAD"},
		{"cf-ray: 8f0123456789abcd-IAD", "x-vercel-id: iad1::iad1::abcde"},
		{"server: AtlassianEdge", "x-amz-cf-pop: IAD89-C1", "via: 1.1 abc.cloudfront.net (CloudFront)", `server-timing: atl-edge;dur=150, atl-edge-pop;desc="aws-us-east-1"`},
		{"cf-ray: 8f0123456789abcd-QZQ", "cf-placement: remote-ZZQ"},
	} {
		if apart(t, fields(same...)) {
			t.Errorf("%q: found to be apart", same)
		}
	}
}
