package ledger

import "sync"

// together runs the tasks at the same time and waits for them; each writes only what is its own.
func together(tasks ...func()) {
	var wait sync.WaitGroup
	for _, task := range tasks {
		wait.Go(task)
	}
	wait.Wait()
}

// workers is how many rows are tested at the same time: each takes memory as large as its columns.
const workers = 2

// eachRow calls do for 0..n-1, a few at the same time. The results do not depend on their order.
func eachRow(n int, do func(i int)) {
	next := make(chan int)
	tasks := []func(){func() {
		for i := range n {
			next <- i
		}
		close(next)
	}}
	for range workers {
		tasks = append(tasks, func() {
			for i := range next {
				do(i)
			}
		})
	}
	together(tasks...)
}
