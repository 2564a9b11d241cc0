package scenario_test

import (
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

// Before an edge function moves to Tokyo: what would stay behind?
func ExampleDocument_Rehearse() {
	d, err := scenario.Parse("my.yaml", []byte(`
client: Osaka
services:
  edge: {city: Ashburn, calls: [switch, pod]}
  switch: {city: Ashburn, takes: 10ms, state: true}
  pod: {city: Taipei, takes: 135ms}
`))
	if err != nil {
		panic(err)
	}
	r, err := d.Rehearse("edge.city=Tokyo")
	if err != nil {
		panic(err)
	}
	for _, a := range r.Advice {
		fmt.Println(a)
	}
	// Output: switch stays in Ashburn: every request to edge pays Tokyo-Ashburn once before forwarding (+223 ms); it holds state, so moving it means creating it anew or copying it
}

// Every embedded scenario opens under its name; its arms say how it is asked.
func ExampleOpen() {
	w, err := scenario.Open("tenant-stripped", 1)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	fmt.Println("from", w.From())
	for _, a := range w.Arms() {
		fmt.Printf("%s %s via=%q\n", a.Name, a.URL, a.Via)
	}
	// Output:
	// from Lisbon
	// before https://shop.customer.example/ via="origin.before.example"
	// after https://shop.customer.example/ via=""
	// fixed https://shop.customer.example/ via="cdn.fixed.example"
}
