package scenario_test

import (
	"slices"
	"time"
)

// lagMeter measures how late this machine wakes sleepers while something else is
// measured: what a busy machine adds to every reading.
type lagMeter struct {
	stop chan struct{}
	done chan []time.Duration
}

// nap is short beside every delay in the lab.
const nap = 5 * time.Millisecond

func startLagMeter() *lagMeter {
	m := &lagMeter{make(chan struct{}), make(chan []time.Duration)}
	go func() {
		var late []time.Duration
		for {
			start := time.Now()
			select {
			case <-m.stop:
				m.done <- late
				return
			case <-time.After(nap):
				late = append(late, time.Since(start)-nap)
			}
		}
	}()
	return m
}

// p90 ends the meter.
func (m *lagMeter) p90() time.Duration {
	close(m.stop)
	late := <-m.done
	if len(late) == 0 {
		return 0
	}
	slices.Sort(late)
	return late[(len(late)*90+99)/100-1]
}
