package curlline

import (
	"errors"
	"fmt"
	"strings"
)

// defaultRedirs is curl's limit on a chain of redirects.
const defaultRedirs = 50

// Parse reads curl's arguments, without the word curl, as a shell hands them over. Errors are one
// line, name the option as written and what it wants.
func Parse(args []string) (*Request, error) {
	p := &parser{table: optionTable(), request: &Request{MaxRedirs: defaultRedirs}, args: args}
	for len(p.args) > 0 {
		if err := p.next(); err != nil {
			return nil, fmt.Errorf("curl line: %w", err)
		}
	}
	if err := p.finish(); err != nil {
		return nil, fmt.Errorf("curl line: %w", err)
	}
	return p.request, nil
}

// parser consumes arguments. What depends on several options is kept until finish.
type parser struct {
	table    options
	request  *Request
	args     []string
	urls     []string
	globOff  bool
	scheme   string // --proto-default
	proxy    string
	proxyIs  string // scheme implied by --socks5 and its like
	proxyUsr string
	urlsOnly bool // behind --
}

func (p *parser) take() string {
	first := p.args[0]
	p.args = p.args[1:]
	return first
}

func (p *parser) next() error {
	arg := p.take()
	switch {
	case p.urlsOnly, arg == "-", !strings.HasPrefix(arg, "-"):
		return p.operand(arg)
	case arg == "--":
		p.urlsOnly = true
		return nil
	case strings.HasPrefix(arg, "--"):
		return p.long(arg)
	}
	return p.short(arg)
}

func (p *parser) operand(arg string) error {
	if strings.HasPrefix(arg, "\u2013") || strings.HasPrefix(arg, "\u2014") {
		return fmt.Errorf("%q begins with a typographic dash, want - or --", abridged(arg))
	}
	p.urls = append(p.urls, arg)
	return nil
}

func (p *parser) long(arg string) error {
	name, value, attached := strings.Cut(arg[2:], "=")
	opt, on, err := p.table.find(name)
	if err != nil {
		return err
	}
	if !opt.arg {
		if attached {
			return fmt.Errorf("--%s takes no value", name)
		}
		return p.apply(opt, "--"+name, "", on)
	}
	if !attached {
		if len(p.args) == 0 {
			return fmt.Errorf("--%s wants %s, nothing follows it", name, opt.wants())
		}
		value = p.take()
	}
	return p.apply(opt, "--"+name, value, on)
}

// short reads a cluster: letters without a value, and at most one with, whose value is the rest of
// the cluster or the next argument.
func (p *parser) short(arg string) error {
	for rest := arg[1:]; rest != ""; {
		letter := rest[:1]
		rest = rest[1:]
		opt, ok := p.table.letter(letter)
		if !ok {
			return fmt.Errorf("unknown option -%s in %q", letter, abridged(arg))
		}
		if !opt.arg {
			if err := p.apply(opt, "-"+letter, "", true); err != nil {
				return err
			}
			continue
		}
		if rest == "" {
			if len(p.args) == 0 {
				return fmt.Errorf("-%s wants %s, nothing follows it", letter, opt.wants())
			}
			rest = p.take()
		}
		return p.apply(opt, "-"+letter, rest, true)
	}
	return nil
}

func (p *parser) apply(opt *option, written, value string, on bool) error {
	err := opt.do(p, use{written: written, value: value, on: on})
	if err != nil {
		return fmt.Errorf("%s: %w", written, err)
	}
	return nil
}

// finish settles what the whole line decides.
func (p *parser) finish() error {
	if err := p.oneMethod(); err != nil {
		return err
	}
	if err := p.settleURLs(); err != nil {
		return err
	}
	if err := p.settleProxy(); err != nil {
		return err
	}
	p.remark()
	return nil
}

func (p *parser) oneMethod() error {
	r := p.request
	bodies := 0
	for _, given := range []bool{r.Head && !r.Get, r.Upload != "", len(r.Form) > 0, len(r.Data) > 0 && !r.Get} {
		if given {
			bodies++
		}
	}
	if bodies > 1 {
		return errors.New("only one of -I, -d, -F and -T makes a request")
	}
	return nil
}

// remark adds what only the finished request shows.
func (p *parser) remark() {
	r := p.request
	if r.HasUser && !r.HasPassword {
		r.refuse("-u", "has no password, and none is asked for here")
	}
	for _, u := range r.URLs {
		if strings.HasPrefix(u, "http://") && (r.HTTPVersion == "2" || r.HTTPVersion == "3") {
			r.refuse("--http"+r.HTTPVersion, "is spoken over https only")
		}
	}
	if len(r.URLs) > 1 {
		r.change(fmt.Sprintf("%d URLs", len(r.URLs)), "each is a route of its own, on connections of its own")
	}
}
