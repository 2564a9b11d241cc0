package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
)

// One row for each form a provider's fields take; the meaning was worked out
// by hand. Spans are written role, bound and figure; "/" is inside, "stored"
// and "doubt" keep a figure from being used.
var providerRows = []struct {
	provider string
	head     string
	spans    string
	places   string
}{
	{"cloudflare", `cf-ray: 8f0123456789abcd-FRA
server-timing: cfCacheStatus;desc="DYNAMIC", cfEdge;dur=4, cfOrigin;dur=27`,
		"pre_forward<=4ms upstream=27ms", "accepted cloudflare:FRA"},
	{"cloudflare", `age: 108
server-timing: cfCacheStatus;desc="HIT"
server-timing: cfEdge;dur=9,cfOrigin;dur=0,cfWorker;dur=8`,
		"pre_forward<=9ms upstream=0s function=8ms", ""},
	{"cloudflare", "cf-ray: 8f0123456789abcd-DXB\ncf-placement: remote-ZRH\ncf-cache-status: HIT\nx-runtime: 0.250000",
		"upstream.origin=250ms(stored)", "accepted cloudflare:DXB, compute cloudflare:ZRH(stored)"},
	{"cloudflare", "cf-placement: local-MEL", "", "compute cloudflare:MEL"},
	{"cloudfront", `server-timing: cdn-upstream-layer;desc="EDGE",cdn-upstream-dns;dur=0,cdn-upstream-connect;dur=114,cdn-upstream-fbl;dur=177,cdn-cache-miss,cdn-pop;desc="PHX50-C2",cdn-downstream-fbl;dur=436`,
		"aside=0s/total aside=114ms/total aside=177ms/total total=436ms upstream=177ms..291ms/total pre_forward=145ms..259ms/total",
		"accepted cloudfront:PHX50-C2"},
	{"cloudfront", `server-timing: cdn-upstream-layer;desc="REC",cdn-upstream-dns;dur=0,cdn-upstream-connect;dur=180,cdn-upstream-fbl;dur=404,cdn-cache-miss,cdn-pop;desc="SFO5-P3",cdn-downstream-fbl;dur=410`,
		"aside=0s/total aside=180ms/total aside=404ms/total total=410ms upstream=404ms..410ms/total pre_forward<=6ms/total",
		"accepted cloudfront:SFO5-P3"},
	{"cloudfront", `server-timing: cdn-cache-hit,cdn-pop;desc="SEA19-C1",cdn-hit-layer;desc="REC",cdn-downstream-fbl;dur=137`,
		"total=137ms", "accepted cloudfront:SEA19-C1"},
	{"akamai", `server-timing: cdn-cache; desc=MISS
server-timing: edge; dur=30
server-timing: origin; dur=457
server-timing: ak_p; desc="1780585026762_3405803781_2176452374_50665_12718_2_0_219";dur=1`,
		"pre_forward<=30ms upstream>=457ms", "accepted ip:203.0.113.5"},
	{"akamai", `server-timing: ak_p; desc="12345_3405803781_217967626_33671_5821_436_440_-";dur=1`, "", ""},
	{"fastly", "x-served-by: cache-lga21974-LGA, cache-dal21283-DAL\nx-cache: MISS, MISS\nx-timer: S1625626804.787410,VS0,VE113",
		"total=113ms", "accepted fastly:DAL, tier fastly:LGA"},
	{"fastly", "fastly-debug-path: (D cache-wlg10427-WLG 1612906144) (F cache-wlg10426-WLG 1612906141) (D cache-fra19179-FRA 1612906141) (F cache-fra19122-FRA 1612906141)",
		"", "accepted fastly:WLG, tier fastly:FRA"},
	{"google", "via: 1.1 google\nserver-timing: gfet4t7; dur=55, afe; dur=23", "total=55ms aside=23ms/total", ""},
	{"azure-front-door", "x-azure-ref: 0zxV+XAAAAAAAESIzRFVmd4iZqrvM3e7/V1NURURHRTA2MTkAMDAwMDAwMDAtMTExMS0yMjIyLTMzMzMtNDQ0NDQ0NDQ0NDQ0",
		"", "accepted frontdoor:WST"},
	{"azure-front-door", "x-azure-ref: 20250204T141149Z-r00000aa00aa00aaahC1LONaaa000000000a00000000000aa", "", "accepted frontdoor:LON"},
	{"azure-front-door", "x-azure-ref: 20230926T171412Z-00a0aaaa0a0aaaaa0aaa00aa00aaa00000000000aa00000000aaaa", "", ""},
	{"azure-front-door", "x-msedge-ref: Ref A: 00112233445566778899AABBCCDDEEFF Ref B: HK2EDGE0915 Ref C: 2020-12-06T09:49:56Z", "", "accepted frontdoor:HK2"},
	{"bunny", "server: BunnyCDN-TW1-1121\ncdn-cache: MISS\ncdn-requesttime: 17", "", "accepted bunny:TW1"},
	{"keycdn", "x-edge-location: chzh\nx-shield: active\nx-cache: HIT", "", "accepted keycdn:chzh"},
	{"cdn77", "x-77-pop: losangelesUSCA", "", "accepted cdn77:losangelesUSCA"},
	{"alibaba", "via: cache24.l2eu6-1[0,304-0,H], cache5.l2eu6-1[1,0], cache1.cn1157[0,200-0,H], cache19.cn1157[1,0]\nx-oss-server-time: 47\nage: 76037",
		"upstream.origin=47ms(stored)", "accepted alibaba:cn1157, tier alibaba:l2eu6-1(stored)"},
	{"alibaba-oss", "x-oss-server-time: 47", "upstream.origin=47ms", ""},
	{"alibaba", "via: ens-cache17.l2de4[121,121,500-1281,M], ens-cache11.gb9[172,141,0]", "", "accepted alibaba:gb9, tier alibaba:l2de4"},
	{"alibaba", "via: cache20.cn1295[34,0],cache06.wxcm, http/1.1 cache06.wxcm (bdcache [cRs f ]),cache01.wxcm", "", "tier alibaba:cn1295"},
	{"imperva", "x-iinfo: 10-12345678-12345679 NNNN CT(34 109 0) RT(1757107886206 68) q(0 0 2 0) r(2 2) U6", "", ""},
	{"wikimedia", "x-cache: cp1089 miss, cp6007 hit/2199\nserver-timing: cache;desc=\"hit-front\", host;desc=\"cp6007\"",
		"", "accepted wikimedia:cp6007, accepted wikimedia:cp6007, tier wikimedia:cp1089(stored)"},
	{"wordpress.com", "x-ac: 1.sjc _atomic_bur MISS\nserver-timing: a8c-cdn, dc;desc=sjc, cache;desc=MISS;dur=2493.0",
		"total=2.493s", "accepted iata:sjc, accepted iata:sjc, compute iata:bur"},
	{"wix", "server-timing: cache;desc=miss, varnish;desc=miss_hit, dc;desc=fastly_uw2-pub-1_g", "", ""},
	{"vercel", "x-vercel-id: hkg1::iad1::abcde-1700000000000-0123456789ab", "", "accepted vercel:hkg1, compute vercel:iad1"},
	{"vercel", "x-vercel-id: cdg1::abcde-1700000000000-0123456789ab\nx-vercel-cache: HIT", "", "accepted vercel:cdg1"},
	{"vercel", "x-vercel-id: cle1iadd::iad1::abcde", "", "compute vercel:iad1"},
	{"vercel", "server: cloudflare\ncf-ray: 8f0123456789abcd-LAX\nx-vercel-id: sfo1::abcde", "", "accepted cloudflare:LAX, tier vercel:sfo1"},
	{"fly", "fly-request-id: 01HZZZZZZZZZZZZZZZZZZZZZZZ-lhr\nvia: 1.1 fly.io", "", "accepted fly:lhr"},
	{"fly", `flyio-debug: {"n":"edge-1","nr":"nrt","ra":"192.0.2.1","sr":"sin","sid":"0"}`, "", "accepted fly:nrt, compute fly:sin"},
	{"fly", "fly-request-id: 01HZZZZZZZZZZZZZZZZZZZZZZZ", "", ""},
	{"railway", "x-railway-edge: railway/us-west2\nx-railway-upstream-zone: europe-west4", "", "accepted railway:us-west2, compute railway:europe-west4"},
	{"railway", "x-railway-edge: ams1", "", "accepted railway:ams1"},
	{"netlify", "server: Netlify\nx-nf-request-id: 01HZZZZZZZZZZZZZZZZZZZZZZZ\ncache-status: \"Netlify Edge\"; fwd=miss\nx-served-by: cache-fra-eddf8230152-FRA",
		"", "tier fastly:FRA"},
	{"deno", "server: deno/gcp-asia-northeast1\nvia: http/1.1 edgeproxy-h\nx-amz-cf-pop: NRT57-C1",
		"", "accepted gcp:asia-northeast1, compute gcp:asia-northeast1, tier cloudfront:NRT57-C1"},
	{"supabase", "cf-ray: 8f0123456789abcd-IAD\nx-sb-edge-region: us-east-1", "", "accepted cloudflare:IAD, compute aws:us-east-1"},
	{"github-pages", "x-served-by: cache-pao-kpao1770034-PAO\nx-github-edge-region: westus3", "", "accepted fastly:PAO, compute azure:westus3"},
	{"slack", "via: 1.1 slack-prod.tinyspeck.com, envoy-www-iad-aaaaaaaa, envoy-edge-lhr-bbbbbbbb\nx-envoy-upstream-service-time: 139",
		"upstream=139ms", "accepted iata:LHR, compute iata:IAD"},
	{"linkedin", "x-li-fabric: prod-lva1\nx-li-pop: afd-prod-lva1-x\nx-msedge-ref: Ref A: 00 Ref B: BOM02EDGE0712 Ref C: 2020-11-09T10:50:10Z",
		"", "accepted frontdoor:BOM02, compute linkedin:lva1"},
	{"linkedin", "x-li-fabric: prod-lva1\nx-li-pop: prod-lor1-x", "", "compute linkedin:lva1, accepted linkedin:lor1"},
	{"atlassian", `server-timing: atl-edge;dur=552,atl-edge-internal;dur=18,atl-edge-upstream;dur=538,atl-edge-pop;desc="aws-ap-northeast-2"`,
		"total=552ms pre_forward<=18ms/total upstream=538ms/total", "accepted aws:ap-northeast-2"},
	{"atlassian", "x-amz-cf-pop: DUS51-P6\nserver-timing: atl-edge;dur=63,atl-edge-internal;dur=2,atl-edge-upstream;dur=62,atl-edge-pop;desc=\"aws-us-east-1\"",
		"total=63ms pre_forward<=2ms/total upstream=62ms/total", "accepted cloudfront:DUS51-P6, compute aws:us-east-1"},
	{"kong", "via: kong/2.3.3.2-enterprise-edition\nx-kong-upstream-latency: 495\nx-kong-proxy-latency: 28", "pre_forward=28ms upstream=495ms", ""},
	{"kong", "x-kong-proxy-latency: 300007", "pre_forward=5m0.007s(doubt)", ""},
	{"kong", "x-kong-upstream-latency: 495\nx-kong-proxy-latency: 28\nx-envoy-upstream-service-time: 480\nx-runtime: 0.470000",
		"pre_forward=28ms upstream=495ms upstream.origin=480ms/upstream upstream.origin=470ms/upstream.origin", ""},
	{"kong", "cf-ray: 8f0123456789abcd-IAD\nserver-timing: cfEdge;dur=4, cfOrigin;dur=600\nx-kong-upstream-latency: 495\nx-kong-proxy-latency: 28",
		"pre_forward<=4ms upstream=600ms aside=28ms/upstream upstream.origin=495ms/upstream", "accepted cloudflare:IAD"},
	{"envoy", "server: istio-envoy\nx-envoy-upstream-service-time: 2143", "upstream=2.143s", ""},
	{"envoy", "server-timing: pre_forward;dur=175, upstream;dur=65\nx-envoy-upstream-service-time: 260",
		"pre_forward=175ms/total upstream=65ms/total total=260ms", ""},
	{"anthropic", "server-timing: x-originResponse;dur=23\nx-envoy-upstream-service-time: 12", "upstream=23ms upstream.origin=12ms/upstream", ""},
	{"anthropic", "server-timing: x-originResponse;dur=\nx-envoy-upstream-service-time: 12", "upstream=12ms", ""},
	{"litellm", "x-litellm-response-duration-ms: 1000.0\nx-litellm-overhead-duration-ms: 100.0\nllm_provider-openai-processing-ms: 856",
		"total=1s pre_forward<=100ms/total upstream=900ms/total upstream.origin=856ms/upstream", ""},
	{"openai", "openai-processing-ms: 2445\nx-ratelimit-reset-requests: 300ms", "upstream.origin=2.445s", ""},
	{"groq", "x-groq-region: dls\nx-ratelimit-reset-tokens: 370ms", "", "compute groq:dls"},
	{"dropbox", "x-dropbox-response-origin: far_remote", "", ""},
	{"microsoft", `x-ms-ags-diagnostic: {"ServerInfo":{"DataCenter":"UK South","Slice":"E"}}
duration: 125.9389`, "upstream.origin=125.9389ms", "compute azure:UK South"},
	{"microsoft", "sprequestduration: 1204\nspiislatency: 397", "upstream.origin=1.204s aside=397ms/upstream.origin", ""},
	{"shopify", `x-dc: gcp-us-west1,gcp-us-west1,gcp-us-west1
server-timing: processing;dur=14;desc="gc:1", db;dur=3, db_async;dur=1.675, edge;desc="LAX", country;desc="US", cfRequestDuration;dur=52.000046`,
		"total=52.000046ms upstream.origin=14ms/total aside=3ms/upstream.origin aside=1.675ms/upstream.origin",
		"accepted cloudflare:LAX, compute gcp:us-west1"},
	{"aws", "x-amzn-requestid: 00000000-1111\nx-amz-apigw-id: AAAA=", "", ""},
	{"hosting", "x-render-origin-server: uvicorn", "", ""},
	{"hosting", "via: 2.0 heroku-router", "", ""},
	{"nginx", "server: nginx/1.29.0\nx-upstream-response-time: 0.123", "", ""},
	{"haproxy", "server: HAProxy", "", ""},
	{"caddy", "server: Caddy\nvia: 1.1 Caddy", "", ""},
	{"traefik", "server: traefik", "", ""},
	{"varnish", "x-varnish: 32770 3\nage: 12\nserver-timing: total;dur=73.1;desc=\"Total Response Time\"", "upstream.origin=73.1ms(stored)", ""},
	{"rails", "x-runtime: 0.399578\nserver-timing: sql.active_record;dur=8.59, process_action.action_controller;dur=389.24",
		"upstream.origin=399.578ms upstream.origin>=389.24ms/upstream.origin aside=8.59ms/upstream.origin", ""},
	{"discourse", "x-runtime: 0.399578\nx-sql-time: 0.012345\nx-redis-time: 0.001000\nx-queue-time: -0.003000\nx-sql-calls: 12",
		"upstream.origin=399.578ms aside=12.345ms/upstream.origin aside=1ms/upstream.origin", ""},
	{"wordpress-performance-lab", "server-timing: wp-before-template;dur=43.19, wp-template;dur=33.48, wp-total;dur=76.67, wp-memory-usage;dur=5795096, wp-db-queries;dur=25",
		"upstream.origin=76.67ms aside=43.19ms/upstream.origin aside=33.48ms/upstream.origin", ""},
	{"laravel", "server-timing: bootstrap;dur=10.5, app;dur=30;desc=\"App\", total;dur=41, render;",
		"upstream.origin=41ms aside=10.5ms/upstream.origin aside=30ms/upstream.origin", ""},
	{"express", "server-timing: db; dur=53.027; desc=\"MySQL\"\nserver-timing: total; dur=73.128; desc=\"Total Response Time\"",
		"upstream.origin=73.128ms aside=53.027ms/upstream.origin", ""},
	{"x-response-time", "x-response-time: 0.087s", "upstream.origin=87ms", ""},
	{"telemetry", `server-timing: traceparent;desc="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", dtSInfo;desc="0"`, "", ""},
	{"meta", "x-fb-connection-quality: MODERATE; q=0.3, rtt=250, rtx=0, uplat=247, ullat=0", "", ""},
}

