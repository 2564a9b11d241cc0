package provider

// telemetry is what tracing products put into Server-Timing for their own
// scripts (open-telemetry/opentelemetry-specification issue 3811; Dynatrace,
// Instana): ids only.
func telemetry() family {
	id := func(metric, who string) rule {
		return rule{metric: metric, unit: "id", meaning: "an id of " + who, caveat: "no time and no place; take it out of shared reports"}
	}
	return family{name: "telemetry", layer: LayerApp,
		sign: hasMetric("traceparent", "intid", "dtSInfo", "dtRpid", "dtTrId", "dtTao"),
		rules: []rule{
			id("traceparent", "a trace (W3C Trace Context)"), id("intid", "Instana"),
			id("dtSInfo", "Dynatrace"), id("dtRpid", "Dynatrace"), id("dtTrId", "Dynatrace"), id("dtTao", "Dynatrace"),
		}}
}
