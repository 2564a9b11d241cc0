package reading

import "time"

// mostOwn bounds how many handshakes are remembered for their own work.
const mostOwn = 1024

// OwnWork is this machine's processor time inside tls or quic: of every exchange that has it while they
// are few, of exchanges an even distance apart once they are many.
type OwnWork struct {
	Times []time.Duration // in send order, at most 1024
	apart int             // exchanges per remembered one, 0 before the first
	seen  int
}

func (w *OwnWork) add(d time.Duration) {
	if d <= 0 {
		return
	}
	w.apart = max(w.apart, 1)
	if w.seen%w.apart == 0 {
		if len(w.Times) == mostOwn {
			w.halve()
		}
		if w.seen%w.apart == 0 {
			w.Times = append(w.Times, d)
		}
	}
	w.seen++
}

// halve forgets every other one.
func (w *OwnWork) halve() {
	for i := range mostOwn / 2 {
		w.Times[i] = w.Times[2*i]
	}
	w.Times = w.Times[:mostOwn/2]
	w.apart *= 2
}
