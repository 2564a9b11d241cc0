package main

import (
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/report"
)

// conclude prints a comparison and returns how the command ends: by the rules where there are some,
// else by whether there was anything to compare.
func (o *compareOptions) conclude(c *ledger.Comparison, s streams) error {
	results := c.Gate(o.rules)
	view := report.CompareOf(c)
	view.Gate = results
	view.Files = o.savedFiles()
	if s.redactor == nil {
		view.Repeat = []string{o.plan.commandLine()}
	}
	for i := range view.Files {
		view.Files[i] = s.aliased(view.Files[i])
	}
	view.Names = [2]string{o.nameOf(o.beforeName, c.Before.Arm.Route.Name), o.nameOf(o.afterName, c.After.Arm.Route.Name)}
	if err := o.output.emit(s, report.CompareDocument(view)); err != nil {
		return err
	}
	if c.Before.N() == 0 || c.After.N() == 0 {
		return &exitError{exitFailed}
	}
	return o.verdictCode(results)
}

// savedFiles are the run files compared; "" for what was measured now.
func (o *compareOptions) savedFiles() (files [2]string) {
	for i, arg := range o.args {
		files[i] = sideOf(arg).file
	}
	if len(o.args) == 1 {
		files[1] = files[0]
	}
	return files
}

// nameOf is what an arm is called: a flag wins; names that were chosen when the run was made stand.
func (o *compareOptions) nameOf(flag, route string) string {
	if flag != "" {
		return flag
	}
	if len(o.args) == 2 && sideOf(o.args[0]).file != "" {
		return "" // two files: the report's own rule, by host or before and after
	}
	return route
}