func TestProviders(t *testing.T) {
	for _, row := range providerRows {
		t.Run(row.provider, func(t *testing.T) {
			r := provider.Read(head(row.head), nil)
			if !slices.Contains(r.Providers, row.provider) {
				t.Errorf("recognised %v, want %s among them\n%s", r.Providers, row.provider, row.head)
			}
			if got := spanText(r); got != row.spans {
				t.Errorf("spans of\n%s\ngot  %s\nwant %s", row.head, got, row.spans)
			}
			if got := placeText(r); got != row.places {
				t.Errorf("places of\n%s\ngot  %s\nwant %s", row.head, got, row.places)
			}
		})
	}
}

func TestEveryProviderHasARow(t *testing.T) {
	for _, name := range provider.Names() {
		if name == "standard" {
			continue
		}
		if !slices.ContainsFunc(providerRows, func(row struct{ provider, head, spans, places string }) bool { return row.provider == name }) {
			t.Errorf("no row of providerRows shows %s", name)
		}
	}
}

// head reads "name: value" lines into what Read takes.
func head(text string) map[string][]string {
	h := map[string][]string{}
	for _, line := range strings.Split(text, "\n") {
		name, value, _ := strings.Cut(line, ": ")
		h[name] = append(h[name], value)
	}
	return h
}

