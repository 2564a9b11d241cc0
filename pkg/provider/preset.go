package provider

import (
	"fmt"
	"slices"
	"strings"
)

// addPreset adds the mapping a provider's name stands for. Unlike the rules,
// which bound what a figure does not quite say, a preset takes it at its word.
func (m *Mapping) addPreset(name string) error {
	texts, ok := Preset(name)
	if !ok {
		return fmt.Errorf("map %q: expected KEY=METRIC, KEY=header:NAME or a preset: %s", name, strings.Join(Presets(), ", "))
	}
	for _, text := range texts {
		if err := m.Map(text); err != nil {
			return fmt.Errorf("map %q: %w", name, err)
		}
	}
	return nil
}

// Preset returns the --map texts that a name stands for, false for a name
// without any.
func Preset(name string) ([]string, bool) {
	for _, f := range book().families {
		if f.name == name && len(f.preset) > 0 {
			return slices.Clone(f.preset), true
		}
	}
	return nil, false
}

// Presets returns the names that Preset knows, sorted.
func Presets() []string {
	var names []string
	for _, f := range book().families {
		if len(f.preset) > 0 {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}
