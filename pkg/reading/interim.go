package reading

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Interim is what ok exchanges had of one 1xx status before their final response (RFC 9110 section
// 15.2). It is a note: wait goes on until the final response.
type Interim struct {
	Status    int
	N         int     // exchanges that had it
	Responses int     // in all of them
	First     []int64 // of each of the N, when the first came, counted from the start of wait; nanoseconds
}

// addInterims counts the interim responses of one ok exchange.
func (a *Arm) addInterims(ex *record.Exchange) {
	for i, r := range ex.Interim {
		in := a.interim(r.Status)
		in.Responses++
		if i == slices.IndexFunc(ex.Interim, func(x record.Interim) bool { return x.Status == r.Status }) {
			in.N++
			in.First = append(in.First, int64(r.At-waitBegan(ex)))
		}
	}
}

func (a *Arm) interim(status int) *Interim {
	i, found := slices.BinarySearchFunc(a.Interims, status, func(in Interim, status int) int { return in.Status - status })
	if !found {
		a.Interims = slices.Insert(a.Interims, i, Interim{Status: status})
	}
	return &a.Interims[i]
}

// waitBegan is when the request was sent.
func waitBegan(ex *record.Exchange) time.Duration {
	transfer, _ := ex.Segments.Get(segment.Transfer)
	wait, _ := ex.Segments.Get(segment.Wait)
	return ex.Segments.Sum() - transfer - wait
}
