package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// runFile is the file a run is being written to. What was measured is on disk line by line, so
// nothing is lost when the process dies; of a ramp under load only what ended a moment before, see behind.
type runFile struct {
	path string
	keep bool // false: removed once the report is printed
	file *os.File
	w    *record.Writer

	unkept error // why the run is not kept although it should be, nil otherwise
}

// createRunFile opens the file --save names, a new one in the state folder, or a temporary one.
func createRunFile(r *runFlags, getenv func(string) string, started time.Time, host string) (*runFile, error) {
	f, err := openRunFile(r, getenv, started, host)
	if err != nil {
		return nil, err
	}
	f.w, err = record.NewWriter(f.file, record.WriteOptions{Compress: strings.HasSuffix(f.path, ".zst")})
	if err != nil {
		f.file.Close()
		return nil, err
	}
	return f, nil
}

func openRunFile(r *runFlags, getenv func(string) string, started time.Time, host string) (*runFile, error) {
	switch {
	case r.save != "":
		return newRunFile(r.save)
	case r.noSave:
		return temporaryRunFile()
	}
	file, path, err := createInStateDir(getenv, started, host)
	if err != nil {
		f, tempErr := temporaryRunFile()
		if tempErr == nil {
			f.unkept = err
		}
		return f, tempErr
	}
	return &runFile{path: path, keep: true, file: file}, nil
}

// newRunFile makes the file --save names. It never replaces a file: a run costs time and requests, and
// the one that is there may be the one being read.
func newRunFile(name string) (*runFile, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, usagef("--save: %s exists, and a run never replaces another: name a new file", name)
	case err != nil:
		return nil, usagef("--save: %v", err)
	}
	return &runFile{path: name, keep: true, file: file}, nil
}

// checkSaving finds what is wrong with --save and --no-save before anything else is done.
func (r *runFlags) checkSaving() error {
	switch {
	case r.save != "" && r.noSave:
		return usagef("--save and --no-save exclude each other")
	case r.save != "" && !isRunFile(r.save):
		return usagef("--save keeps the run in a file ending in .jsonl or .jsonl.zst, got %q", r.save)
	}
	return nil
}

func temporaryRunFile() (*runFile, error) {
	file, err := os.CreateTemp("", "coldsplit-*.jsonl")
	if err != nil {
		return nil, fmt.Errorf("keep the run while it is measured: %w", err)
	}
	return &runFile{path: file.Name(), file: file}, nil
}

func createInStateDir(getenv func(string) string, started time.Time, host string) (*os.File, string, error) {
	dir, err := stateDir(getenv)
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, "", err
	}
	path := filepath.Join(dir, runFileName(started, host))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return file, path, err
}

// close ends the file; a file without End stays readable and says that it was cut off.
func (f *runFile) close() error {
	err := f.w.Close()
	if cerr := f.file.Close(); err == nil {
		err = cerr
	}
	return err
}

// discard removes a file nobody asked to keep.
func (f *runFile) discard() {
	if !f.keep {
		os.Remove(f.path)
	}
}

// abandon removes a file into which nothing was measured, so that its name stays free.
func (f *runFile) abandon() {
	f.file.Close()
	os.Remove(f.path)
}

// shownPath is the path as people write it, with ~ for the home folder.
func shownPath(path, home string) string {
	if home != "" {
		if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok {
			return "~/" + filepath.ToSlash(rest)
		}
	}
	return path
}
