package main

import "fmt"

// breakOff ends a run whose file cannot be written any further, such as one on a full disk. What was kept
// is still read and reported; where that is nothing, the error is all there is to tell.
func (m *measurement) breakOff(err error) error {
	m.file.close()
	if m.kept == 0 {
		return err
	}
	m.broken = fmt.Errorf("%w; the report is of what was kept before", err)
	return nil
}

// outcome is how a command ends that has reported m, and would end with err of a whole run.
func (m *measurement) outcome(err error) error {
	if m.broken != nil {
		return m.broken
	}
	return err
}
