package main

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/coldsplit/coldsplit/pkg/record"
)

func numbered(first, n int) []*record.Exchange {
	var out []*record.Exchange
	for i := range n {
		out = append(out, &record.Exchange{Seq: first + i})
	}
	return out
}

// TestWhatComesWhileTheFileIsBusyIsWrittenTogether holds that nothing is lost or turned around on the way.
func TestWhatComesWhileTheFileIsBusyIsWrittenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := make(chan struct{})
		var sizes, got []int
		b := behind{write: func(exchanges []*record.Exchange) error {
			<-file
			sizes = append(sizes, len(exchanges))
			for _, ex := range exchanges {
				got = append(got, ex.Seq)
			}
			return nil
		}}
		b.put(numbered(0, 1))
		synctest.Wait()
		for seq := 1; seq < 5; seq++ {
			b.put(numbered(seq, 1))
		}
		close(file)
		if err := b.wait(); err != nil || !slices.Equal(sizes, []int{1, 4}) || !slices.IsSorted(got) {
			t.Errorf("writes of %v exchanges, %v: %v", sizes, got, err)
		}
		b.put(numbered(5, 2))
		if err := b.wait(); err != nil || !slices.Equal(sizes, []int{1, 4, 2}) {
			t.Errorf("afterwards writes of %v exchanges: %v", sizes, err)
		}
	})
}

// TestAFileThatTakesNothingHoldsTheRampUp holds that what waits in memory is bounded.
func TestAFileThatTakesNothingHoldsTheRampUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const all = 4 * mostBehind
		file := make(chan struct{})
		b := behind{write: func([]*record.Exchange) error { <-file; return nil }}
		var put atomic.Int32
		go func() {
			for seq := range all {
				b.put(numbered(seq, 1))
				put.Add(1)
			}
		}()
		synctest.Wait()
		if n := put.Load(); n > 2*mostBehind { // what is being written, and what waits
			t.Errorf("%d exchanges were taken while the file took none", n)
		}
		close(file)
		synctest.Wait()
		if n := put.Load(); n != all {
			t.Errorf("%d of %d exchanges were taken once the file took them", n, all)
		}
	})
}

func TestAFileThatFailsEndsTheRamp(t *testing.T) {
	full := errors.New("no space left on device")
	b := behind{write: func([]*record.Exchange) error { return full }}
	b.put(numbered(0, 1))
	if err := b.wait(); err != full {
		t.Errorf("at the end: %v", err)
	}
	if err := b.put(numbered(1, 1)); err != full {
		t.Errorf("at the next exchange: %v", err)
	}
	b.wait()
}
