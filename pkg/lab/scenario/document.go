package scenario

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed data/*.yaml
var embedded embed.FS

// Document is a topology that was read and can be opened, or changed first. It is
// never altered: With returns another one. It is safe for concurrent use.
type Document struct {
	name string
	text []byte
	spec *spec
}

// Info is what a list of scenarios shows of one.
type Info struct {
	Name  string
	Title string
	// Variants are the names that may follow after a slash, in the order written.
	Variants []Variant
}

// Variant is a scenario under other settings.
type Variant struct {
	Name, About string
}

// List returns the embedded scenarios, by name.
func List() []Info {
	var out []Info
	for _, name := range names() {
		d, err := Load(name)
		if err != nil {
			panic("scenario: embedded " + err.Error())
		}
		out = append(out, d.Info())
	}
	return out
}

func names() []string {
	files, err := fs.Glob(embedded, "data/*.yaml")
	if err != nil {
		panic("scenario: " + err.Error())
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	return files
}

// UnknownError says that no embedded scenario, or no variant of it, has the name.
type UnknownError struct {
	Kind string // "scenario" or "variant"
	Name string
	// Known are the names there are.
	Known []string
}

// Error lists the names there are.
func (e *UnknownError) Error() string {
	known := "none"
	if len(e.Known) > 0 {
		known = strings.Join(e.Known, ", ")
	}
	return fmt.Sprintf("unknown %s %q; there are %s", e.Kind, e.Name, known)
}

// Load returns an embedded scenario, "NAME" or "NAME/VARIANT"; the error is an
// *UnknownError.
func Load(name string) (*Document, error) {
	base, variant, has := strings.Cut(name, "/")
	text, err := embedded.ReadFile("data/" + base + ".yaml")
	if errors.Is(err, fs.ErrNotExist) || !slices.Contains(names(), base) {
		return nil, &UnknownError{"scenario", base, names()}
	}
	if err != nil {
		return nil, err
	}
	d, err := Parse(base, text)
	if err != nil || !has {
		return d, err
	}
	return d.variant(variant)
}

// Parse reads a document; name stands in front of its mistakes, with line and
// column, and becomes its name without the extension.
func Parse(name string, text []byte) (*Document, error) {
	s, t, err := read(name, text)
	if err != nil {
		return nil, err
	}
	if err := check(s, t); err != nil {
		return nil, err
	}
	return &Document{name: strings.TrimSuffix(path.Base(name), path.Ext(name)), text: slices.Clone(text), spec: s}, nil
}

func (d *Document) variant(name string) (*Document, error) {
	v := d.spec.Variants[name]
	if v == nil {
		return nil, &UnknownError{"variant", name, d.spec.variants}
	}
	out, err := d.With(v.Set...)
	if err != nil {
		return nil, err
	}
	out.name = d.name + "/" + name
	return out, nil
}

// With returns the document under settings like "edge.city=Tokyo" (a service and
// its key), "client.city=Lagos" or "paths.client -> edge.rtt=40ms". The value is
// YAML. An error names the setting.
func (d *Document) With(settings ...string) (*Document, error) {
	out := d
	for _, setting := range settings {
		text, err := assign(out.text, setting)
		if err != nil {
			return nil, err
		}
		next, err := out.reread(text)
		if err != nil {
			return nil, fmt.Errorf("with %s: %w", setting, err)
		}
		out = next
	}
	return out, nil
}

// reread parses a text made from the document's own. Its lines are nobody's, so a
// mistake is told without them.
func (d *Document) reread(text []byte) (*Document, error) {
	s, t, err := read("", text)
	if err == nil {
		err = check(s, t)
	}
	if err != nil {
		return nil, errors.New(withoutPlace(err.Error()))
	}
	return &Document{name: d.name, text: text, spec: s}, nil
}

func withoutPlace(text string) string {
	parts := strings.SplitN(text, ": ", 2)
	if len(parts) == 2 && strings.HasPrefix(text, ":") {
		return parts[1]
	}
	return text
}

// Name returns the scenario's name, variant included.
func (d *Document) Name() string { return d.name }

// Text returns the YAML; the slice is the caller's.
func (d *Document) Text() []byte { return slices.Clone(d.text) }

// Info returns what a list shows.
func (d *Document) Info() Info {
	i := Info{Name: d.name, Title: d.spec.Title}
	for _, v := range d.spec.variants {
		i.Variants = append(i.Variants, Variant{v, d.spec.Variants[v].About})
	}
	return i
}

// About returns the scenario's story, of some lines; "" if it has none.
func (d *Document) About() string { return strings.TrimSpace(d.spec.About) }
