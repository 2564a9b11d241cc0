package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/coldsplit/coldsplit/pkg/lab/actor"
)

// mistake is what is wrong with a document, at a node of it.
type mistake struct {
	node ast.Node
	text string
}

func (m *mistake) Error() string { return m.text }

func wrong(node ast.Node, format string, args ...any) error {
	return &mistake{node, fmt.Sprintf(format, args...)}
}

// plain decodes a node that uses no short form.
func plain(node ast.Node, into any) error { return yaml.NodeToValue(node, into, yaml.Strict()) }

func scalarText(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// UnmarshalYAML takes a city for the mapping that names it.
func (c *clientSpec) UnmarshalYAML(node ast.Node) error {
	if text, ok := scalarText(node); ok {
		c.City = text
		return nil
	}
	type long clientSpec
	return plain(node, (*long)(c))
}

// UnmarshalYAML takes a round trip for the mapping that states it.
func (p *pathSpec) UnmarshalYAML(node ast.Node) error {
	if _, ok := scalarText(node); ok {
		var err error
		p.RTT, err = duration(node)
		return err
	}
	type long pathSpec
	return plain(node, (*long)(p))
}

func duration(node ast.Node) (time.Duration, error) {
	text, _ := scalarText(node)
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, wrong(node, "%q is no duration; want one like 20ms or 1.5s", text)
	}
	return d, nil
}

// latencySpec is how long work takes: one duration, the values of a quantile table,
// or some quantiles of it (p50: 20ms, p99: 180ms).
type latencySpec struct {
	values []time.Duration
}

// UnmarshalYAML reads any of the three forms.
func (l *latencySpec) UnmarshalYAML(node ast.Node) error {
	switch n := node.(type) {
	case *ast.SequenceNode:
		return l.table(n)
	case *ast.MappingNode:
		return l.quantiles(n.Values)
	case *ast.MappingValueNode:
		return l.quantiles([]*ast.MappingValueNode{n})
	}
	d, err := duration(node)
	l.values = []time.Duration{d}
	return err
}

func (l *latencySpec) table(n *ast.SequenceNode) error {
	for _, value := range n.Values {
		d, err := duration(value)
		if err != nil {
			return err
		}
		l.values = append(l.values, d)
	}
	if len(l.values) == 0 {
		return wrong(n, "a table needs a value")
	}
	return nil
}

func (l *latencySpec) quantiles(values []*ast.MappingValueNode) error {
	var q []actor.Quantile
	for _, v := range values {
		percent, err := strconv.ParseFloat(strings.TrimPrefix(v.Key.GetToken().Value, "p"), 64)
		if err != nil || percent < 0 || percent > 100 {
			return wrong(v.Key, "%q is no percentile; want one like p50", v.Key.GetToken().Value)
		}
		d, err := duration(v.Value)
		if err != nil {
			return err
		}
		q = append(q, actor.Quantile{At: percent / 100, Value: d})
	}
	slices.SortFunc(q, func(a, b actor.Quantile) int { return int(1e6 * (a.At - b.At)) })
	for i := 1; i < len(q); i++ {
		if q[i].Value < q[i-1].Value {
			return wrong(values[0].Key, "a higher percentile has a lower value")
		}
	}
	l.values = actor.Spread(q)
	return nil
}

// latency returns the distribution, or nil for none.
func (l latencySpec) latency(seed uint64) actor.Latency {
	switch len(l.values) {
	case 0:
		return nil
	case 1:
		return actor.Fixed(l.values[0])
	}
	return actor.NewDeck(seed, l.values...)
}

// callSpec is one call: "NAME", "NAME x3", "NAME 20%", "NAME x3 20%".
type callSpec struct {
	To    string
	Times int
	Share float64
	node  ast.Node
}

// once reports whether every request makes the call exactly once.
func (c callSpec) once() bool { return c.Times == 1 && c.Share == 1 }

// stepSpec is one call, or several side by side.
type stepSpec []callSpec

// UnmarshalYAML reads a call or a list of them.
func (s *stepSpec) UnmarshalYAML(node ast.Node) error {
	nodes := []ast.Node{node}
	if list, ok := node.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	for _, n := range nodes {
		c, err := readCall(n)
		if err != nil {
			return err
		}
		*s = append(*s, c)
	}
	return nil
}

func readCall(node ast.Node) (callSpec, error) {
	text, _ := scalarText(node)
	words := strings.Fields(text)
	if len(words) == 0 {
		return callSpec{}, wrong(node, "want the name of a service")
	}
	c := callSpec{To: words[0], Times: 1, Share: 1, node: node}
	for _, w := range words[1:] {
		if !c.qualify(w) {
			return callSpec{}, wrong(node, "%q: want a number of times like x3 or a share like 20%% after the name, got %q", text, w)
		}
	}
	return c, nil
}

// maxTimes bounds how often one request may make a call.
const maxTimes = 100

func (c *callSpec) qualify(w string) bool {
	if times, ok := strings.CutPrefix(w, "x"); ok {
		n, err := strconv.Atoi(times)
		c.Times = n
		return err == nil && n >= 1 && n <= maxTimes
	}
	if share, ok := strings.CutSuffix(w, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		c.Share = p / 100
		return err == nil && p > 0 && p <= 100
	}
	return false
}
