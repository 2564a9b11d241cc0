package provider

import (
	"encoding/json"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// microsoft is Graph and SharePoint; headers read off responses and, for
// x-ms-ags-diagnostic, learn.microsoft.com/graph/errors.
func microsoft() family {
	return family{name: "microsoft", layer: LayerApp,
		sign: hasHeader("x-ms-ags-diagnostic", "sprequestduration", "spiislatency"),
		rules: []rule{
			{header: "x-ms-ags-diagnostic", places: graphCentre, unit: "JSON", evidence: Seen,
				meaning: "DataCenter is where the Graph server ran", caveat: "no time"},
			{header: "duration", when: hasHeader("x-ms-ags-diagnostic").hold, time: tells(UpstreamOrigin, Exact), evidence: Seen,
				meaning: "Graph's own time for the request", caveat: "not the network in front of it"},
			{header: "sprequestduration", time: tells(UpstreamOrigin, Exact), evidence: Seen,
				meaning: "SharePoint's time for the request", caveat: "whether it holds SPIisLatency is not documented"},
			{header: "spiislatency", time: tells(Aside, Exact, "sprequestduration"), evidence: Seen,
				meaning: "the wait in the web server's queue before the work", caveat: "whether SPRequestDuration holds it is not documented; never added to it"},
		}}
}

func graphCentre(value string) []site {
	var diagnostic struct {
		ServerInfo struct{ DataCenter string }
	}
	if json.Unmarshal([]byte(value), &diagnostic) != nil || diagnostic.ServerInfo.DataCenter == "" {
		return nil
	}
	return []site{{Compute, diagnostic.ServerInfo.DataCenter, geo.Azure}}
}
