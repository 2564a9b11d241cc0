package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// atlassian: metrics read off responses. Own part and upstream exceed the
// total by up to 4 ms, each being rounded on its own.
func atlassian() family {
	return family{name: "atlassian", layer: LayerGateway, secondEdge: Compute,
		preset: []string{"pre_forward=atl-edge-internal", "upstream=atl-edge-upstream"},
		sign:   hasMetric("atl-edge", "atl-edge-internal", "atl-edge-upstream", "atl-edge-pop"),
		rules: []rule{
			{metric: "atl-edge", time: tells(Total, Exact), evidence: Seen,
				meaning: "Atlassian's edge in all: its own part and its upstream", caveat: "not a CDN in front of it"},
			{metric: "atl-edge-internal", time: tells(PreForward, AtMost, "atl-edge"), evidence: Seen,
				meaning: "the edge's own part, before and after the forward", caveat: "an upper bound for the wait before the forward"},
			{metric: "atl-edge-upstream", time: tells(Upstream, Exact, "atl-edge"), evidence: Seen,
				meaning: "from the edge to the service and back, the service's work included", caveat: "does not part the network from the service's work"},
			{metric: "atl-edge-pop", places: at(Accepted, geo.AWS, `^aws-([a-z]{2}(?:-[a-z]+)+-[0-9])$`), unit: "AWS region", evidence: Seen,
				meaning: "where Atlassian's edge ran", caveat: "behind a CDN it is a second edge, not where the connection was accepted"},
		}}
}
