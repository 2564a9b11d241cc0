package provider

// families lists every provider once. Within a layer the order is the one in
// which they usually stand from the client inwards; it decides only where
// neither Server nor Via says who answered.
func families() []family {
	return []family{
		cloudflare(), akamai(), cloudfront(), azure(), netlify(), fastly(), google(),
		bunny(), keycdn(), cdn77(), alibaba(), imperva(),
		vercel(), fly(), railway(), deno(), wikimedia(), wordpressCom(), meta(),
		slack(), linkedin(), supabase(), github(), wix(), atlassian(), kong(), litellm(), anthropic(),
		traefik(), caddy(), nginx(), haproxy(), envoy(), varnish(),
		alibabaOSS(), openai(), groq(), dropbox(), microsoft(), shopify(), aws(), hosting(),
		rails(), discourse(), performanceLab(), laravel(), express(), responseTime(), telemetry(), standard(),
	}
}
