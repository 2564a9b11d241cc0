package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/coldsplit/coldsplit/"

// house is the package map: what each package may import of ours, and which of the libraries that
// have one home may live there. A package not listed here is a new one: name it, and say what it knows.
var house = map[string]room{
	"pkg/segment":      {},
	"pkg/stats":        {libs: []string{"gonum.org"}},
	"pkg/geo":          {},
	"pkg/servertiming": {},
	"pkg/record":       {ours: []string{"segment"}, libs: []string{"github.com/klauspost/compress"}},
	"pkg/provider":     {ours: []string{"servertiming", "geo", "record", "segment"}},
	"pkg/reading":      {ours: []string{"provider", "servertiming", "geo", "record", "segment"}},
	"pkg/summary":      {ours: []string{"stats", "reading", "record", "segment"}},
	"pkg/diagnosis":    {ours: []string{"stats", "reading", "provider", "record", "segment"}},
	"pkg/ledger":       {ours: []string{"summary", "stats", "reading", "provider", "geo", "record", "segment"}},
	"pkg/load":         {ours: []string{"summary", "stats", "reading", "record", "segment"}},
	"pkg/report":       {ours: []string{"diagnosis", "ledger", "load", "summary", "stats", "reading", "provider", "geo", "record", "segment"}, libs: []string{"github.com/olekukonko/tablewriter"}},

	"pkg/eventstream":     {},
	"pkg/tunnel":          {},
	"pkg/curlline":        {},
	"pkg/resolver":        {libs: []string{"github.com/miekg/dns"}},
	"pkg/probe":           {ours: []string{"resolver", "tunnel", "eventstream", "record", "segment"}, libs: []string{"github.com/quic-go/quic-go", "github.com/klauspost/compress", "github.com/andybalholm/brotli"}},
	"pkg/probe/probetest": {ours: []string{"probe"}, libs: []string{"github.com/quic-go/quic-go", "github.com/miekg/dns"}},
	"pkg/schedule":        {ours: []string{"record"}},
	"pkg/lab":             {ours: []string{"geo"}, libs: []string{"gvisor.dev/gvisor", "github.com/quic-go/quic-go", "github.com/miekg/dns", "github.com/goccy/go-yaml", "github.com/andybalholm/brotli"}},
	"pkg/lab/actor":       {ours: []string{"lab", "geo"}, libs: []string{"github.com/quic-go/quic-go", "github.com/andybalholm/brotli"}},
	"pkg/lab/scenario":    {ours: []string{"lab", "lab/actor", "geo"}, libs: []string{"github.com/goccy/go-yaml"}},
	"pkg/servertest":      {},
}

type room struct{ ours, libs []string }

// homes are libraries with one home, and why.
var homes = map[string]string{
	"gonum.org":                         "distributions are computed in pkg/stats and nowhere else",
	"github.com/olekukonko/tablewriter": "tables are laid out in pkg/report and nowhere else",
	"github.com/quic-go/quic-go":        "QUIC is spoken by probe and the lab only",
	"gvisor.dev/gvisor":                 "the embedded internet is pkg/lab's",
	"github.com/spf13":                  "flags are cmd's",
	"github.com/miekg/dns":              "DNS messages are the resolver's and the lab's",
	"github.com/vbauerster/mpb":         "progress is drawn by cmd only",
	"github.com/goccy/go-yaml":          "configuration is read by cmd and the lab only",
}

// pure packages take values, io.Reader and io.Writer: no clock, environment, file or socket.
var pure = []string{"segment", "stats", "servertiming", "record", "provider", "reading", "summary", "diagnosis", "ledger", "load", "report"}

// impure maps what a pure package must not import to the reason.
var impure = map[string]string{
	"net/http": "it knows no network; http.Header is a map",
	"os":       "it reads no file and no environment",
	"os/exec":  "it starts nothing",
	"syscall":  "it asks the system nothing",
}

type listed struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "../../pkg/...")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestDependenciesPointDown(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		r, known := house[name]
		if !known {
			t.Errorf("%s is not on the map of packages", name)
			continue
		}
		for _, imp := range p.Imports {
			checkImport(t, name, r, imp)
		}
	}
}

func checkImport(t *testing.T, name string, r room, imp string) {
	t.Helper()
	if ours, ok := strings.CutPrefix(imp, module+"pkg/"); ok && !slices.Contains(r.ours, ours) {
		t.Errorf("%s imports %s: upward or sideways; it may know %v", name, ours, r.ours)
	}
	for lib, why := range homes {
		if strings.HasPrefix(imp, lib) && !slices.Contains(r.libs, lib) {
			t.Errorf("%s imports %s: %s", name, imp, why)
		}
	}
	if why, banned := impure[imp]; banned && slices.Contains(pure, strings.TrimPrefix(name, "pkg/")) {
		t.Errorf("%s imports %s: %s", name, imp, why)
	}
}
