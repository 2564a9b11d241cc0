package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"github.com/spf13/pflag"
)

// config is a file of routes: settings for the run and for every route, then the routes with what is
// their own. Keys are flag names, so a file says nothing a command line could not.
type config struct {
	Common []setting     `json:"common,omitempty"`
	Routes []configRoute `json:"routes"`
}

type configRoute struct {
	URL      string    `json:"url"`
	Name     string    `json:"name,omitempty"`
	Settings []setting `json:"settings,omitempty"`
}

// setting is one flag with its value, or values when the flag may be repeated.
type setting struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// configReader reads one file; every error names line and column.
type configReader struct {
	name string
}

// notInConfig are flags about this machine or this invocation, not about what to measure.
var notInConfig = []string{"config", "config-text", "save", "no-save", "keylog", "secret", "lab", "data-base64"}

// readConfig reads the routes of a YAML file. name is for errors.
func readConfig(name string, text []byte) (config, error) {
	r := configReader{name}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return config{}, r.syntax(err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return config{}, usagef("%s: expected one document with a list of routes", name)
	}
	top, err := r.mapping(file.Docs[0].Body, "a mapping with the key routes")
	if err != nil {
		return config{}, err
	}
	return r.config(top)
}

func (r configReader) config(top []*ast.MappingValueNode) (config, error) {
	var c config
	flags := pflag.NewFlagSet("config", pflag.ContinueOnError)
	var o probeOptions
	o.route.bind(flags, "")
	o.run.bind(flags)
	o.read.bind(flags)
	for _, pair := range top {
		if keyOf(pair) == "routes" {
			routes, err := r.routes(pair.Value)
			if err != nil {
				return c, err
			}
			c.Routes = routes
			continue
		}
		s, err := r.setting(flags, pair)
		if err != nil {
			return c, err
		}
		c.Common = append(c.Common, s)
	}
	if len(c.Routes) == 0 {
		return c, usagef("%s: there is no route in it: expected routes: [{url: https://HOST/PATH}, ...]", r.name)
	}
	return c, nil
}

func (r configReader) routes(node ast.Node) ([]configRoute, error) {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return nil, r.at(node, "routes: expected a list")
	}
	var out []configRoute
	for _, item := range list.Values {
		route, err := r.route(item)
		if err != nil {
			return nil, err
		}
		out = append(out, route)
	}
	return out, nil
}

func (r configReader) route(node ast.Node) (configRoute, error) {
	var route configRoute
	pairs, err := r.mapping(node, "a route with the key url")
	if err != nil {
		return route, err
	}
	flags := pflag.NewFlagSet("route", pflag.ContinueOnError)
	new(routeFlags).bind(flags, "")
	for _, pair := range pairs {
		switch keyOf(pair) {
		case "url":
			route.URL, err = r.scalar(pair.Value)
		case "name":
			route.Name, err = r.scalar(pair.Value)
		default:
			var s setting
			s, err = r.setting(flags, pair)
			route.Settings = append(route.Settings, s)
		}
		if err != nil {
			return route, err
		}
	}
	if route.URL == "" {
		return route, r.at(node, "a route needs the key url")
	}
	if _, err := parseTargetURL(route.URL); err != nil {
		return route, r.at(node, err.Error())
	}
	return route, nil
}

// setting reads one flag. The flag itself checks the value, so that the error has its words.
func (r configReader) setting(flags *pflag.FlagSet, pair *ast.MappingValueNode) (setting, error) {
	s := setting{Name: keyOf(pair)}
	flag := flags.Lookup(s.Name)
	if flag == nil || slices.Contains(notInConfig, s.Name) {
		return s, r.at(pair.Key, fmt.Sprintf("unknown key %q: keys are the long names of flags%s", s.Name, nearest(flags, s.Name)))
	}
	var err error
	if s.Values, err = r.values(flag, pair.Value); err != nil {
		return s, err
	}
	for _, v := range s.Values {
		if v == "" && !mayBeEmpty(s.Name) {
			return s, r.at(pair.Value, fmt.Sprintf("%s: expected %s, got \"\"", s.Name, expected(flag)))
		}
		if err := flag.Value.Set(v); err != nil {
			return s, r.at(pair.Value, valueProblem(flag, v, err))
		}
	}
	return s, nil
}

func (r configReader) values(flag *pflag.Flag, node ast.Node) ([]string, error) {
	list, isList := node.(*ast.SequenceNode)
	if !isList {
		v, err := r.scalar(node)
		return []string{v}, err
	}
	if _, repeatable := flag.Value.(pflag.SliceValue); !repeatable {
		return nil, r.at(node, flag.Name+": takes one value, not a list")
	}
	var out []string
	for _, item := range list.Values {
		v, err := r.scalar(item)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// scalar is a value as it was written: 1.1 stays 1.1.
func (r configReader) scalar(node ast.Node) (string, error) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, nil
	}
	return "", r.at(node, "expected a value")
}

func (r configReader) mapping(node ast.Node, want string) ([]*ast.MappingValueNode, error) {
	switch n := node.(type) {
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	}
	return nil, r.at(node, "expected "+want)
}

func keyOf(pair *ast.MappingValueNode) string { return pair.Key.GetToken().Value }

func (r configReader) at(node ast.Node, text string) error { return r.atToken(node.GetToken(), text) }

func (r configReader) atToken(t *token.Token, text string) error {
	return usagef("%s:%d:%d: %s", r.name, t.Position.Line, t.Position.Column, text)
}

func (r configReader) syntax(err error) error {
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) && syntax.Token != nil {
		return r.atToken(syntax.Token, syntax.Message)
	}
	return usagef("%s: %v", r.name, err)
}

// nearest suggests the flag a mistyped key may have meant: one that shares its beginning or holds the
// same letters but for one.
func nearest(flags *pflag.FlagSet, name string) string {
	best, least := "", 3
	flags.VisitAll(func(f *pflag.Flag) {
		if d := distance(f.Name, strings.ToLower(name)); d < least && !f.Hidden {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is the Levenshtein distance of two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
