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

// unknownAnswer stands for a look-up that failed in words nobody here knows.
const unknownAnswer = "failed"

// answerWords is what the resolver said, or unknownAnswer.
func answerWords(f *reading.Failure) string {
	found, first := "", len(f.Text)
	for _, words := range resolverWords { // what stands first is the kind; a cause may follow
		if at := strings.Index(f.Text, ": "+words); at >= 0 && at < first {
			found, first = words, at
		}
	}
	if found != "" {
		return found
	}
	if f.Class == record.ClassTimeout {
		return "no answer"
	}
	return unknownAnswer
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
