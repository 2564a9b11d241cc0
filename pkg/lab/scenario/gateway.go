package scenario

import (
	"fmt"
	"net/http"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
	"github.com/coldsplit/coldsplit/pkg/lab/actor"
)

// Defaults of a gateway.
const (
	defaultRetryAfter = 2 * time.Second
	defaultFirstText  = 0.7
)

// gateway makes the machines of a gateway and the front door that spreads over them.
func (d *deployment) gateway(name string, s *serviceSpec) (http.Handler, error) {
	m := machines{d: d, name: name, service: s, accounts: &actor.Accounts{
		Keys: s.Gateway.Keys, Balance: s.Gateway.Balance, Cost: s.Gateway.Cost,
	}}
	var up []actor.Backend
	for i, weight := range s.Gateway.Weights {
		b, err := m.start(i + 1)
		if err != nil {
			return nil, err
		}
		b.Weight = weight
		up = append(up, b)
	}
	g := actor.NewGateway(m.autostart(), up...)
	d.w.closers = append(d.w.closers, g)
	return g.Handler(), nil
}

// machines makes the machines of one gateway.
type machines struct {
	d        *deployment
	name     string
	service  *serviceSpec
	accounts *actor.Accounts
	latency  actor.Latency // shared, so that together they deal one table
}

// start puts a machine of that number on a host of its own, in the gateway's city.
func (m *machines) start(number int) (actor.Backend, error) {
	id := fmt.Sprintf("%s-%d", m.name, number)
	host, err := m.d.w.internet.AddHost(fmt.Sprintf("%s/%s#%d", m.d.name, id, m.d.w.internetSize()), lab.HostOptions{Place: m.service.City})
	if err != nil {
		return actor.Backend{}, err
	}
	front := m.d.hosts[m.name]
	m.d.w.internet.Connect(front, host, lab.PathRTT(leastRTT))
	machine := m.machine(id)
	server, err := actor.Serve(host, machine.Handler(), actor.ServerOptions{})
	if err != nil {
		return actor.Backend{}, err
	}
	return actor.Backend{Machine: machine, Peer: actor.NewPeer(front, host, actor.PeerOptions{}), Server: server, Weight: 1}, nil
}

// internetSize makes the name of a machine started again a new one.
func (w *World) internetSize() int { return len(w.internet.Hosts()) }

func (m *machines) machine(id string) *actor.Machine {
	g := m.service.Gateway
	if m.latency == nil {
		m.latency = m.d.takes(m.name, m.service)
	}
	return &actor.Machine{
		ID: id, Lanes: g.Lanes, Generates: m.latency, FirstText: or(g.FirstText, defaultFirstText),
		Alive: g.Alive, Accounts: m.accounts, RetryAfter: or(g.RetryAfter, defaultRetryAfter),
		Code: or(g.Code, "lane_full"), Stall: actor.Stall{After: g.Stall.After, For: g.Stall.For, Cut: g.Stall.Cut},
	}
}

func (m *machines) autostart() *actor.Autostart {
	a := m.service.Gateway.Autostart
	if a == nil {
		return nil
	}
	return &actor.Autostart{Start: m.start, Max: a.Max, Full: a.Full, Boot: a.Boot, Idle: a.Idle, Lanes: m.service.Gateway.Lanes}
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
