package scenario

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// tree is a document's text and where its parts stand in it.
type tree struct {
	file string
	root ast.Node
}

// read parses and decodes a text; it checks the form, not the meaning.
func read(file string, text []byte) (*spec, *tree, error) {
	t := &tree{file: file}
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, nil, t.located(err)
	}
	if len(parsed.Docs) != 1 || parsed.Docs[0].Body == nil {
		return nil, nil, fmt.Errorf("%s: want one YAML document", file)
	}
	t.root = parsed.Docs[0].Body
	s := &spec{}
	if err := yaml.NodeToValue(t.root, s, yaml.Strict()); err != nil {
		return nil, nil, t.located(err)
	}
	s.services, s.routes, s.variants = t.keys("services"), t.keys("routes"), t.keys("variants")
	if len(s.services) > 0 && s.Services[s.services[0]] != nil {
		s.Services[s.services[0]].first = true
	}
	return s, t, nil
}

// located puts file, line and column in front of a mistake.
func (t *tree) located(err error) error {
	var m *mistake
	if errors.As(err, &m) {
		return t.at(m.node, m.text)
	}
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		p := y.GetToken().Position
		return fmt.Errorf("%s:%d:%d: %s", t.file, p.Line, p.Column, y.GetMessage())
	}
	return fmt.Errorf("%s: %w", t.file, err)
}

func (t *tree) at(node ast.Node, text string) error {
	if node == nil {
		return fmt.Errorf("%s: %s", t.file, text)
	}
	p := node.GetToken().Position
	return fmt.Errorf("%s:%d:%d: %s", t.file, p.Line, p.Column, text)
}

// keys lists the keys of a mapping at the top, in the order written.
func (t *tree) keys(name string) []string {
	var out []string
	for _, v := range values(find(t.root, name)) {
		out = append(out, v.Key.GetToken().Value)
	}
	return out
}

// node finds what stands at a path of keys, or the deepest part of it there is.
func (t *tree) node(path ...string) ast.Node {
	n := t.root
	for _, key := range path {
		next := find(n, key)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func find(n ast.Node, key string) ast.Node {
	for _, v := range values(n) {
		if v.Key.GetToken().Value == key {
			return v.Value
		}
	}
	return nil
}

func values(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// assign returns a text with one setting changed: "edge.city=Tokyo" stands for
// services.edge.city, anything else for itself. Keys that were not there are made,
// services are not.
func assign(text []byte, setting string) ([]byte, error) {
	path, value, ok := strings.Cut(setting, "=")
	if !ok || path == "" {
		return nil, fmt.Errorf("set %q: want NAME.KEY=VALUE", setting)
	}
	var doc yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("set %q: %w", setting, err)
	}
	var set any
	if err := yaml.UnmarshalWithOptions([]byte(value), &set, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("set %q: value %q: %v", setting, value, err)
	}
	longClient(doc)
	keys, err := resolvePath(doc, strings.Split(path, "."))
	if err != nil {
		return nil, fmt.Errorf("set %q: %w", setting, err)
	}
	out, err := yaml.Marshal(put(doc, keys, set))
	if err != nil {
		return nil, fmt.Errorf("set %q: %w", setting, err)
	}
	return out, nil
}

// longClient writes a client's city as a mapping, so that more can be set beside it.
func longClient(doc yaml.MapSlice) {
	for i := range doc {
		if city, ok := doc[i].Value.(string); ok && doc[i].Key == "client" {
			doc[i].Value = yaml.MapSlice{{Key: "city", Value: city}}
		}
	}
}

// topKeys may begin a path; any other first word is a service.
var topKeys = map[string]bool{"client": true, "services": true, "paths": true, "run": true}

func resolvePath(doc yaml.MapSlice, keys []string) ([]string, error) {
	if topKeys[keys[0]] {
		return keys, nil
	}
	services, _ := lookup(doc, "services").(yaml.MapSlice)
	if lookup(services, keys[0]) == nil {
		var names []string
		for _, s := range services {
			names = append(names, fmt.Sprint(s.Key))
		}
		return nil, fmt.Errorf("no service %q; there are %s", keys[0], strings.Join(names, ", "))
	}
	if len(keys) < 2 {
		return nil, fmt.Errorf("want a key of %q, as in %s.city", keys[0], keys[0])
	}
	return append([]string{"services"}, keys...), nil
}

func lookup(m yaml.MapSlice, key string) any {
	for _, item := range m {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

// put returns m with the value at the end of the path; a short form in the way is
// replaced by a mapping.
func put(m yaml.MapSlice, keys []string, value any) yaml.MapSlice {
	if len(keys) > 1 {
		inner, _ := lookup(m, keys[0]).(yaml.MapSlice)
		value = put(inner, keys[1:], value)
	}
	for i := range m {
		if m[i].Key == keys[0] {
			m[i].Value = value
			return m
		}
	}
	return append(m, yaml.MapItem{Key: keys[0], Value: value})
}
