package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// topicWords are the words that make a header worth keeping when they stand in its name: they speak
// of time, place, cache, limits or instances. A word of six letters and more counts at either
// end of a longer one too ("sprequestduration").
var topicWords = wordSet(`
	time times timing timer timings duration dur latency latencies ms msec millis elapsed runtime took wait waited
	waiting queue queued queuetime ttfb rtt delay lag processing processed preforward forward age date perf
	profile
	place region zone az colo pop edge dc datacenter geo city country location locality site placement fabric
	cluster area cdn ray ref via continent hop
	cache caching cached hit hits miss stale fresh freshness vary expires shield tier varnish
	limit limits ratelimit throttle throttled remaining reset retry quota burst concurrency inflight capacity
	backoff
	instance machine node server host hostname pod backend container worker replica served upstream origin
	router proxy gateway shard lane slot unit process deployment revision env environment`)

// plainNames are kept although no word of theirs says so: they tell whether two routes serve the
// same thing, and over what.
var plainNames = wordSet(`content-type content-length content-encoding alt-svc accept-ranges transfer-encoding connection`)

// droppedNames contain a word of the list and speak of something else.
var droppedNames = wordSet(`access-control-allow-origin cross-origin-opener-policy cross-origin-embedder-policy
	cross-origin-resource-policy origin-agent-cluster content-security-policy permissions-policy
	content-security-policy-report-only x-frame-options origin-trial upgrade-insecure-requests`)

// secretWords make the value of a header, a query parameter or a cookie a secret.
var secretWords = wordSet(`token auth authorization authentication authenticate authenticity cookie cookies secret secrets
	password passwd passphrase pass pwd pw session sessionid sid ssid credential credentials signature sig signed
	apikey appkey accesskey jwt csrf xsrf csrftoken nonce otp totp bearer saml assertion hmac ticket code key
	privatekey secretkey authkey oauth
	accesstoken refreshtoken idtoken clientsecret authtoken phpsessid jsessionid awsaccesskeyid`)

// secretEnds end words that are written as one: mypassword, usersession. A plural is none: max_tokens
// counts.
var secretEnds = strings.Fields(`password passwd passphrase secret token session sessionid cookie credential credentials signature
	apikey`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// words cuts a name at everything that is neither letter nor digit and where a capital follows a
// small letter, and returns lower-case words: "X-Do-Colo" and "xDoColo" both give x, do, colo.
func words(name string) []string {
	out := make([]string, 0, 8)
	from := 0
	shut := func(at int) {
		if at > from {
			out = append(out, strings.ToLower(name[from:at]))
		}
	}
	small := false
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch part := unicode.IsLetter(r) || unicode.IsDigit(r); {
		case !part:
			shut(i)
			from = i + size
		case small && unicode.IsUpper(r):
			shut(i)
			from = i
		}
		small = unicode.IsLower(r)
		i += size
	}
	shut(len(name))
	return out
}

// speaksOfTopic tells whether a lower-case header name is worth keeping by its words.
func speaksOfTopic(name string) bool {
	if plainNames[name] {
		return true
	}
	if droppedNames[name] {
		return false
	}
	for _, w := range words(name) {
		if topicWords[w] || holdsTopic(w) {
			return true
		}
	}
	return false
}

func holdsTopic(word string) bool {
	if len(word) <= longTopic {
		return false
	}
	for _, topic := range longTopics {
		if strings.HasSuffix(word, topic) || strings.HasPrefix(word, topic) {
			return true
		}
	}
	return false
}

const longTopic = 6

var longTopics = longWords(topicWords)

func longWords(set map[string]bool) []string {
	var long []string
	for w := range set {
		if len(w) >= longTopic {
			long = append(long, w)
		}
	}
	return long
}

// SecretName tells whether a name - of a header, a parameter, a field - announces a secret. A key of a
// cache and the tokens a rate limit counts are none.
func SecretName(name string) bool {
	ws := words(name)
	harmless := false
	for _, w := range ws {
		switch w {
		case "cache", "surrogate", "ratelimit", "idempotency":
			harmless = true
		}
	}
	for _, w := range ws {
		if !secretWords[w] && !endsInSecret(w) || harmless && (w == "key" || w == "token") {
			continue
		}
		if w == "code" && len(ws) > 1 { // country_code is none, a code alone is OAuth's
			continue
		}
		return true
	}
	return false
}

func endsInSecret(word string) bool {
	for _, end := range secretEnds {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}
