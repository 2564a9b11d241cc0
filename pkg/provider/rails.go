package provider

// rails is Rails and Rack: rails/rails actionpack
// lib/action_dispatch/middleware/server_timing.rb writes sums for each event in
// milliseconds; Rack::Runtime writes x-runtime in seconds with six decimals.
// Events nest, so that they are never added.
func rails() family {
	part := func(metric, meaning string) rule {
		return rule{metric: metric, time: tells(Aside, Exact, "process_action.action_controller"), meaning: meaning,
			caveat: "a sum over the request, inside the action, never added to it"}
	}
	return family{name: "rails", layer: LayerApp,
		sign:   anyOf(hasMetric("process_action.action_controller", "sql.active_record"), headerShows("x-runtime", rackRuntime)),
		preset: []string{"upstream.origin=header:x-runtime@s"},
		rules: []rule{
			rackRuntimeRule(not(recognised("discourse"))),
			{metric: "process_action.action_controller", time: tells(UpstreamOrigin, AtLeast, "x-runtime"),
				meaning: "the controller's action, its queries and rendering included", caveat: "without what runs around the action"},
			part("sql.active_record", "all queries together"), part("instantiation.active_record", "making objects of rows"),
			part("transaction.active_record", "time in transactions, queries included"),
			part("start_processing.action_controller", "an instant more than a span"),
			part("unpermitted_parameters.action_controller", "checking parameters"),
			part("render_template.action_view", "rendering templates"), part("render_partial.action_view", "rendering partials"),
			part("cache_read.active_support", "reading the application's cache"),
		}}
}

// discourse: discourse/discourse lib/middleware/request_tracker.rb; all but
// X-Runtime only with enable_performance_http_headers.
func discourse() family {
	return family{name: "discourse", layer: LayerApp,
		sign: hasHeader("x-sql-calls", "x-redis-calls", "x-sql-time", "x-redis-time", "x-discourse-route"),
		rules: []rule{
			rackRuntimeRule(nil),
			{header: "x-sql-time", time: seconds(Aside, Exact, "x-runtime"), meaning: "all database calls together", caveat: "inside X-Runtime, never added to it"},
			{header: "x-redis-time", time: seconds(Aside, Exact, "x-runtime"), meaning: "all Redis calls together", caveat: "inside X-Runtime, never added to it"},
			{header: "x-queue-time", unit: "s", meaning: "the server's clock minus the proxy's X-Request-Start",
				caveat: "made of two clocks, can be negative, used for no segment"},
			{header: "x-sql-calls", unit: "count", meaning: "database calls", caveat: "no time"},
			{header: "x-redis-calls", unit: "count", meaning: "Redis calls", caveat: "no time"},
		}}
}

func sixDecimals(text string) bool { return hasDecimals(text, 6) }

func rackRuntime(f *facts) bool { return sixDecimals(last(f.values("x-runtime"))) }

// rackRuntimeRule reads only Rack's own format: others send an x-runtime too,
// and a bare number does not say its unit.
func rackRuntimeRule(when condition) rule {
	return rule{header: "x-runtime", when: when, time: seconds(UpstreamOrigin, Exact).only(sixDecimals),
		meaning: "the application's whole work behind Rack::Runtime", caveat: "not the queue in front of it"}
}
