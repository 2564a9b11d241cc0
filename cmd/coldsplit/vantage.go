package main

import (
	"runtime"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// vantageOf describes this machine and where it stands, if the user said so. The name stays as the
// user wrote it, for people who say "lagos" and not "Lagos, NG".
func vantageOf(from string) (record.Vantage, error) {
	v := record.Vantage{From: from, OS: runtime.GOOS, CPUs: runtime.NumCPU(), TimerTick: timerTick()}
	if from == "" {
		return v, nil
	}
	place, err := geo.Find(from)
	if err != nil {
		return v, usagef("--from: %v", err)
	}
	v.Lat, v.Lon, v.Located = place.Lat, place.Lon, true
	return v, nil
}

// timerTick measures the resolution of the monotonic clock: the smallest step seen between
// neighbouring readings.
func timerTick() time.Duration {
	least := time.Second
	start := time.Now()
	for range 2000 {
		if now := time.Now(); now.Sub(start) > 0 {
			least = min(least, now.Sub(start))
			start = now
		}
	}
	return least
}