func spanText(r provider.Reading) string {
	var out []string
	for _, s := range r.Spans {
		text := s.Role.String() + figure(s)
		if s.FromStorage {
			text += "(stored)"
		}
		if s.Doubt != "" {
			text += "(doubt)"
		}
		if s.Parent >= 0 {
			text += "/" + r.Spans[s.Parent].Role.String()
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func figure(s provider.Span) string {
	switch s.Bound {
	case provider.AtMost:
		return "<=" + s.Hi.String()
	case provider.AtLeast:
		return ">=" + s.Lo.String()
	case provider.Between:
		return fmt.Sprintf("=%v..%v", s.Lo, s.Hi)
	}
	return "=" + s.Lo.String()
}

func placeText(r provider.Reading) string {
	var out []string
	for _, p := range r.Places {
		text := fmt.Sprintf("%s %s:%s", p.Role, p.Scheme, p.Code)
		if p.FromStorage {
			text += "(stored)"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestNothingIsGuessed(t *testing.T) {
	for _, text := range []string{
		"x-response-time: 2",
		"x-runtime: 12",
		"x-edge-location: hnd\nx-cache: EXPIRED from k09.mul.hnd01.jp.krill.zenlogic.net",
		"server-timing: edge;dur=30, origin-shield;dur=12, total;dur=73, app;dur=4, db;dur=3",
		"server-timing: view=0.322, db=0.018, total=0.350",
		"server-timing: cache;desc=\"miss\", ctx;dur=2650.1, db;dur=812.4, db-count;desc=\"21 queries\"",
		"x-time-taken: 12\nx-served-by: backend-7\nx-timer: 12",
	} {
		if r := provider.Read(head(text), nil); len(r.Spans) > 0 || len(r.Places) > 0 {
			t.Errorf("%q gives spans %q and places %q, want none", text, spanText(r), placeText(r))
		}
	}
}

func TestPeer(t *testing.T) {
	r := provider.Read(head(`server-timing: cfL4;desc="?proto=QUIC&rtt=9580&min_rtt=6796&rtt_var=4182"`), nil)
	if len(r.Peers) != 1 || r.Peers[0].RTT != 9580*time.Microsecond || r.Peers[0].MinRTT != 6796*time.Microsecond || r.Peers[0].Proto != "QUIC" {
		t.Errorf("cfL4 read as %+v", r.Peers)
	}
	r = provider.Read(head("x-fb-connection-quality: MODERATE; q=0.3, rtt=250, rtx=0"), nil)
	if len(r.Peers) != 1 || r.Peers[0].RTT != 250*time.Millisecond {
		t.Errorf("x-fb-connection-quality read as %+v", r.Peers)
	}
}

func TestBest(t *testing.T) {
	for text, want := range map[string]string{
		// An exact word beats a bound, and this project's own names come first.
		"server-timing: cfEdge;dur=9, cfOrigin;dur=300\nserver-timing: pre_forward;dur=175, upstream;dur=65, origin;dur=50": "pre_forward=175ms upstream=65ms upstream.origin=50ms",
		"server-timing: cfEdge;dur=9\nx-kong-proxy-latency: 28\nx-kong-upstream-latency: 495":                               "pre_forward=28ms upstream=495ms",
		"server-timing: pre-forward;dur=12, upstream-network;dur=40":                                                        "pre_forward=12ms upstream.network=40ms",
		// Seconds under a name for milliseconds are not used silently.
		"server-timing: upstream;dur=0.123000": "",
		// History is not this request.
		"age: 5\nserver-timing: upstream;dur=65": "",
	} {
		r := provider.Read(head(text), nil)
		var got []string
		for _, role := range []provider.Role{provider.PreForward, provider.Upstream, provider.UpstreamNetwork, provider.UpstreamOrigin} {
			if i := r.Best(role); i >= 0 {
				got = append(got, role.String()+figure(r.Spans[i]))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("best of %q = %v, want %q", text, got, want)
		}
	}
}
