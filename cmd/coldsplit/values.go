package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// seconds is a duration flag that also takes a bare number of seconds, as curl's do.
type seconds time.Duration

func (s *seconds) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s).String()
}

func (s *seconds) Type() string { return "duration" }

func (s *seconds) Set(text string) error {
	d, err := parseSeconds(text)
	*s = seconds(d)
	return err
}

func parseSeconds(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		d = time.Duration(f * float64(time.Second))
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("expected seconds or a duration like 500ms, 2.5 or 1m30s, got %q", text)
	}
	return d, nil
}

// interval is a duration flag that may be 0.
type interval time.Duration

func (i *interval) String() string { return time.Duration(*i).String() }
func (i *interval) Type() string   { return "duration" }

func (i *interval) Set(text string) error {
	if zero, err := time.ParseDuration(text); err == nil && zero == 0 {
		*i = 0
		return nil
	}
	d, err := parseSeconds(text)
	*i = interval(d)
	return err
}

// statusSet is a set of status codes and ranges, as --ok takes them.
type statusSet []statusRange

type statusRange struct{ from, to int }

func parseStatusSet(text string) (statusSet, error) {
	var set statusSet
	for part := range strings.SplitSeq(text, ",") {
		r, err := parseStatusRange(strings.TrimSpace(part))
		if err != nil {
			return nil, usagef("--ok takes status codes like 200,404,500-599 or 4xx, got %q", text)
		}
		set = append(set, r)
	}
	return set, nil
}

func parseStatusRange(part string) (statusRange, error) {
	if class, ok := strings.CutSuffix(part, "xx"); ok {
		n, err := parseStatus(class + "00")
		return statusRange{n, n + 99}, err
	}
	from, to, isRange := strings.Cut(part, "-")
	lo, err := parseStatus(from)
	if err != nil || !isRange {
		return statusRange{lo, lo}, err
	}
	hi, err := parseStatus(to)
	if err == nil && hi < lo {
		err = fmt.Errorf("range runs backwards")
	}
	return statusRange{lo, hi}, err
}

func parseStatus(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && (n < 100 || n > 599) {
		err = fmt.Errorf("status out of range")
	}
	return n, err
}

func (s statusSet) has(status int) bool {
	for _, r := range s {
		if status >= r.from && status <= r.to {
			return true
		}
	}
	return false
}
