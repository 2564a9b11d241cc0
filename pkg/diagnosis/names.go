package diagnosis

import (
	"strings"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// resolverWords are the kinds of a look-up that failed, as package resolver names them.
var resolverWords = []string{
	"no such name", "no address", "no answer", "refused", "server failure", "no connection", "unusable answer",
}

// answerWords is what the resolver said, "failed" when its words are unknown.
func answerWords(f *reading.Failure) string {
	for _, words := range resolverWords {
		if strings.Contains(f.Text, words) {
			return words
		}
	}
	if f.Class == record.ClassTimeout {
		return "no answer"
	}
	return "failed"
}

// fits reports whether a certificate's name holds for a host: equal, or a wildcard for its first
// label (RFC 9525 section 6.3).
func fits(names []string, host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	_, parent, dotted := strings.Cut(host, ".")
	for _, name := range names {
		name = strings.ToLower(strings.TrimSuffix(name, "."))
		if name == host || dotted && name == "*."+parent {
			return true
		}
	}
	return false
}
