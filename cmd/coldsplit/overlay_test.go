package main

import (
	"slices"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func TestAFlagOfOneArmWinsOverTheCommonOne(t *testing.T) {
	fs := pflag.NewFlagSet("compare", pflag.ContinueOnError)
	var common, before, after routeFlags
	common.bind(fs, "")
	before.bind(fs, "before-")
	after.bind(fs, "after-")
	if err := fs.Parse([]string{"-m", "3", "-H", "A: 1", "-H", "B: 2", "-k", "--after-header", "C: 3", "--after-via", "192.0.2.1", "--before-max-time=4s"}); err != nil {
		t.Fatal(err)
	}
	b, err := overlay(fs, "before-")
	if err != nil {
		t.Fatal(err)
	}
	a, err := overlay(fs, "after-")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.headers, []string{"A: 1", "B: 2"}) || !slices.Equal(a.headers, []string{"C: 3"}) {
		t.Errorf("headers: before %q, after %q", b.headers, a.headers)
	}
	if !b.insecure || !a.insecure || b.via != nil || !slices.Equal(a.via, []string{"192.0.2.1"}) {
		t.Errorf("before %+v, after %+v", b, a)
	}
	if time.Duration(b.maxTime) != 4*time.Second || time.Duration(a.maxTime) != 3*time.Second {
		t.Errorf("max-time: before %v, after %v", time.Duration(b.maxTime), time.Duration(a.maxTime))
	}
}
