// Package diagnosis decides why a route brought nothing, or why what it brought is not the route's:
// a filter or a closed port, a certificate for another name, a firewall's refusal at the edge, a
// network that answers in place of the host, a machine without a route.
//
// It knows facts of the run file and nothing else, so that a saved run is told the same story later.
// It refuses to guess: where the facts fit two stories, [Of] returns nil and the failures speak for
// themselves. It knows no words of a report.
//
// The rule a caller must hold: a cause speaks of an arm without a single ok exchange whose failures
// are all alike. An arm that answered once is measured, not diagnosed.
package diagnosis
