package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// plan is what a run file keeps so that the same can be measured again: the command line in its
// long form. A secret is replaced by a reference {{secret.NAME}} and its name listed.
type plan struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Secrets []string `json:"secrets,omitempty"`

	rehearsed bool // of a run in the embedded internet
}

// notPlanned are flags that say what to do with the result, not what to measure.
var notPlanned = []string{"format", "output", "color", "redact", "save", "no-save", "keylog", "secret", "help", "config"}

// newPlan writes the command line that fs and args hold.
func newPlan(command string, fs *pflag.FlagSet, args []string) plan {
	p := plan{Command: command}
	fs.Visit(func(f *pflag.Flag) {
		if slices.Contains(notPlanned, f.Name) {
			return
		}
		for _, v := range flagValues(f) {
			p.Args = append(p.Args, "--"+f.Name+"="+p.hide(f.Name, v))
		}
	})
	p.Args = append(p.Args, "--")
	for _, a := range args {
		p.Args = append(p.Args, p.hideURL(a))
	}
	return p
}

// flagValues lists the values of a repeatable flag, or the one value of another.
func flagValues(f *pflag.Flag) []string {
	if s, ok := f.Value.(pflag.SliceValue); ok {
		return s.GetSlice()
	}
	return []string{f.Value.String()}
}

func (p plan) raw() json.RawMessage {
	b, err := json.Marshal(p)
	if err != nil {
		panic("plan: strings do not marshal: " + err.Error())
	}
	return b
}

// commandLine is the plan as a shell would take it; secrets stand as references.
func (p plan) commandLine() string {
	words := []string{"coldsplit", p.Command}
	for _, a := range p.Args {
		if a != "--" {
			words = append(words, shellWord(a))
		}
	}
	return strings.Join(words, " ")
}

func shellWord(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\n'\"$&|;<>()*?[]{}~#`\\!") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// hide replaces the secret part of one flag's value, by the very rule that keeps secrets out of the
// rest of the file.
func (p *plan) hide(flag, value string) string {
	flag = strings.TrimPrefix(strings.TrimPrefix(flag, "before-"), "after-")
	switch flag {
	case "header":
		return p.hideHeader(value)
	case "user", "cookie":
		return p.hideAll(flag, value)
	case "proxy", "via", "health", "control", "resolver":
		return p.hideURL(value)
	case "config-text":
		return p.hideConfig(value)
	case "data", "data-raw", "data-binary", "data-base64", "json":
		return p.hideContent(flag, value)
	}
	if record.SafeText(value) != value {
		return p.reference(flag)
	}
	return value
}

// hideHeader keeps a field's name; a file is named, not read.
func (p *plan) hideHeader(line string) string {
	name, value, ok := strings.Cut(line, ":")
	if !ok || strings.HasPrefix(line, "@") {
		return line
	}
	if record.SecretHeader(name) || record.HoldsSecret(value) {
		return name + ": " + p.hideAll(name, strings.TrimSpace(value))
	}
	return line
}

// hideContent keeps content that shows no secret, and the name of a file where content comes from one.
func (p *plan) hideContent(flag, value string) string {
	content := value
	switch flag {
	case "data-base64":
		b, _ := base64.StdEncoding.DecodeString(value)
		content = string(b)
	case "data", "data-binary", "json":
		if strings.HasPrefix(value, "@") {
			return value
		}
	}
	if record.HoldsSecret(content) {
		return p.reference(flag)
	}
	return value
}

// hideAll hides a whole value, unless templates are all there is to it.
func (p *plan) hideAll(name, value string) string {
	if isTemplateOnly(value) {
		return value
	}
	return p.reference(name)
}

// isTemplateOnly reports whether a value names where its secret comes from, and nothing else: "Bearer
// {{env.TOKEN}}", or has none.
func isTemplateOnly(value string) bool {
	rest := templateWord.ReplaceAllString(value, "")
	scheme := strings.ToLower(strings.Trim(rest, " :"))
	return scheme == "" || rest != value && (scheme == "bearer" || scheme == "basic")
}

// hideURL replaces what is secret in a URL by references; a fragment is never sent and is dropped.
func (p *plan) hideURL(text string) string {
	if strings.Contains(text, "://") {
		text, _, _ = strings.Cut(text, "#")
	}
	return record.ReplaceInURL(text, p.hideAll)
}

// reference names a secret, a second one under the same name with a number.
func (p *plan) reference(name string) string {
	name = strings.ToLower(strings.Trim(notWord.ReplaceAllString(name, "-"), "-"))
	unique := name
	for i := 2; slices.Contains(p.Secrets, unique); i++ {
		unique = fmt.Sprintf("%s-%d", name, i)
	}
	p.Secrets = append(p.Secrets, unique)
	return "{{secret." + unique + "}}"
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// withSecrets is the command line with every reference replaced by what value gives for its name.
func (p plan) withSecrets(value func(name string) (string, error)) ([]string, error) {
	args := slices.Clone(p.Args)
	for _, name := range p.Secrets {
		v, err := value(name)
		if err != nil {
			return nil, err
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "{{secret."+name+"}}", secretFor(args[i], v))
		}
	}
	return args, nil
}
