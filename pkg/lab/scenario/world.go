package scenario

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// World is a scenario at work: an Internet with its servers up and their pools
// warm. Its worlds, if it has several (a route's own settings make one), stand side
// by side in it. It is safe for concurrent use; Close ends it.
type World struct {
	doc      *Document
	seed     uint64
	started  time.Time
	internet *lab.Internet
	ca       *lab.CA
	dns      *lab.DNS
	client   *lab.Host
	arms     []Arm
	worlds   map[string]*deployment
	closers  []io.Closer
}

// Arm is one route of a scenario: everything a client needs to ask.
type Arm struct {
	Name string
	// Role is "before", "after", "control" or "" where the scenario compares nothing.
	Role   string
	About  string
	URL    string
	Via    string // a name to connect to instead of the URL's host; "" is none
	Method string
	Header http.Header
	Body   []byte
	// HTTP is the protocol to ask for: "auto", "1.1", "2" or "3".
	HTTP string
	// Compressed says that the client should offer content codings.
	Compressed bool
}

// Open opens an embedded scenario, "NAME" or "NAME/VARIANT". The same seed draws
// the same latencies in the same order. It takes up to a second or two, in which
// the pools between the servers are warmed over their real distances.
func Open(name string, seed uint64) (*World, error) {
	d, err := Load(name)
	if err != nil {
		return nil, err
	}
	return d.Open(seed)
}

// Open builds the document's world; see the function of the same name.
func (d *Document) Open(seed uint64) (*World, error) {
	w := &World{doc: d, seed: seed, started: time.Now(), worlds: map[string]*deployment{}}
	if err := w.build(); err != nil {
		_ = w.Close()
		return nil, fmt.Errorf("open %s: %w", d.name, err)
	}
	return w, nil
}

// Client returns the host requests are sent from. Its Dial, ListenPacket and
// Resolver are a prober's network.
func (w *World) Client() *lab.Host { return w.client }

// From returns where the client stands.
func (w *World) From() string { return w.doc.spec.Client.City }

// RootCAs returns a new pool that trusts the world's servers and nobody else.
func (w *World) RootCAs() *x509.CertPool { return w.ca.Pool() }

// RootPEM returns the same root for other tools' trust.
func (w *World) RootPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.ca.Root()})
}

// Document returns what the world was built from.
func (w *World) Document() *Document { return w.doc }

// Seed returns the seed it was opened with.
func (w *World) Seed() uint64 { return w.seed }

// Internet returns the network beneath, for tests that want to change a path.
func (w *World) Internet() *lab.Internet { return w.internet }

// Arms returns the routes in the order written; the slice is the caller's.
func (w *World) Arms() []Arm { return slices.Clone(w.arms) }

// Arm returns the route of a name.
func (w *World) Arm(name string) (a Arm, ok bool) {
	i := slices.IndexFunc(w.arms, func(a Arm) bool { return a.Name == name })
	if i < 0 {
		return Arm{}, false
	}
	return w.arms[i], true
}

// HealthURL returns the URL that tells whether the service is well; "" if none does.
func (w *World) HealthURL() string {
	if path := w.doc.spec.Run.Health; path != "" && len(w.arms) > 0 {
		return "https://" + w.hostOfArm(0) + path
	}
	return ""
}

// Instance returns which header names the machine that answered, "header:NAME"; ""
// if none does.
func (w *World) Instance() string { return w.doc.spec.Run.Instance }

// RequestsAfter returns how many single requests should be sent once a ramp's load
// is gone.
func (w *World) RequestsAfter() int { return w.doc.spec.Run.After }

// Places returns readings of places that no provider's rules know, each
// "ROLE=header:NAME"; the slice is the caller's.
func (w *World) Places() []string { return slices.Clone(w.doc.spec.Run.Places) }

// rehearsed stands in the notes of every world.
const rehearsed = "rehearsed, not measured: distances and latencies are written down in "

// Notes returns what every report on the world must say; the slice is the caller's.
func (w *World) Notes() []string {
	notes := append([]string{rehearsed + w.doc.name}, w.doc.spec.Notes...)
	return append(notes, w.doc.spec.fasterThanLight()...)
}

// Close ends the servers, then the network. A second call does nothing.
func (w *World) Close() error {
	var errs []error
	for _, c := range slices.Backward(w.closers) {
		errs = append(errs, c.Close())
	}
	w.closers = nil
	return errors.Join(errs...)
}
