package provider

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// azure is Azure Front Door and the edge of Bing and LinkedIn:
// learn.microsoft.com/azure/frontdoor/front-door-http-headers-protocol. It
// sends no time at all.
func azure() family {
	return family{name: "azure-front-door", layer: LayerEdge,
		sign: hasHeader("x-azure-ref", "x-msedge-ref"),
		rules: []rule{
			// The old form is documented as a reference, its bytes were decoded; hC1 + POP in 5 of 5 newer values.
			{header: "x-azure-ref", places: azureRef, unit: "reference string", evidence: Seen,
				meaning: "Front Door's reference; it holds the edge's time and the site that accepted the connection",
				caveat:  "the site's position in it is a pattern, not a promise, and values of 2023 lack it; the time is a wall clock, no duration"},
			{header: "x-msedge-ref", places: at(Accepted, geo.FrontDoor, `Ref B: ([A-Z]{2,3}[0-9]*)EDGE[0-9]+`), unit: "reference string", evidence: Seen,
				meaning: "the letters before EDGE in Ref B are the site that accepted the connection",
				caveat:  "Microsoft's site codes are not always airports; no duration"},
			{header: "x-cache-info", unit: "text", evidence: Seen, meaning: "which level of Front Door's cache had it (L1, L2)", caveat: "not where that level is"},
			{header: "x-ms-ests-server", unit: "text", evidence: Seen, meaning: "the Entra ID server that worked; its ring names a region",
				caveat: "undocumented spelling, read as no place"},
		}}
}

var (
	azureStamped = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-[0-9a-zA-Z]*?hC1([A-Z][A-Z0-9]{2})`)
	azureServer  = regexp.MustCompile(`^([A-Z]{3})(?:EDGE)?[0-9]+$`)
)

func azureRef(value string) []site {
	if m := azureStamped.FindStringSubmatch(value); m != nil {
		return []site{{Accepted, m[1], geo.FrontDoor}}
	}
	if old, ok := strings.CutPrefix(value, "0"); ok {
		return azureOldRef(old)
	}
	return nil
}

// azureOldRef decodes the form before 2024: 24 bytes of time and ids, then the
// server's name up to a zero byte.
func azureOldRef(text string) []site {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(raw) <= 24 {
		return nil
	}
	name, _, ended := bytes.Cut(raw[24:], []byte{0})
	m := azureServer.FindSubmatch(name)
	if !ended || m == nil {
		return nil
	}
	return []site{{Accepted, string(m[1]), geo.FrontDoor}}
}
