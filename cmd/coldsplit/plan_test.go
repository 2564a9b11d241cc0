package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestPlanHoldsTheCommandLineWithoutItsSecrets(t *testing.T) {
	fs := pflag.NewFlagSet("probe", pflag.ContinueOnError)
	var r routeFlags
	r.bind(fs, "")
	line := []string{"-H", "Authorization: Bearer hunter2", "-H", "Accept: text/html", "-u", "me:hunter2", "-b", "sid=hunter2",
		"-d", `{"password":"hunter2"}`, "-x", "http://u:hunter2@127.0.0.1:3128", "https://v:hunter2@h.example/?q=1&api_key=hunter2&sig=hunter2"}
	if err := fs.Parse(line); err != nil {
		t.Fatal(err)
	}
	p := newPlan("probe", fs, fs.Args())
	if text := string(p.raw()); strings.Contains(text, "hunter2") {
		t.Errorf("a secret reached the plan: %s", text)
	}
	args, err := p.withSecrets(func(name string) (string, error) { return "<" + name + ">", nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--header=Authorization: <authorization>", "--header=Accept: text/html", "--user=<user>", "--cookie=<cookie>",
		"--data=<data>", "--proxy=http://<userinfo>@127.0.0.1:3128", "https://<userinfo-2>@h.example/?q=1&api_key=<api-key>&sig=<sig>"} {
		if !slices.Contains(args, want) {
			t.Errorf("the plan with secrets put back lacks %q: %q", want, args)
		}
	}
}
