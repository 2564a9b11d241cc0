package provider

import "strings"

// laravel: beyondcode/laravel-server-timing, which always sends the three.
func laravel() family {
	return family{name: "laravel", layer: LayerApp,
		sign: allOf(hasMetric("bootstrap"), hasMetric("app"), hasMetric("total")),
		rules: []rule{
			{metric: "total", time: tells(UpstreamOrigin, Exact), meaning: "the application's time in all", caveat: "not the web server in front of PHP"},
			{metric: "bootstrap", time: tells(Aside, Exact, "total"), meaning: "starting the framework", caveat: "inside total, never added to it"},
			{metric: "app", time: tells(Aside, Exact, "total"), meaning: "the application after the start", caveat: "inside total, never added to it"},
		}}
}

// express is yosuke-furukawa/server-timing for Express (index.js) and Hono's
// timing middleware (honojs/hono src/middleware/timing), which share the
// description of their total. Before 2017 the former wrote seconds.
func express() family {
	return family{name: "express", layer: LayerApp,
		sign: metricShows("total", totalResponseTime),
		rules: []rule{
			{metric: "total", time: tells(UpstreamOrigin, Exact), meaning: "the application's time in all", caveat: "not what stands in front of it"},
			{metric: "db", time: tells(Aside, Exact, "total"), meaning: "a span the application named db", caveat: "inside total, never added to it"},
		}}
}

func totalResponseTime(f *facts) bool {
	for m := range f.named("total") {
		if strings.EqualFold(m.Desc, "Total Response Time") {
			return true
		}
	}
	return false
}

// responseTime is X-Response-Time, sent by many frameworks. A bare number is
// milliseconds in some and seconds in others, so that only a written unit
// makes it a time.
func responseTime() family {
	return family{name: "x-response-time", layer: LayerApp,
		sign: headerShows("x-response-time", responseTimeUnit),
		rules: []rule{
			{header: "x-response-time", time: tells(UpstreamOrigin, Exact).only(hasUnit), evidence: Seen,
				meaning: "the application's own time, in the unit written behind the number", caveat: "a number without a unit is not read"},
		}}
}

func responseTimeUnit(f *facts) bool { return hasUnit(last(f.values("x-response-time"))) }
