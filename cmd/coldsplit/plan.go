package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// plan is what a run file keeps so that the same can be measured again: the command line in its
// long form. A secret is replaced by a reference {{secret.NAME}} and its name listed.
type plan struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Secrets []string `json:"secrets,omitempty"`
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

// hide replaces the secret part of one flag's value.
func (p *plan) hide(flag, value string) string {
	flag = strings.TrimPrefix(strings.TrimPrefix(flag, "before-"), "after-")
	switch flag {
	case "header":
		name, _, ok := strings.Cut(value, ":")
		if ok && secretWord.MatchString(name) {
			return name + ": " + p.reference(name)
		}
	case "user", "cookie":
		return p.reference(flag)
	case "proxy", "via", "health", "control":
		return p.hideURL(value)
	case "data", "data-raw", "data-binary", "json":
		if !strings.HasPrefix(value, "@") && secretWord.MatchString(value) {
			return p.reference(flag)
		}
	case "config-text":
		return p.hideConfig(value)
	case "data-base64":
		if content, err := base64.StdEncoding.DecodeString(value); err != nil || secretWord.Match(content) {
			return p.reference(flag)
		}
	}
	return value
}

// secretWord finds names that carry secrets: authorization, cookie, api keys, tokens, signatures.
var secretWord = regexp.MustCompile(`(?i)auth|cookie|token|secret|passw|pwd|api[-_]?key|access[-_]?key|session|signature|credential`)

var (
	urlUserinfo = regexp.MustCompile(`^([a-z][a-z0-9+.-]*://)([^/?#@]+)@`)
	urlQuery    = regexp.MustCompile(`([?&])([^=&#]+)=([^&#]+)`)
)

// hideURL replaces userinfo and secret-looking query values of a URL.
func (p *plan) hideURL(text string) string {
	text = urlUserinfo.ReplaceAllStringFunc(text, func(m string) string {
		return urlUserinfo.FindStringSubmatch(m)[1] + p.reference("userinfo") + "@"
	})
	return urlQuery.ReplaceAllStringFunc(text, func(m string) string {
		part := urlQuery.FindStringSubmatch(m)
		if !secretWord.MatchString(part[2]) && !strings.EqualFold(part[2], "key") && !strings.EqualFold(part[2], "sig") {
			return m
		}
		return part[1] + part[2] + "=" + p.reference(part[2])
	})
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
